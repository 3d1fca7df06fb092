// SPDX-License-Identifier: MIT
// make_3dsx FIRST.elf SECOND.elf OUT.3dsx: turns a program into the format of homebrew loaders. The two files are the same
// program linked at two addresses (console.ld): words that differ are addresses, so no relocation entries are read.
#include "pica/base/bytes.h"
#include "pica/base/result.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace
{

using namespace pica;

constexpr u32 kPage = 0x1000;
constexpr u32 kSegments = 3; // code, constants, variables

struct Segment
{
    u32 address = 0, file_bytes = 0, memory_bytes = 0, flags = 0;
    std::vector<u8> bytes; // padded to words
};
using Segments = std::array<Segment, kSegments>;

u32 half(const u8* at)
{
    return u32{at[0]} | u32{at[1]} << 8;
}

Result<Segments> read_elf(const std::string& path)
{
    std::ifstream stream(path, std::ios::binary);
    const std::vector<char> text{std::istreambuf_iterator<char>(stream), {}};
    const std::vector<u8> file(text.begin(), text.end());
    const u8* data = file.data();
    if (file.size() < 52 || load_word(data) != 0x464C457F || half(data + 18) != 40)
        return Error{path + " is no ELF file for Arm"};
    Segments segments;
    u32 found = 0;
    for (u32 i = 0; i < half(data + 44); ++i)
    {
        const u64 at = u64{load_word(data + 28)} + u64{i} * half(data + 42);
        if (at + 32 > file.size())
            return Error{path + " is cut off"};
        if (load_word(data + at) != 1) // PT_LOAD
            continue;
        if (found == kSegments)
            return Error{path + " has more than three segments"};
        Segment& segment = segments[found];
        const u64 offset = load_word(data + at + 4);
        segment.address = load_word(data + at + 8);
        segment.file_bytes = load_word(data + at + 16);
        segment.memory_bytes = load_word(data + at + 20);
        segment.flags = load_word(data + at + 24);
        if (offset + segment.file_bytes > file.size() || segment.file_bytes % 4 != 0 ||
            segment.memory_bytes % 4 != 0 || segment.address % kPage != 0)
            return Error{path + ": a segment is not where a loader could put it"};
        segment.bytes.assign(data + offset, data + offset + segment.file_bytes);
        ++found;
    }
    constexpr u32 kFlags[kSegments] = {5, 4, 6};
    for (u32 i = 0; i < kSegments; ++i)
        if (found != kSegments || segments[i].flags != kFlags[i])
            return Error{path + " has not the segments code, constants and variables"};
    if (load_word(data + 24) != segments[0].address)
        return Error{path + " does not begin with its entry"};
    return segments;
}

// Words of a segment that hold addresses become offsets in the image. Appends entries (words to skip, words to change).
Status relocate(Segment& first, const Segment& second, u32 base, u32 distance, std::vector<u8>& entries)
{
    u32 skip = 0, patch = 0;
    const auto put = [&]
    {
        for (; skip > 0xFFFF; skip -= 0xFFFF)
            append_word(entries, 0xFFFF);
        if (patch != 0)
            append_word(entries, skip | patch << 16);
        skip = patch = 0;
    };
    for (u32 at = 0; at < first.bytes.size(); at += 4)
    {
        const u32 word = load_word(&first.bytes[at]), other = load_word(&second.bytes[at]);
        if (word == other)
        {
            if (patch != 0)
                put();
            ++skip;
            continue;
        }
        if (other - word != distance)
            return Error{"a word depends on the address in another way than by adding it"};
        store_word(&first.bytes[at], word - base);
        if (++patch == 0xFFFF)
            put();
    }
    put();
    return {};
}

Result<std::vector<u8>> convert(Segments first, const Segments& second)
{
    const u32 base = first[0].address, distance = second[0].address - base;
    std::array<std::vector<u8>, kSegments> entries;
    u32 next = base;
    for (u32 i = 0; i < kSegments; ++i)
    {
        if (first[i].address != next || second[i].address != next + distance ||
            first[i].bytes.size() != second[i].bytes.size())
            return Error{"the two programs are not the same"};
        next += (first[i].memory_bytes + kPage - 1) / kPage * kPage;
        if (const Status status = relocate(first[i], second[i], base, distance, entries[i]); !status)
            return status.error();
    }
    const u32 bss = first[2].memory_bytes - first[2].file_bytes;
    std::vector<u8> out;
    for (const u32 word : {0x58534433u, 0x00080020u, 0u, 0u, first[0].file_bytes, first[1].file_bytes,
                           first[2].memory_bytes, bss})
        append_word(out, word);
    for (const std::vector<u8>& table : entries)
    {
        append_word(out, static_cast<u32>(table.size() / 4));
        append_word(out, 0); // none is relative to its place
    }
    for (const Segment& segment : first)
        append_bytes(out, segment.bytes);
    for (const std::vector<u8>& table : entries)
        append_bytes(out, table);
    return out;
}

int fail(const std::string& why)
{
    std::fprintf(stderr, "make_3dsx: %s\n", why.c_str());
    return 1;
}

} // namespace

int main(int argc, char** argv)
{
    if (argc != 4)
        return fail("give two programs and the file to write");
    const Result<Segments> first = read_elf(argv[1]), second = read_elf(argv[2]);
    if (!first || !second)
        return fail((first ? second : first).error().message);
    const Result<std::vector<u8>> file = convert(*first, *second);
    if (!file)
        return fail(file.error().message);
    std::ofstream stream(argv[3], std::ios::binary);
    stream.write(reinterpret_cast<const char*>(file->data()), static_cast<std::streamsize>(file->size()));
    return stream.flush() ? 0 : fail(std::string("cannot write ") + argv[3]);
}
