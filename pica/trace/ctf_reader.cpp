// SPDX-License-Identifier: MIT
#include "pica/trace/ctf_reader.h"

#include <algorithm>
#include <cstdio>
#include <cstring>

namespace pica
{

namespace
{

constexpr u32 kHeaderBytes = 100;
constexpr u32 kVersion = 1;
constexpr u32 kElementBytes = 20;
constexpr u32 kFrameMarker = 0xE1, kMemoryLoad = 0xE2, kRegisterWrite = 0xE3;
constexpr u32 kWidth8 = 0xD1, kWidth64 = 0xD4;
constexpr std::size_t kFirstSection = 0x0C;
constexpr std::size_t kStreamOffset = 0x5C, kStreamSize = 0x60;

constexpr std::array<const char*, kCtfSections> kSectionNames = {
    "gpu_registers",   "lcd_registers",     "pica_registers",    "default_attributes", "vs_program_binary",
    "vs_swizzle_data", "vs_float_uniforms", "gs_program_binary", "gs_swizzle_data",    "gs_float_uniforms"};

u32 word_at(std::span<const u8> bytes, std::size_t offset)
{
    const u8* at = &bytes[offset];
    return u32{at[0]} | u32{at[1]} << 8 | u32{at[2]} << 16 | u32{at[3]} << 24;
}

template <typename... Values>
Error error(const char* format, Values... values)
{
    char text[256];
    std::snprintf(text, sizeof text, format, values...);
    return Error{text};
}

Status read_sections(TraceContents& trace)
{
    for (u32 i = 0; i < kCtfSections; ++i)
    {
        const u32 offset = word_at(trace.file, kFirstSection + i * 8);
        const u32 words = word_at(trace.file, kFirstSection + i * 8 + 4);
        if (words == 0)
            continue;
        if (u64{offset} + u64{words} * 4 > trace.file.size())
            return error("section %s (offset %u, %u words) reaches past the end of the file (%zu bytes)",
                         kSectionNames[i], offset, words, trace.file.size());
        trace.sections[i].resize(words);
        for (u32 w = 0; w < words; ++w)
            trace.sections[i][w] = word_at(trace.file, offset + std::size_t{w} * 4);
    }
    return {};
}

Status read_elements(TraceContents& trace)
{
    const u32 offset = word_at(trace.file, kStreamOffset);
    const u32 count = word_at(trace.file, kStreamSize);
    if (u64{offset} + u64{count} * kElementBytes > trace.file.size())
        return error("stream (offset %u, %u elements) reaches past the end of the file (%zu bytes)", offset,
                     count, trace.file.size());
    const std::span<const u8> stream =
        std::span<const u8>(trace.file).subspan(count == 0 ? 0 : offset, std::size_t{count} * kElementBytes);

    trace.memory = {{kVramBase, kVramSize}, {kFcramBase, kExtendedFcramSize}};
    u64 fcram_end = u64{kFcramBase} + kFcramSize;
    // Legacy files have a width code in every register write (FORMAT.md).
    trace.format = TraceFormat::CtfLegacy;
    for (u32 i = 0; i < count && trace.format == TraceFormat::CtfLegacy; ++i)
    {
        const std::size_t at = std::size_t{i} * kElementBytes;
        const u32 code = word_at(stream, at + 8);
        if (word_at(stream, at) == kRegisterWrite && (code < kWidth8 || code > kWidth64))
            trace.format = TraceFormat::CtfAzahar;
    }

    trace.elements.resize(count);
    for (u32 i = 0; i < count; ++i)
    {
        const std::size_t at = std::size_t{i} * kElementBytes;
        TraceElement& element = trace.elements[i];
        switch (const u32 type = word_at(stream, at))
        {
        case kFrameMarker:
            element.kind = TraceElementKind::FrameMarker;
            ++trace.frames;
            break;
        case kMemoryLoad:
        {
            const u32 data = word_at(stream, at + 4);
            const u32 size = word_at(stream, at + 8);
            element.kind = TraceElementKind::MemoryLoad;
            element.address = word_at(stream, at + 12);
            if (u64{data} + size > trace.file.size())
                return error(
                    "element %u: memory load (offset %u, %u bytes) reaches past the end of the file (%zu "
                    "bytes)",
                    i, data, size, trace.file.size());
            fcram_end = std::max(fcram_end, u64{element.address} + size);
            if (!trace.has_memory(element.address, size))
                return error("element %u: memory load to 0x%08X, %u bytes, is outside guest memory", i,
                             element.address, size);
            element.data = std::span<const u8>(trace.file).subspan(data, size);
            break;
        }
        case kRegisterWrite:
            element.kind = TraceElementKind::RegisterWrite;
            element.address = word_at(stream, at + 4);
            if (trace.format == TraceFormat::CtfLegacy)
            {
                element.width = static_cast<u8>(1u << (word_at(stream, at + 8) - kWidth8));
                element.value = word_at(stream, at + 12) | u64{word_at(stream, at + 16)} << 32;
            }
            else
            {
                element.value = word_at(stream, at + 8);
            }
            break;
        default:
            return error("element %u: unknown type 0x%X", i, type);
        }
    }
    if (fcram_end == u64{kFcramBase} + kFcramSize)
        trace.memory.back().size = kFcramSize;
    return {};
}

} // namespace

bool is_ctf(std::span<const u8> bytes)
{
    return bytes.size() >= 4 && std::memcmp(bytes.data(), "CiTr", 4) == 0;
}

Result<TraceContents> read_ctf(std::vector<u8> file)
{
    if (file.size() < kHeaderBytes)
        return error("the header is truncated (%zu of %u bytes)", file.size(), kHeaderBytes);
    if (const u32 version = word_at(file, 4); version != kVersion)
        return error("CiTrace version %u is not known (only 1 is)", version);
    if (const u32 size = word_at(file, 8); size < kHeaderBytes || size > file.size())
        return error("the header size is %u, not between %u and the file's %zu bytes", size, kHeaderBytes,
                     file.size());
    TraceContents trace;
    trace.file = std::move(file);
    if (const Status status = read_sections(trace); !status)
        return status.error();
    if (const Status status = read_elements(trace); !status)
        return status.error();
    return trace;
}

} // namespace pica
