// SPDX-License-Identifier: MIT
#include "pica/trace/pvk_reader.h"

#include "pica/base/bytes.h"
#include "pica/command/snapshot.h"
#include "pica/trace/pvk_format.h"

#include <cstdio>

namespace pica
{

namespace
{

Error corrupt(std::size_t offset, const std::string& what)
{
    return Error{"the recording is corrupt: chunk at offset " + std::to_string(offset) + ": " + what};
}

// Reads the chunks of a file. The stream comes into being in `trace`.
class PvkReader
{
public:
    PvkReader(TraceContents& contents, u32 version) : trace_(contents), version_(version) {}
    Status read();

private:
    Status finish_state(std::vector<u8>& state);
    Status read_stream_chunk(std::span<const u8> content, std::size_t chunk);

    TraceContents& trace_;
    u32 version_;
};

Status PvkReader::read()
{
    ChunkReader reader(trace_.file);
    ChunkReader::Chunk chunk;
    std::vector<u8> state; // the pieces of a state so far
    for (u32 number = 0;; ++number)
    {
        const std::size_t offset = reader.position();
        const ChunkReader::Next next = reader.next(chunk);
        if (next == ChunkReader::Next::Corrupt)
            return corrupt(offset, "the checksum or a size is wrong");
        if (next != ChunkReader::Next::Chunk)
        {
            // The host ended before the recording did. An incomplete state is of no use.
            trace_.is_truncated = true;
            if (!state.empty() && !trace_.elements.empty())
                return {};
            if (!state.empty())
                (void)finish_state(state);
            if (trace_.elements.empty())
                return Error{"the recording ends inside its first state"};
            return {};
        }
        std::vector<u8> storage;
        const Result<std::span<const u8>> content = ChunkReader::content(chunk, storage);
        if (!content)
            return corrupt(offset, content.error().message);
        if (chunk.id == kStateChunk)
        {
            append_bytes(state, *content);
            continue;
        }
        if (!state.empty())
            if (const Status status = finish_state(state); !status)
                return corrupt(offset, status.error().message);
        if (trace_.elements.empty())
            return corrupt(offset, "the recording does not begin with a state");
        if (chunk.id == kEndChunk)
        {
            if (content->size() != 4 || load_word(content->data()) != number ||
                reader.position() != trace_.file.size())
                return corrupt(offset, "the recording does not end here");
            return {};
        }
        if (chunk.id != kStreamChunk)
            return corrupt(offset, "unknown chunk " + chunk_name(chunk.id));
        // Elements point into the file or into the decompressed content.
        std::span<const u8> bytes = *content;
        if (chunk.is_compressed)
        {
            trace_.chunks.push_back(std::move(storage));
            bytes = trace_.chunks.back();
        }
        if (const Status status = read_stream_chunk(bytes, offset); !status)
            return status;
    }
}

// Called when all pieces are there.
Status PvkReader::finish_state(std::vector<u8>& state)
{
    Result<std::vector<MemoryRange>> regions = check_snapshot(state);
    if (!regions)
        return regions.error();
    u64 bytes = 0;
    for (const MemoryRange& region : *regions)
    {
        bytes += region.size;
        if (version_ > 1 || is_version_1_memory(region.base, region.size))
            continue;
        char text[112];
        std::snprintf(text, sizeof text, "memory region 0x%08X, %u bytes, is not in a recording of version 1",
                      region.base, region.size);
        return Error{text};
    }
    if (bytes > kMaxPvkMemory)
        return Error{"its memory regions have " + std::to_string(bytes) + " bytes (at most " +
                     std::to_string(kMaxPvkMemory) + ")"};
    if (!trace_.elements.empty() && *regions != trace_.memory)
        return Error{"a later state has other memory regions"};
    trace_.memory = std::move(*regions);
    trace_.chunks.push_back(std::move(state));
    state.clear();
    TraceElement element;
    element.kind = TraceElementKind::State;
    element.data = trace_.chunks.back();
    trace_.elements.push_back(element);
    return {};
}

Status PvkReader::read_stream_chunk(std::span<const u8> content, std::size_t chunk)
{
    PvkElementReader reader(content);
    PvkElement recorded;
    while (reader.next(recorded))
    {
        TraceElement element;
        element.address = recorded.address;
        element.data = recorded.data;
        switch (recorded.kind)
        {
        case PvkElementKind::RegisterWrite:
            element.kind = TraceElementKind::RegisterWrite;
            element.value = recorded.value;
            element.byte_mask = static_cast<u8>(recorded.byte_mask);
            break;
        case PvkElementKind::MemoryLoad:
            element.kind = TraceElementKind::MemoryLoad;
            if (!trace_.has_memory(element.address, element.data.size()))
                return corrupt(chunk, "a memory load is outside its memory regions");
            break;
        case PvkElementKind::FrameMarker:
            element.kind = TraceElementKind::FrameMarker;
            ++trace_.frames;
            break;
        case PvkElementKind::Comment:
            element.kind = TraceElementKind::Comment;
            break;
        }
        trace_.elements.push_back(element);
    }
    if (reader.failed())
        return corrupt(chunk, "an element is none");
    return {};
}

} // namespace

Result<TraceContents> read_pvk(std::vector<u8> file)
{
    const Result<u32> version = read_file_header(file, kPvkMagic, "recording");
    if (!version)
        return version.error();
    if (*version == 0 || *version > kPvkVersion)
        return Error{"version " + std::to_string(*version) + " of a recording is not known (only 1 to " +
                     std::to_string(kPvkVersion) + " are)"};
    TraceContents trace;
    trace.file = std::move(file);
    trace.format = TraceFormat::Pvk;
    if (const Status status = PvkReader(trace, *version).read(); !status)
        return status.error();
    return trace;
}

} // namespace pica
