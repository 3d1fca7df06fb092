// SPDX-License-Identifier: MIT
#include "pica/base/chunks.h"

#include "pica/base/bytes.h"

#include <zstd.h>

#include <algorithm>
#include <cstring>

namespace pica
{

namespace
{

constexpr u32 kCompressed = 1;       // flag
constexpr int kCompressionLevel = 1; // states are saved between two frames of a game
constexpr u32 kChecksumOffset = 16;

// Eight tables, so that one step processes eight bytes.
using CrcTables = std::array<std::array<u32, 256>, 8>;
constexpr CrcTables make_crc_tables()
{
    CrcTables tables{};
    for (u32 i = 0; i < 256; ++i)
    {
        u32 crc = i;
        for (u32 bit = 0; bit < 8; ++bit)
            crc = crc >> 1 ^ ((crc & 1) != 0 ? 0xEDB88320u : 0u);
        tables[0][i] = crc;
    }
    for (u32 i = 0; i < 256; ++i)
        for (u32 t = 1; t < 8; ++t)
            tables[t][i] = tables[t - 1][i] >> 8 ^ tables[0][tables[t - 1][i] & 0xFF];
    return tables;
}
constexpr CrcTables kCrc = make_crc_tables();

// The checksum of a header, without its own field, and of the stored bytes after it.
u32 checksum(const u8* header, std::span<const u8> stored)
{
    return crc32(stored, crc32({header, kChecksumOffset}));
}

} // namespace

u32 crc32(std::span<const u8> bytes, u32 seed)
{
    u32 crc = ~seed;
    const u8* at = bytes.data();
    std::size_t left = bytes.size();
    for (; left >= 8; left -= 8, at += 8)
    {
        const u32 low = load_word(at) ^ crc;
        crc = kCrc[7][low & 0xFF] ^ kCrc[6][low >> 8 & 0xFF] ^ kCrc[5][low >> 16 & 0xFF] ^
              kCrc[4][low >> 24] ^ kCrc[3][at[4]] ^ kCrc[2][at[5]] ^ kCrc[1][at[6]] ^ kCrc[0][at[7]];
    }
    for (; left != 0; --left, ++at)
        crc = crc >> 8 ^ kCrc[0][(crc ^ *at) & 0xFF];
    return ~crc;
}

std::string chunk_name(ChunkId id)
{
    std::string name;
    for (u32 i = 0; i < 4; ++i)
    {
        const char letter = static_cast<char>(id >> (8 * i) & 0xFF);
        name += letter >= ' ' && letter <= '~' ? letter : '?';
    }
    return name;
}

void append_file_header(std::vector<u8>& file, const FileMagic& magic, u32 version)
{
    file.insert(file.end(), magic.begin(), magic.end());
    append_word(file, version);
    append_word(file, 0);
}

bool has_magic(std::span<const u8> file, const FileMagic& magic)
{
    return file.size() >= magic.size() && std::memcmp(file.data(), magic.data(), magic.size()) == 0;
}

Result<u32> read_file_header(std::span<const u8> file, const FileMagic& magic, const char* what)
{
    if (!has_magic(file, magic))
        return Error{"not a " + std::string(what) + " (it does not start with \"" +
                     std::string(magic.data(), magic.size()) + "\")"};
    if (file.size() < kFileHeaderBytes)
        return Error{"the header of the " + std::string(what) + " is truncated"};
    if (load_word(&file[12]) != 0)
        return Error{"the header of the " + std::string(what) + " is corrupt"};
    return load_word(&file[8]);
}

void append_chunk(std::vector<u8>& file, ChunkId id, std::span<const u8> content)
{
    const std::size_t header = file.size();
    const std::size_t bound = ZSTD_compressBound(content.size());
    file.resize(header + kChunkHeaderBytes + bound);
    u8* const stored = file.data() + header + kChunkHeaderBytes;
    std::size_t size =
        content.empty() ? 0 : ZSTD_compress(stored, bound, content.data(), content.size(), kCompressionLevel);
    const bool is_compressed = !content.empty() && ZSTD_isError(size) == 0 && size < content.size();
    if (!is_compressed)
    {
        size = content.size();
        std::copy(content.begin(), content.end(), stored);
    }
    file.resize(header + kChunkHeaderBytes + size);
    u8* const at = file.data() + header;
    store_word(at, id);
    store_word(at + 4, is_compressed ? kCompressed : 0);
    store_word(at + 8, static_cast<u32>(content.size()));
    store_word(at + 12, static_cast<u32>(size));
    store_word(at + kChecksumOffset, checksum(at, {at + kChunkHeaderBytes, size}));
}

ChunkReader::Next ChunkReader::next(Chunk& chunk)
{
    if (position_ >= file_.size())
        return Next::End;
    const std::span<const u8> rest = file_.subspan(position_);
    if (rest.size() < kChunkHeaderBytes)
        return Next::Truncated;
    const u32 flags = load_word(&rest[4]);
    const u32 stored = load_word(&rest[12]);
    chunk.id = load_word(&rest[0]);
    chunk.is_compressed = (flags & kCompressed) != 0;
    chunk.size = load_word(&rest[8]);
    chunk.offset = position_;
    const bool sizes_agree = chunk.is_compressed ? stored < chunk.size : stored == chunk.size;
    if ((flags & ~kCompressed) != 0 || chunk.size > kMaxChunkBytes || !sizes_agree)
        return Next::Corrupt;
    if (rest.size() - kChunkHeaderBytes < stored)
        return Next::Truncated;
    chunk.stored = rest.subspan(kChunkHeaderBytes, stored);
    if (load_word(&rest[kChecksumOffset]) != checksum(rest.data(), chunk.stored))
        return Next::Corrupt;
    position_ += kChunkHeaderBytes + stored;
    return Next::Chunk;
}

Result<std::span<const u8>> ChunkReader::content(const Chunk& chunk, std::vector<u8>& storage)
{
    if (!chunk.is_compressed)
        return chunk.stored;
    storage.resize(chunk.size);
    const std::size_t size =
        ZSTD_decompress(storage.data(), storage.size(), chunk.stored.data(), chunk.stored.size());
    if (ZSTD_isError(size) != 0 || size != chunk.size)
        return Error{"chunk " + chunk_name(chunk.id) + " at offset " + std::to_string(chunk.offset) +
                     " does not decompress"};
    return std::span<const u8>(storage);
}

} // namespace pica
