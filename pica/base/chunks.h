// SPDX-License-Identifier: MIT
// Files of checksummed, compressed chunks: what saved states and recorded streams are made of. Layout:
// pica/command/SNAPSHOT.md, "Chunks". Tests: tests/pica/chunks_test.cpp.
#pragma once

#include "pica/base/result.h"
#include "pica/base/types.h"

#include <array>
#include <span>
#include <string>
#include <vector>

namespace pica
{

// An identifier of four letters, the first in the lowest byte.
using ChunkId = u32;
constexpr ChunkId chunk_id(const char (&name)[5])
{
    u32 id = 0;
    for (u32 i = 0; i < 4; ++i)
        id |= static_cast<u32>(static_cast<u8>(name[i])) << (8 * i);
    return id;
}
// The four letters; bytes that are not printable as '?'.
std::string chunk_name(ChunkId id);

inline constexpr u32 kChunkHeaderBytes = 20;
// The largest content of a chunk. A reader never needs more memory than this for one.
inline constexpr u32 kMaxChunkBytes = 1u << 26;

using FileMagic = std::array<char, 8>;
inline constexpr u32 kFileHeaderBytes = 16;
void append_file_header(std::vector<u8>& file, const FileMagic& magic, u32 version);
bool has_magic(std::span<const u8> file, const FileMagic& magic);
// Returns the version. Error: the file does not begin with this magic, or is too short. what: names the kind
// of file in the message.
Result<u32> read_file_header(std::span<const u8> file, const FileMagic& magic, const char* what);

// Appends a chunk, compressed if that makes it smaller. content has at most kMaxChunkBytes.
void append_chunk(std::vector<u8>& file, ChunkId id, std::span<const u8> content);

// CRC-32 (IEEE 802.3), the same as zlib's.
u32 crc32(std::span<const u8> bytes, u32 seed = 0);

// Walks over the chunks that follow a file header.
class ChunkReader
{
public:
    struct Chunk
    {
        ChunkId id = 0;
        bool is_compressed = false;
        u32 size = 0;               // bytes of the content
        std::span<const u8> stored; // its bytes in the file, compressed or not
        std::size_t offset = 0;     // position of the chunk's header in the file
    };
    enum class Next : u8
    {
        Chunk,
        End,       // the file ends where a chunk ends
        Truncated, // the file ends inside a chunk
        Corrupt,   // the checksum or a size is wrong
    };

    explicit ChunkReader(std::span<const u8> file) : file_(file), position_(kFileHeaderBytes) {}
    Next next(Chunk& chunk);
    // Position in the file of the next chunk's header.
    std::size_t position() const { return position_; }

    // The content of a chunk. If the chunk is compressed, the bytes are put into `storage`. Error: it does
    // not decompress to its size.
    static Result<std::span<const u8>> content(const Chunk& chunk, std::vector<u8>& storage);

private:
    std::span<const u8> file_;
    std::size_t position_;
};

} // namespace pica
