// SPDX-License-Identifier: MIT
#include "renderer/cache/cache_record.h"

#include "pica/base/bytes.h"
#include "pica/base/chunks.h"

#include <algorithm>
#include <cstdio>

namespace renderer
{

using pica::Error;
using pica::Result;
using pica::u32;
using pica::u64;
using pica::u8;

namespace
{

constexpr pica::FileMagic kMagic = {'P', 'I', 'C', 'A', 'V', 'K', 'C', 'R'};
constexpr u32 kVersion = 1;
constexpr pica::ChunkId kKey = pica::chunk_id("KEY ");
constexpr pica::ChunkId kContent = pica::chunk_id("DATA");
constexpr std::size_t kChecksumBytes = 8;

u64 load_u64(const u8* at)
{
    return u64{pica::load_word(at)} | u64{pica::load_word(at + 4)} << 32;
}

std::vector<u8> key_chunk(std::string_view kind, std::span<const u8> key)
{
    std::vector<u8> bytes(kind.begin(), kind.end());
    bytes.push_back(0);
    pica::append_bytes(bytes, key);
    return bytes;
}

// Reads the next chunk, which must be of this kind.
Result<std::vector<u8>> read_chunk(pica::ChunkReader& reader, pica::ChunkId id)
{
    pica::ChunkReader::Chunk chunk;
    if (reader.next(chunk) != pica::ChunkReader::Next::Chunk || chunk.id != id)
        return Error{"a chunk is missing"};
    std::vector<u8> storage;
    const auto content = pica::ChunkReader::content(chunk, storage);
    if (!content)
        return content.error();
    return std::vector<u8>(content->begin(), content->end());
}

} // namespace

u64 cache_checksum(std::span<const u8> bytes, u64 seed)
{
    // Each step is a bijection of the state and of the eight bytes, so that no single one of them can change
    // without changing the result.
    const auto mix = [](u64 hash, u64 word)
    {
        hash = (hash ^ word) * 0x9E3779B97F4A7C15u;
        return hash ^ hash >> 32;
    };
    u64 hash = mix(seed, bytes.size());
    std::size_t at = 0;
    for (; at + 8 <= bytes.size(); at += 8)
        hash = mix(hash, load_u64(&bytes[at]));
    u64 rest = 0;
    for (u32 shift = 0; at < bytes.size(); ++at, shift += 8)
        rest |= u64{bytes[at]} << shift;
    return mix(mix(hash, rest), 0x2545F4914F6CDD1Du);
}

std::string record_name(std::string_view kind, std::span<const u8> key)
{
    char digits[40];
    std::snprintf(digits, sizeof digits, "-%016llx%016llx",
                  static_cast<unsigned long long>(cache_checksum(key, 1)),
                  static_cast<unsigned long long>(cache_checksum(key, 2)));
    return std::string(kind) + digits;
}

std::vector<u8> seal_record(std::string_view kind, std::span<const u8> key, std::span<const u8> content)
{
    std::vector<u8> record;
    if (key.size() + kind.size() >= pica::kMaxChunkBytes || content.size() > pica::kMaxChunkBytes)
        return record;
    pica::append_file_header(record, kMagic, kVersion);
    pica::append_chunk(record, kKey, key_chunk(kind, key));
    pica::append_chunk(record, kContent, content);
    const u64 checksum = cache_checksum(record);
    pica::append_word(record, static_cast<u32>(checksum));
    pica::append_word(record, static_cast<u32>(checksum >> 32));
    return record;
}

Result<std::vector<u8>> open_record(std::span<const u8> record, std::string_view kind,
                                    std::span<const u8> key)
{
    if (record.size() < pica::kFileHeaderBytes + kChecksumBytes)
        return Error{"it is too short"};
    const std::span<const u8> body = record.first(record.size() - kChecksumBytes);
    if (cache_checksum(body) != load_u64(record.data() + body.size()))
        return Error{"its checksum is wrong"};
    const Result<u32> version = pica::read_file_header(body, kMagic, "a cache record");
    if (!version)
        return version.error();
    if (*version != kVersion)
        return Error{"it is of another version"};
    pica::ChunkReader reader(body);
    const auto found = read_chunk(reader, kKey);
    if (!found)
        return found.error();
    if (*found != key_chunk(kind, key))
        return Error{"it belongs to another key"};
    return read_chunk(reader, kContent);
}

} // namespace renderer
