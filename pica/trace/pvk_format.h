// SPDX-License-Identifier: MIT
// picavk's own stream format (.pvk): elements in chunks. Specification: FORMAT.md beside this file.
// pvk_recorder.h writes it, pvk_reader.h reads it. Tests: tests/pica/pvk_test.cpp.
#pragma once

#include "pica/base/chunks.h"
#include "pica/base/result.h"
#include "pica/base/types.h"

#include <span>
#include <string_view>
#include <vector>

namespace pica
{

inline constexpr FileMagic kPvkMagic = {'P', 'I', 'C', 'A', 'V', 'K', 'T', 'R'};
// The newest version. Version 1 has the same elements and supports only VRAM and 128 MiB of FCRAM; a recorder
// writes it if the guest has no other memory.
inline constexpr u32 kPvkVersion = 2;
// The most bytes of all memory regions of a recording together: a reader allocates them.
inline constexpr u64 kMaxPvkMemory = u64{1} << 30;
bool is_version_1_memory(PhysAddr base, u64 size);
inline constexpr ChunkId kStateChunk = chunk_id("STAT"), kStreamChunk = chunk_id("STRM"),
                         kEndChunk = chunk_id("END ");

enum class PvkElementKind : u32
{
    RegisterWrite = 1, // byte mask in bits 8-11, address, value
    MemoryLoad = 2,    // address, size, bytes
    FrameMarker = 3,
    Comment = 4, // size, UTF-8
};

void append_register_write(std::vector<u8>& content, PhysAddr address, u32 value, u32 byte_mask);
void append_memory_load(std::vector<u8>& content, PhysAddr address, std::span<const u8> bytes);
void append_frame_marker(std::vector<u8>& content);
void append_comment(std::vector<u8>& content, std::string_view text);

// One element of a stream chunk.
struct PvkElement
{
    PvkElementKind kind{};
    u32 byte_mask = 0;
    PhysAddr address = 0;
    u32 value = 0;
    std::span<const u8> data; // points into the chunk's content
};

// Walks over the content of a stream chunk.
class PvkElementReader
{
public:
    explicit PvkElementReader(std::span<const u8> content) : content_(content) {}
    // Returns false at the end, or if the content is invalid.
    bool next(PvkElement& element);
    bool failed() const { return failed_; }

private:
    std::span<const u8> content_;
    std::size_t position_ = 0;
    bool failed_ = false;
};

} // namespace pica
