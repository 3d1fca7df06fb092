// SPDX-License-Identifier: MIT
#include "pica/command/snapshot.h"

#include "pica/base/bytes.h"
#include "pica/base/chunks.h"
#include "pica/command/snapshot_fields.h"
#include "pica/command/state_rules.h"
#include "pica/memory/guest_memory.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <optional>

namespace pica
{

namespace
{

constexpr FileMagic kMagic = {'P', 'I', 'C', 'A', 'V', 'K', 'S', 'T'};
constexpr const char* kWhat = "saved picavk state";
constexpr std::array<ChunkId, kSnapshotSections> kSectionIds = {
    chunk_id("EXTR"), chunk_id("REGS"), chunk_id("VSHU"), chunk_id("GSHU"), chunk_id("PORT"),
    chunk_id("LUTS"), chunk_id("PROC"), chunk_id("PRIM"), chunk_id("GEOM")};
constexpr ChunkId kRegions = chunk_id("REGN"), kPiece = chunk_id("MEMO"), kEnd = chunk_id("END ");
// Memory is saved in pieces of this size, counted from the start of a region.
constexpr u32 kPieceBytes = 1u << 20;
constexpr u32 kPieceHeader = 8; // region, offset

bool is_zero(std::span<const u8> bytes)
{
    return bytes.empty() ||
           (bytes[0] == 0 && std::memcmp(bytes.data(), bytes.data() + 1, bytes.size() - 1) == 0);
}

Error corrupt(const char* what)
{
    return Error{std::string("the ") + kWhat + " is corrupt: " + what};
}

Error corrupt_chunk(const ChunkReader::Chunk& chunk, const char* what)
{
    return corrupt(
        ("chunk " + chunk_name(chunk.id) + " at offset " + std::to_string(chunk.offset) + ": " + what)
            .c_str());
}

// A piece that the state contains.
struct Piece
{
    u32 region = 0;
    u32 offset = 0;
    ChunkReader::Chunk chunk;
};

struct Parsed
{
    GpuState state;
    std::vector<MemoryRange> regions;
    bool has_memory = false;
    std::vector<Piece> pieces; // by region and offset
};

Status read_regions(std::span<const u8> content, Parsed& parsed)
{
    if (content.size() < 8 || content.size() % 8 != 0 || content.size() > 8 * (kMaxRegions + 1) ||
        load_word(&content[0]) > 1 || load_word(&content[4]) != 0)
        return corrupt("the table of memory regions");
    parsed.has_memory = load_word(&content[0]) != 0;
    for (std::size_t at = 8; at < content.size(); at += 8)
    {
        const MemoryRange region{load_word(&content[at]), load_word(&content[at + 4])};
        // The rules of GuestMemory: regions do not overlap or wrap.
        bool fits = region.size != 0 && u64{region.base} + region.size <= u64{1} << 32;
        for (const MemoryRange& other : parsed.regions)
            fits = fits && (u64{region.base} + region.size <= other.base ||
                            u64{other.base} + other.size <= region.base);
        if (!fits)
            return corrupt("the table of memory regions");
        parsed.regions.push_back(region);
    }
    return {};
}

Status read_piece(const ChunkReader::Chunk& chunk, std::span<const u8> content, Parsed& parsed)
{
    if (!parsed.has_memory || content.size() <= kPieceHeader)
        return corrupt_chunk(chunk, "no such memory");
    const Piece piece{load_word(&content[0]), load_word(&content[4]), chunk};
    const std::size_t bytes = content.size() - kPieceHeader;
    const bool exists = piece.region < parsed.regions.size() && piece.offset % kPieceBytes == 0 &&
                        piece.offset < parsed.regions[piece.region].size &&
                        bytes == std::min<u64>(kPieceBytes, parsed.regions[piece.region].size - piece.offset);
    const bool in_order =
        parsed.pieces.empty() || parsed.pieces.back().region < piece.region ||
        (parsed.pieces.back().region == piece.region && parsed.pieces.back().offset < piece.offset);
    if (!exists || !in_order)
        return corrupt_chunk(chunk, "no such memory");
    parsed.pieces.push_back(piece);
    return {};
}

// Everything is checked here, memory included, so that what follows cannot fail.
Result<Parsed> parse(std::span<const u8> file)
{
    const Result<u32> version = read_file_header(file, kMagic, kWhat);
    if (!version)
        return version.error();
    if (*version < kFirstSnapshotVersion || *version > kSnapshotVersion)
        return Error{std::string("version ") + std::to_string(*version) + " of a " + kWhat +
                     " is not known (only " + std::to_string(kFirstSnapshotVersion) + " to " +
                     std::to_string(kSnapshotVersion) + " are)"};
    Parsed parsed;
    ChunkReader reader(file);
    ChunkReader::Chunk chunk;
    std::vector<u8> storage;
    u32 sections = 0;
    for (u32 number = 0;; ++number)
    {
        const std::size_t at = reader.position();
        switch (reader.next(chunk))
        {
        case ChunkReader::Next::End:
        case ChunkReader::Next::Truncated:
            return Error{std::string("the ") + kWhat + " is truncated at offset " + std::to_string(at)};
        case ChunkReader::Next::Corrupt:
            return corrupt_chunk({chunk.id, false, 0, {}, at}, "the checksum or a size is wrong");
        case ChunkReader::Next::Chunk:
            break;
        }
        const Result<std::span<const u8>> content = ChunkReader::content(chunk, storage);
        if (!content)
            return corrupt(content.error().message.c_str());
        // The order is fixed: regions, sections, memory, end.
        if (number == 0)
        {
            if (chunk.id != kRegions)
                return corrupt_chunk(chunk, "the table of memory regions is not first");
            if (Status status = read_regions(*content, parsed); !status)
                return status.error();
        }
        else if (sections < kSnapshotSections)
        {
            if (chunk.id != kSectionIds[sections])
                return corrupt_chunk(chunk, "another chunk belongs here");
            if (Status status =
                    read_fields(static_cast<SnapshotSection>(sections), *content, parsed.state, *version);
                !status)
                return corrupt_chunk(chunk, status.error().message.c_str());
            ++sections;
        }
        else if (chunk.id == kPiece)
        {
            if (Status status = read_piece(chunk, *content, parsed); !status)
                return status.error();
        }
        else if (chunk.id == kEnd)
        {
            // The chunk contains the number of chunks before it, so that none can be missing.
            if (content->size() != 4 || load_word(content->data()) != number ||
                reader.position() != file.size())
                return corrupt_chunk(chunk, "the state does not end here");
            if (Status status = check_state(parsed.state); !status)
                return corrupt(status.error().message.c_str());
            return parsed;
        }
        else
        {
            return corrupt_chunk(chunk, "another chunk belongs here");
        }
    }
}

std::vector<const Piece*> pieces_by_address(const Parsed& parsed)
{
    std::vector<const Piece*> pieces;
    for (const Piece& piece : parsed.pieces)
        pieces.push_back(&piece);
    const auto address = [&](const Piece* piece)
    { return parsed.regions[piece->region].base + piece->offset; };
    std::sort(pieces.begin(), pieces.end(),
              [&](const Piece* a, const Piece* b) { return address(a) < address(b); });
    return pieces;
}

Status check_regions(const Parsed& parsed, const GuestMemory& memory, SnapshotRegions how)
{
    const std::span<const MemoryRegion> regions = memory.regions();
    bool fits = how == SnapshotRegions::Inside || parsed.regions.size() == regions.size();
    for (std::size_t i = 0; fits && i < parsed.regions.size(); ++i)
    {
        const auto& [base, size] = parsed.regions[i];
        fits = how == SnapshotRegions::Inside ? memory.clamp_size(base, size) == size
                                              : base == regions[i].base && size == regions[i].bytes.size();
    }
    if (fits)
        return {};
    std::string text = std::string("the ") + kWhat + " is of other memory regions:";
    for (const auto& [base, size] : parsed.regions)
    {
        char region[48];
        std::snprintf(region, sizeof region, " 0x%08X, %u bytes;", base, size);
        text += region;
    }
    text.pop_back();
    return Error{text};
}

// Pages that do not change are not written: they stay as the host keeps them (untouched, shared, compressed),
// and their caches stay valid. content: the first bytes; the rest is 0.
void replace(Backend& backend, PhysAddr address, std::span<u8> to, std::span<const u8> content)
{
    const std::span<u8> rest = to.subspan(content.size());
    const bool content_equal = content.empty() || std::memcmp(to.data(), content.data(), content.size()) == 0;
    if (content_equal && is_zero(rest))
        return;
    std::copy(content.begin(), content.end(), to.begin());
    std::fill(rest.begin(), rest.end(), u8{0});
    backend.did_write(address, static_cast<u32>(to.size()));
}

void load_memory(Backend& backend, const Parsed& parsed)
{
    std::vector<u8> storage;
    for (const MemoryRegion& region : backend.memory().regions())
    {
        const u32 size = static_cast<u32>(region.bytes.size());
        backend.will_write(region.base, size);
        u32 done = 0;
        const auto zero_until = [&](u32 end)
        {
            for (; done < end; done += std::min(kPieceBytes, end - done))
                replace(backend, region.base + done,
                        region.bytes.subspan(done, std::min(kPieceBytes, end - done)), {});
        };
        for (const Piece* piece : pieces_by_address(parsed))
        {
            const u32 address = parsed.regions[piece->region].base + piece->offset;
            if (address < region.base || address - region.base >= size)
                continue;
            zero_until(address - region.base);
            // Cannot fail: it was decompressed once before.
            const auto content = ChunkReader::content(piece->chunk, storage);
            const std::span<const u8> bytes =
                content ? content->subspan(kPieceHeader) : std::span<const u8>();
            replace(backend, address, region.bytes.subspan(done, bytes.size()), bytes);
            done += static_cast<u32>(bytes.size());
        }
        zero_until(size);
    }
}

} // namespace

std::vector<u8> save_snapshot(Gpu& gpu, SnapshotMemory memory)
{
    Backend& backend = gpu.backend();
    const std::span<const MemoryRegion> regions = backend.memory().regions();
    for (const MemoryRegion& region : regions)
        backend.will_read(region.base, static_cast<u32>(region.bytes.size()));

    std::vector<u8> file, content;
    u32 chunks = 0;
    const auto add = [&](ChunkId id)
    {
        append_chunk(file, id, content);
        content.clear();
        ++chunks;
    };
    append_file_header(file, kMagic, kSnapshotVersion);
    append_word(content, memory == SnapshotMemory::Include ? 1 : 0);
    append_word(content, 0);
    for (const MemoryRegion& region : regions)
    {
        append_word(content, region.base);
        append_word(content, static_cast<u32>(region.bytes.size()));
    }
    add(kRegions);
    const GpuState state = gpu.state();
    for (u32 section = 0; section < kSnapshotSections; ++section)
    {
        content = write_fields(static_cast<SnapshotSection>(section), state);
        add(kSectionIds[section]);
    }
    for (u32 r = 0; r < regions.size() && memory == SnapshotMemory::Include; ++r)
    {
        for (std::size_t offset = 0; offset < regions[r].bytes.size(); offset += kPieceBytes)
        {
            const auto bytes = regions[r].bytes.subspan(
                offset, std::min<std::size_t>(kPieceBytes, regions[r].bytes.size() - offset));
            if (is_zero(bytes))
                continue;
            append_word(content, r);
            append_word(content, static_cast<u32>(offset));
            append_bytes(content, bytes);
            add(kPiece);
        }
    }
    append_word(content, chunks);
    add(kEnd);
    return file;
}

Status load_snapshot(Gpu& gpu, std::span<const u8> snapshot, SnapshotRegions regions)
{
    const Result<Parsed> parsed = parse(snapshot);
    if (!parsed)
        return parsed.error();
    if (Status status = check_regions(*parsed, gpu.backend().memory(), regions); !status)
        return status;
    if (parsed->has_memory)
        load_memory(gpu.backend(), *parsed);
    gpu.set_state(parsed->state);
    return {};
}

Result<std::vector<MemoryRange>> check_snapshot(std::span<const u8> snapshot)
{
    Result<Parsed> parsed = parse(snapshot);
    if (!parsed)
        return parsed.error();
    if (!parsed->has_memory)
        return Error{std::string("the ") + kWhat + " has no memory"};
    return std::move(parsed->regions);
}

} // namespace pica
