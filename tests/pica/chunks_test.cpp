// SPDX-License-Identifier: MIT
#include "pica/base/chunks.h"

#include "pica/base/bytes.h"

#include <doctest/doctest.h>

#include <cstring>
#include <string>
#include <vector>

using namespace pica;

namespace
{

constexpr FileMagic kMagic = {'T', 'E', 'S', 'T', 'F', 'I', 'L', 'E'};
using Next = ChunkReader::Next;

std::vector<u8> two_chunks()
{
    std::vector<u8> file;
    append_file_header(file, kMagic, 7);
    append_chunk(file, chunk_id("ZERO"), std::vector<u8>(1000));
    append_chunk(file, chunk_id("RAW "), std::vector<u8>{1, 2, 3});
    return file;
}

} // namespace

TEST_CASE("chunks: the checksum is that of zlib")
{
    const char* text = "123456789";
    CHECK(crc32({reinterpret_cast<const u8*>(text), 9}) == 0xCBF43926);
    const std::string longer = "The quick brown fox jumps over the lazy dog";
    const std::span<const u8> bytes(reinterpret_cast<const u8*>(longer.data()), longer.size());
    CHECK(crc32(bytes) == 0x414FA339);
    CHECK(crc32(bytes.subspan(10), crc32(bytes.first(10))) == 0x414FA339);
}

TEST_CASE("chunks: contents come back, and what compresses is compressed")
{
    const std::vector<u8> file = two_chunks();
    REQUIRE(read_file_header(file, kMagic, "file"));
    CHECK(*read_file_header(file, kMagic, "file") == 7);
    CHECK(file.size() < 120);
    ChunkReader reader(file);
    ChunkReader::Chunk chunk;
    std::vector<u8> storage;
    REQUIRE(reader.next(chunk) == Next::Chunk);
    CHECK(chunk_name(chunk.id) == "ZERO");
    CHECK(chunk.is_compressed);
    const auto zeros = ChunkReader::content(chunk, storage);
    REQUIRE(zeros);
    CHECK(std::vector<u8>(zeros->begin(), zeros->end()) == std::vector<u8>(1000));
    REQUIRE(reader.next(chunk) == Next::Chunk);
    CHECK_FALSE(chunk.is_compressed);
    const auto raw = ChunkReader::content(chunk, storage);
    REQUIRE(raw);
    CHECK(std::vector<u8>(raw->begin(), raw->end()) == std::vector<u8>{1, 2, 3});
    CHECK(reader.next(chunk) == Next::End);
}

TEST_CASE("chunks: a file cut anywhere is truncated, a changed byte makes its chunk corrupt")
{
    const std::vector<u8> file = two_chunks();
    ChunkReader whole(file);
    ChunkReader::Chunk chunk;
    REQUIRE(whole.next(chunk) == Next::Chunk);
    const std::size_t second = whole.position();
    for (std::size_t size = kFileHeaderBytes; size <= file.size(); ++size)
    {
        CAPTURE(size);
        ChunkReader reader(std::span<const u8>(file).first(size));
        const Next first = reader.next(chunk);
        CHECK(first == (size == kFileHeaderBytes ? Next::End
                        : size < second          ? Next::Truncated
                                                 : Next::Chunk));
        if (first == Next::Chunk)
            CHECK(reader.next(chunk) == (size == second       ? Next::End
                                         : size < file.size() ? Next::Truncated
                                                              : Next::Chunk));
    }
    for (std::size_t at = kFileHeaderBytes; at < second; ++at)
    {
        CAPTURE(at);
        std::vector<u8> changed = file;
        changed[at] ^= 0x10;
        ChunkReader reader(changed);
        const Next next = reader.next(chunk);
        CHECK((next == Next::Corrupt || next == Next::Truncated));
    }
}

TEST_CASE("chunks: a content that does not decompress to its size is an error")
{
    std::vector<u8> file = two_chunks();
    ChunkReader reader(file);
    ChunkReader::Chunk chunk;
    std::vector<u8> storage;
    REQUIRE(reader.next(chunk) == Next::Chunk);
    chunk.size -= 1;
    CHECK_FALSE(ChunkReader::content(chunk, storage));
    chunk.size += 2;
    CHECK_FALSE(ChunkReader::content(chunk, storage));
    std::vector<u8> noise(chunk.stored.size(), 0x5A);
    chunk.stored = noise;
    CHECK_FALSE(ChunkReader::content(chunk, storage));
}

TEST_CASE("chunks: other files are told apart")
{
    std::vector<u8> file = two_chunks();
    CHECK(has_magic(file, kMagic));
    CHECK_FALSE(has_magic(std::span(file).first(7), kMagic));
    CHECK_FALSE(read_file_header(std::span(file).first(15), kMagic, "file"));
    file[12] = 1;
    CHECK_FALSE(read_file_header(file, kMagic, "file"));
    file[0] = 'X';
    CHECK_FALSE(has_magic(file, kMagic));
    CHECK_FALSE(read_file_header(file, kMagic, "file"));
}
