// SPDX-License-Identifier: MIT
#include "pica/trace/trace.h"

#include "tests/support/recordings/ctf_writer.h"

#include <doctest/doctest.h>

#include <cstring>

using namespace pica;
using tests::CtfWriter;

namespace
{

void put(std::vector<u8>& bytes, std::size_t offset, u32 word)
{
    for (u32 i = 0; i < 4; ++i)
        bytes[offset + i] = u8(word >> (8 * i));
}

u32 get(const std::vector<u8>& bytes, std::size_t offset)
{
    return u32(bytes[offset]) | u32(bytes[offset + 1]) << 8 | u32(bytes[offset + 2]) << 16 |
           u32(bytes[offset + 3]) << 24;
}

std::string message(std::vector<u8> bytes)
{
    const Result<Trace> trace = Trace::parse(std::move(bytes));
    return trace ? "no error" : trace.error().message;
}

bool contains(const std::string& text, const char* part)
{
    return text.find(part) != std::string::npos;
}

std::vector<u8> small_trace()
{
    CtfWriter writer;
    writer.pica_registers[0x40] = 2;
    writer.memory_load(0x18000000, std::array<u8, 3>{1, 2, 3});
    writer.register_write(0x10400018, 0xD1);
    writer.register_write(0x10400010, 0x12345678);
    writer.frame_marker();
    return writer.finish();
}

// The stream alone, in the legacy layout.
std::vector<u8> legacy_trace()
{
    std::vector<u8> bytes(100 + 3 * 20);
    std::memcpy(bytes.data(), "CiTr", 4);
    put(bytes, 4, 1);
    put(bytes, 8, 100);
    put(bytes, 0x5C, 100);
    put(bytes, 0x60, 3);
    const std::array<std::array<u32, 5>, 3> elements = {{{0xE3, 0x10400018, 0xD3, 0xAABBCCDD, 0},
                                                         {0xE3, 0x1040001E, 0xD1, 0x42, 0},
                                                         {0xE3, 0x10400020, 0xD4, 0x11111111, 0x22222222}}};
    for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t w = 0; w < 5; ++w)
            put(bytes, 100 + i * 20 + w * 4, elements[i][w]);
    return bytes;
}

} // namespace

TEST_CASE("ctf: elements and sections are read as written")
{
    const Result<Trace> trace = Trace::parse(small_trace());
    REQUIRE(trace);
    CHECK(trace->format() == TraceFormat::CtfAzahar);
    CHECK(trace->frames() == 1);
    CHECK(trace->section(CtfSection::PicaRegisters).size() == 0x300);
    CHECK(trace->section(CtfSection::PicaRegisters)[0x40] == 2);
    CHECK(trace->section(CtfSection::GpuRegisters).size() == 0x732);
    const std::span<const TraceElement> elements = trace->elements();
    REQUIRE(elements.size() == 4);
    CHECK(elements[0].kind == TraceElementKind::MemoryLoad);
    CHECK(elements[0].address == 0x18000000);
    CHECK(std::vector<u8>(elements[0].data.begin(), elements[0].data.end()) == std::vector<u8>{1, 2, 3});
    CHECK(elements[1].value == 0xD1); // one such value does not make a file legacy
    CHECK(elements[2].value == 0x12345678);
    CHECK(elements[2].width == 4);
    CHECK(elements[3].kind == TraceElementKind::FrameMarker);
}

TEST_CASE("ctf: the legacy layout is detected by its width codes")
{
    const Result<Trace> trace = Trace::parse(legacy_trace());
    REQUIRE(trace);
    CHECK(trace->format() == TraceFormat::CtfLegacy);
    CHECK(trace->elements()[0].value == 0xAABBCCDD);
    CHECK(trace->elements()[0].width == 4);
    CHECK(trace->elements()[1].width == 1);
    CHECK(trace->elements()[2].width == 8);
    CHECK(trace->elements()[2].value == 0x2222222211111111);
}

TEST_CASE("ctf: sections may be empty, overlap and lie anywhere")
{
    std::vector<u8> bytes = small_trace();
    put(bytes, 0x0C + 4, 0);            // gpu_registers: none
    put(bytes, 0x14, get(bytes, 0x1C)); // lcd_registers over pica_registers
    const Result<Trace> trace = Trace::parse(bytes);
    REQUIRE(trace);
    CHECK(trace->section(CtfSection::GpuRegisters).empty());
    CHECK(trace->section(CtfSection::LcdRegisters)[0x40] == 2);
}

TEST_CASE("ctf: loads may share their data")
{
    CtfWriter writer;
    writer.memory_load(0x18000000, std::array<u8, 4>{1, 2, 3, 4});
    writer.memory_load(0x18000100, std::array<u8, 2>{9, 9});
    std::vector<u8> bytes = writer.finish();
    const std::size_t stream = get(bytes, 0x5C);
    put(bytes, stream + 20 + 4, get(bytes, stream + 4));
    const Result<Trace> trace = Trace::parse(bytes);
    REQUIRE(trace);
    CHECK(trace->elements()[1].data[1] == 2);
}

TEST_CASE("ctf: what is wrong with a file is named")
{
    CHECK(contains(message({}), "empty"));
    CHECK(contains(message({'C', 'i'}), "not a recording"));
    CHECK(contains(message(std::vector<u8>(200, 0)), "not a recording"));
    std::vector<u8> bytes = small_trace();
    CHECK(contains(message({bytes.begin(), bytes.begin() + 50}), "truncated"));
    CHECK(contains(message({bytes.begin(), bytes.begin() + 1000}), "gpu_registers"));
    CHECK(contains(message({bytes.begin(), bytes.end() - 1}), "stream"));

    std::vector<u8> broken = bytes;
    put(broken, 4, 2);
    CHECK(contains(message(broken), "version 2"));
    broken = bytes;
    put(broken, 8, 10);
    CHECK(contains(message(broken), "header size"));
    broken = bytes;
    put(broken, 0x1C + 4, 0xFFFFFFFF);
    CHECK(contains(message(broken), "pica_registers"));
    broken = bytes;
    put(broken, 0x60, 0xFFFFFFFF);
    CHECK(contains(message(broken), "stream"));

    const std::size_t stream = get(bytes, 0x5C);
    broken = bytes;
    put(broken, stream + 20, 0xE4);
    CHECK(contains(message(broken), "element 1: unknown type 0xE4"));
    broken = bytes;
    put(broken, stream + 8, 0xFFFFFFF0);
    CHECK(contains(message(broken), "element 0: memory load"));
    broken = bytes;
    put(broken, stream + 12, 0x185FFFFF);
    CHECK(contains(message(broken), "outside guest memory"));
    broken = bytes;
    put(broken, stream + 12, 0xFFFFFFFF);
    CHECK(contains(message(broken), "outside guest memory"));
}

TEST_CASE("ctf: a missing file is an error that starts with its path")
{
    const Result<Trace> trace = Trace::load("/nonexistent/x.ctf");
    REQUIRE_FALSE(trace);
    CHECK(trace.error().message.starts_with("/nonexistent/x.ctf: "));
}

TEST_CASE("ctf: every cut of a file is either read or refused")
{
    const std::vector<u8> bytes = legacy_trace();
    for (std::size_t size = 0; size < bytes.size(); ++size)
        CHECK_FALSE(Trace::parse({bytes.begin(), bytes.begin() + std::ptrdiff_t(size)}));
}
