// SPDX-License-Identifier: MIT
// Recorded GPU streams (CiTrace, .ctf): reading and checking. The format is described in FORMAT.md beside
// this file. Source: geometry sheet 10. Tests: tests/pica/trace_test.cpp.
#pragma once

#include "pica/base/result.h"
#include "pica/base/types.h"

#include <array>
#include <span>
#include <string>
#include <vector>

namespace pica
{

enum class TraceElementKind : u8
{
    MemoryLoad,
    RegisterWrite,
    FrameMarker,
};

struct TraceElement
{
    TraceElementKind kind{};
    u8 width = 4; // RegisterWrite: 1, 2, 4 or 8 bytes
    PhysAddr address = 0;
    u64 value = 0;            // RegisterWrite
    std::span<const u8> data; // MemoryLoad; lives as long as the trace
};

// In the order of the file header.
enum class TraceSection : u8
{
    GpuRegisters,
    LcdRegisters,
    PicaRegisters,
    DefaultAttributes,
    VertexCode,
    VertexDescriptors,
    VertexFloats,
    GeometryCode,
    GeometryDescriptors,
    GeometryFloats,
};
inline constexpr u32 kTraceSections = 10;

// How RegisterWrite elements are laid out.
enum class TraceLayout : u8
{
    Legacy, // width code, 64-bit value
    Azahar, // 32-bit value
};

class Trace
{
public:
    // The whole file. Everything in the result is checked: elements in range, addresses inside guest memory.
    static Result<Trace> parse(std::vector<u8> file);
    // Reads and parses; the message starts with the path.
    static Result<Trace> load(const std::string& path);

    // Elements and sections point into the file.
    Trace(const Trace&) = delete;
    Trace& operator=(const Trace&) = delete;
    Trace(Trace&&) = default;
    Trace& operator=(Trace&&) = default;

    std::span<const u32> section(TraceSection section) const { return sections_[static_cast<u32>(section)]; }
    std::span<const TraceElement> elements() const { return elements_; }
    TraceLayout layout() const { return layout_; }
    // Number of frame markers.
    u32 frames() const { return frames_; }
    std::size_t file_size() const { return file_.size(); }

private:
    Trace() = default;
    Status read_sections();
    Status read_elements();

    std::vector<u8> file_;
    std::array<std::vector<u32>, kTraceSections> sections_;
    std::vector<TraceElement> elements_;
    TraceLayout layout_ = TraceLayout::Azahar;
    u32 frames_ = 0;
};

} // namespace pica
