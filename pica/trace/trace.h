// SPDX-License-Identifier: MIT
// Recorded GPU streams: picavk's own format (.pvk; pvk_reader.h) and CiTrace (.ctf; ctf_reader.h). Both are
// described in FORMAT.md beside this file. Source of CiTrace: pica/hardware/citrace.md. Tests:
// tests/pica/ctf_test.cpp, tests/pica/pvk_test.cpp.
#pragma once

#include "pica/base/result.h"
#include "pica/memory/guest_memory.h"

#include <array>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace pica
{

enum class TraceElementKind : u8
{
    MemoryLoad,
    RegisterWrite,
    FrameMarker,
    State,   // recordings only: the whole GPU and its memory, at the start and wherever it was replaced
    Comment, // recordings only
};

struct TraceElement
{
    TraceElementKind kind{};
    u8 width = 4;       // RegisterWrite: 1, 2, 4 or 8 bytes
    u8 byte_mask = 0xF; // RegisterWrite of 4 bytes
    PhysAddr address = 0;
    u64 value = 0;            // RegisterWrite
    std::span<const u8> data; // for MemoryLoad, State, Comment; valid as long as the trace
};

// In the order of the CiTrace file header.
enum class CtfSection : u8
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
inline constexpr u32 kCtfSections = 10;

// The format of the file, and for CiTrace the layout of its register writes.
enum class TraceFormat : u8
{
    CtfLegacy, // width code, 64-bit value
    CtfAzahar, // 32-bit value
    Pvk,       // picavk's own format
};

// What a recorded stream holds.
struct TraceContents
{
    TraceContents() = default;
    // Not copyable, because elements and sections point into the file and its chunks.
    TraceContents(const TraceContents&) = delete;
    TraceContents& operator=(const TraceContents&) = delete;
    TraceContents(TraceContents&&) = default;
    TraceContents& operator=(TraceContents&&) = default;

    bool has_memory(PhysAddr address, u64 size) const;

    std::vector<u8> file;
    std::vector<std::vector<u8>> chunks; // recordings: the content of chunks where the file has it otherwise
    std::array<std::vector<u32>, kCtfSections> sections; // CiTrace only
    std::vector<TraceElement> elements;
    TraceFormat format{};
    std::vector<MemoryRange> memory;
    u32 frames = 0;
    bool is_truncated = false;
};

class Trace
{
public:
    // Parses a whole file of either format. Everything in the result is checked: elements lie in range,
    // addresses inside guest memory, states can be loaded.
    static Result<Trace> parse(std::vector<u8> file);
    // Reads and parses a file. An error begins with the path. If the file is not a recording, only its first
    // bytes are read.
    static Result<Trace> load(const std::string& path);
    // The most bytes that a file with these first kMagicBytes bytes may have: 4 GiB, which the 32-bit offsets
    // of CiTrace can reach, and which is our own bound for recordings. 0: it is not a recording.
    static u64 most_bytes(std::span<const u8> first);
    static constexpr std::size_t kMagicBytes = 8;

    std::span<const u32> section(CtfSection section) const
    {
        return contents_.sections[static_cast<u32>(section)];
    }
    std::span<const TraceElement> elements() const { return contents_.elements; }
    TraceFormat format() const { return contents_.format; }
    // Number of frame markers.
    u32 frames() const { return contents_.frames; }
    // The memory regions that are needed to play it: those of the recorded guest; for a CiTrace VRAM and
    // FCRAM, the latter extended if it loads something beyond 128 MiB. They do not overlap and have at most
    // kMaxPvkMemory bytes together.
    std::span<const MemoryRange> memory() const { return contents_.memory; }
    std::size_t file_size() const { return contents_.file.size(); }
    // True if the end of a recording is missing. The trace then ends with the last complete chunk.
    bool is_truncated() const { return contents_.is_truncated; }

private:
    explicit Trace(TraceContents contents) : contents_(std::move(contents)) {}

    TraceContents contents_;
};

} // namespace pica
