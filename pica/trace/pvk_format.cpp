// SPDX-License-Identifier: MIT
#include "pica/trace/pvk_format.h"

#include "pica/base/bytes.h"
#include "pica/memory/guest_memory.h"

namespace pica
{

namespace
{

void append_kind(std::vector<u8>& content, PvkElementKind kind, u32 more = 0)
{
    append_word(content, static_cast<u32>(kind) | more);
}

void append_padded(std::vector<u8>& content, std::span<const u8> bytes)
{
    append_word(content, static_cast<u32>(bytes.size()));
    append_bytes(content, bytes);
    content.resize((content.size() + 3) & ~std::size_t{3});
}

} // namespace

bool is_version_1_memory(PhysAddr base, u64 size)
{
    const auto inside = [&](PhysAddr region, u32 bytes)
    { return base >= region && base + size <= u64{region} + bytes; };
    return inside(kVramBase, kVramSize) || inside(kFcramBase, kFcramSize);
}

void append_register_write(std::vector<u8>& content, PhysAddr address, u32 value, u32 byte_mask)
{
    append_kind(content, PvkElementKind::RegisterWrite, (byte_mask & 0xF) << 8);
    append_word(content, address);
    append_word(content, value);
}

void append_memory_load(std::vector<u8>& content, PhysAddr address, std::span<const u8> bytes)
{
    append_kind(content, PvkElementKind::MemoryLoad);
    append_word(content, address);
    append_padded(content, bytes);
}

void append_frame_marker(std::vector<u8>& content)
{
    append_kind(content, PvkElementKind::FrameMarker);
}

void append_comment(std::vector<u8>& content, std::string_view text)
{
    append_kind(content, PvkElementKind::Comment);
    append_padded(content, {reinterpret_cast<const u8*>(text.data()), text.size()});
}

bool PvkElementReader::next(PvkElement& element)
{
    if (failed_ || position_ == content_.size())
        return false;
    const std::span<const u8> rest = content_.subspan(position_);
    const auto word = [&](std::size_t index) { return load_word(&rest[index * 4]); };
    const auto has = [&](u64 words) { return rest.size() / 4 >= words; };
    failed_ = true;
    if (!has(1))
        return false;
    element = {};
    element.kind = static_cast<PvkElementKind>(word(0) & 0xFF);
    u64 words = 1;
    bool clean = word(0) >> 8 == 0;
    switch (element.kind)
    {
    case PvkElementKind::RegisterWrite:
        words = 3;
        if (!has(words))
            return false;
        clean = word(0) >> 12 == 0;
        element.byte_mask = word(0) >> 8 & 0xF;
        element.address = word(1);
        element.value = word(2);
        break;
    case PvkElementKind::MemoryLoad:
    case PvkElementKind::Comment:
    {
        const u32 header = element.kind == PvkElementKind::MemoryLoad ? 3 : 2;
        if (!has(header))
            return false;
        element.address = header == 3 ? word(1) : 0;
        const u32 size = word(header - 1);
        words = header + (u64{size} + 3) / 4;
        if (!has(words))
            return false;
        element.data = rest.subspan(std::size_t{header} * 4, size);
        break;
    }
    case PvkElementKind::FrameMarker:
        break;
    default:
        return false;
    }
    if (!clean)
        return false;
    position_ += static_cast<std::size_t>(words) * 4;
    failed_ = false;
    return true;
}

} // namespace pica
