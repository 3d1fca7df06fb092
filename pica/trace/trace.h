// SPDX-License-Identifier: MIT
// Recorded GPU streams (picavk's own, .pvk, and CiTrace, .ctf): reading and checking. The formats are
// described in FORMAT.md beside this file. Source of CiTrace: geometry sheet 10. Tests:
// tests/pica/trace_test.cpp, tests/pica/recording_test.cpp.
#pragma once

#include "pica/base/result.h"
#include "pica/memory/guest_memory.h"

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
    State,   // recordings: all of the GPU and its memory, at the start and where it was replaced
    Comment, // recordings
};

struct TraceElement
{
    TraceElementKind kind{};
    u8 width = 4;       // RegisterWrite: 1, 2, 4 or 8 bytes
    u8 byte_mask = 0xF; // RegisterWrite of 4 bytes
    PhysAddr address = 0;
    u64 value = 0;            // RegisterWrite
    std::span<const u8> data; // MemoryLoad, State, Comment; lives as long as the trace
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
    Legacy,    // CiTrace: width code, 64-bit value
    Azahar,    // CiTrace: 32-bit value
    Recording, // picavk's own
};

class Trace
{
public:
    // The whole file, of either format. Everything in the result is checked: elements in range, addresses
    // inside guest memory, states loadable.
    static Result<Trace> parse(std::vector<u8> file);
    // Reads and parses; the message starts with the path. A file that is no recording is not read further
    // than its first bytes.
    static Result<Trace> load(const std::string& path);
    // By its first kMagicBytes: the most bytes that such a file may have (4 GiB: what the 32-bit offsets of
    // CiTrace reach; a bound of ours for recordings); 0: it is none.
    static u64 most_bytes(std::span<const u8> first);
    static constexpr std::size_t kMagicBytes = 8;

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
    // The regions that playing it needs: those of the recorded guest; of a CiTrace VRAM and FCRAM, extended
    // where it loads something beyond 128 MiB. They do not overlap and have kMaxRecordedMemory at most.
    std::span<const MemoryRange> memory() const { return memory_; }
    std::size_t file_size() const { return file_.size(); }
    // A recording whose end is missing: what is there ends with its last whole chunk.
    bool is_truncated() const { return is_truncated_; }

private:
    Trace() = default;
    Status read_sections();
    Status read_elements();
    static Result<Trace> parse_recording(std::vector<u8> file);
    Status read_recording();
    Status read_stream_chunk(std::span<const u8> content, std::size_t chunk);
    Status finish_state(std::vector<u8>& state);
    bool has_memory(PhysAddr address, u64 size) const;

    std::vector<u8> file_;
    std::vector<std::vector<u8>> contents_; // recordings: of their chunks
    std::array<std::vector<u32>, kTraceSections> sections_;
    std::vector<TraceElement> elements_;
    TraceLayout layout_ = TraceLayout::Azahar;
    std::vector<MemoryRange> memory_;
    u32 version_ = 0; // recordings
    u32 frames_ = 0;
    bool is_truncated_ = false;
};

} // namespace pica
