// SPDX-License-Identifier: MIT
#include "pica/trace/pvk_recorder.h"

#include "pica/base/bytes.h"
#include "pica/command/gpu.h"
#include "pica/command/live_backend.h"
#include "pica/command/snapshot.h"
#include "pica/trace/pvk_format.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <utility>

namespace pica
{

namespace
{

// A chunk is closed at a frame marker, or when it has reached this size.
constexpr std::size_t kChunkBytes = 1u << 20;

// A write to any other register only stores a word, which is not read until one of these is written.
bool may_use_memory(PhysAddr address)
{
    return (address >= kP3dWindowBase && address - kP3dWindowBase < kRegisterCount * 4) ||
           address == ext::PSC_CONTROL::ids[0] || address == ext::PSC_CONTROL::ids[1] ||
           address == ext::PPF_CONTROL::id;
}

struct OutputFile
{
    explicit OutputFile(const std::string& path) : stream(std::fopen(path.c_str(), "wb")) {}
    ~OutputFile() { (void)close(); }
    OutputFile(const OutputFile&) = delete;
    OutputFile& operator=(const OutputFile&) = delete;

    // Passes every piece to the system at once, so that it is not lost if this program ends suddenly.
    bool write(std::span<const u8> bytes)
    {
        return std::fwrite(bytes.data(), 1, bytes.size(), stream) == bytes.size() && std::fflush(stream) == 0;
    }
    bool close()
    {
        std::FILE* const open = std::exchange(stream, nullptr);
        return open == nullptr || std::fclose(open) == 0;
    }

    std::FILE* stream;
};

} // namespace

PvkRecorder::PvkRecorder(Gpu& gpu, LiveBackend& live, Sink sink)
    : gpu_(gpu), live_(live), sink_(std::move(sink)), shadow_(live.memory())
{
    bool is_version_1 = true;
    for (const MemoryRegion& region : live.memory().regions())
        is_version_1 &= is_version_1_memory(region.base, region.bytes.size());
    append_file_header(file_, kPvkMagic, is_version_1 ? 1 : kPvkVersion);
    deliver(file_);
    write_state();
    GpuHooks hooks;
    hooks.register_write = [this](PhysAddr address, u32 value, u32 byte_mask)
    { register_write(address, value, byte_mask); };
    hooks.cpu_write = [this](PhysAddr address, u32 size) { shadow_.cpu_wrote(address, size); };
    hooks.frame_end = [this]
    {
        write_memory();
        append_frame_marker(content_);
        close_chunk();
    };
    gpu_.set_hooks(std::move(hooks));
    live_.set_write_hook([this](const WrittenRange& range)
                         { shadow_.gpu_writes(range.bytes.begin, range.bytes.size); });
}

Status PvkRecorder::can_record(const GuestMemory& memory)
{
    u64 bytes = 0;
    for (const MemoryRegion& region : memory.regions())
        bytes += region.bytes.size();
    if (bytes > kMaxPvkMemory)
        return Error{"a recording holds " + std::to_string(kMaxPvkMemory) +
                     " bytes of guest memory at most; these regions have " + std::to_string(bytes)};
    return {};
}

Result<std::unique_ptr<PvkRecorder>> PvkRecorder::to_file(const std::string& path, Gpu& gpu,
                                                          LiveBackend& live)
{
    if (Status status = can_record(live.memory()); !status)
        return status.error();
    const auto file = std::make_shared<OutputFile>(path);
    if (file->stream == nullptr)
        return Error{path + ": " + std::strerror(errno)};
    auto recorder = std::make_unique<PvkRecorder>(
        gpu, live, [file](std::span<const u8> bytes) { return file->write(bytes); });
    recorder->close_ = [file] { return file->close(); };
    if (recorder->has_failed_)
        return Error{path + ": cannot be written"};
    return recorder;
}

PvkRecorder::~PvkRecorder()
{
    (void)stop();
}

void PvkRecorder::register_write(PhysAddr address, u32 value, u32 byte_mask)
{
    if (!ExternalRegisters::contains(address))
        return; // a mistake of the guest, without effect
    if (may_use_memory(address))
        write_memory();
    append_register_write(content_, address, value, byte_mask);
    if (content_.size() >= kChunkBytes)
        close_chunk();
}

void PvkRecorder::comment(std::string_view text)
{
    if (!is_recording_)
        return;
    write_memory();
    append_comment(content_, text.substr(0, kChunkBytes));
    if (content_.size() >= kChunkBytes)
        close_chunk();
}

void PvkRecorder::state_replaced()
{
    if (!is_recording_)
        return;
    write_memory();
    close_chunk();
    write_state();
}

void PvkRecorder::write_state()
{
    const std::vector<u8> state = save_snapshot(gpu_, SnapshotMemory::Include);
    const std::span<const u8> bytes(state);
    for (std::size_t done = 0; done < bytes.size(); done += kChunkBytes)
        put(kStateChunk, bytes.subspan(done, std::min(kChunkBytes, bytes.size() - done)));
    shadow_.take_all();
}

void PvkRecorder::write_memory()
{
    if (!shadow_.has_changes())
        return;
    shadow_.tell_changes(
        [&](PhysAddr address, std::span<const u8> bytes)
        {
            for (std::size_t done = 0; done < bytes.size();)
            {
                const std::size_t size = std::min(kChunkBytes, bytes.size() - done);
                append_memory_load(content_, address + static_cast<u32>(done), bytes.subspan(done, size));
                done += size;
                if (content_.size() >= kChunkBytes)
                    close_chunk();
            }
        });
}

void PvkRecorder::close_chunk()
{
    if (!content_.empty())
        put(kStreamChunk, content_);
    content_.clear();
}

void PvkRecorder::put(ChunkId id, std::span<const u8> content)
{
    file_.clear();
    append_chunk(file_, id, content);
    deliver(file_);
    ++chunks_;
}

void PvkRecorder::deliver(std::span<const u8> bytes)
{
    has_failed_ = has_failed_ || !sink_(bytes);
}

Status PvkRecorder::stop()
{
    if (is_recording_)
    {
        write_memory();
        close_chunk();
        std::vector<u8> end;
        append_word(end, chunks_);
        put(kEndChunk, end);
        is_recording_ = false;
        gpu_.set_hooks({});
        live_.set_write_hook({});
        sink_ = {};
        if (close_ && !close_())
            has_failed_ = true;
    }
    if (has_failed_)
        return Error{"the recording could not be written: it ends with the last piece that was"};
    return {};
}

} // namespace pica
