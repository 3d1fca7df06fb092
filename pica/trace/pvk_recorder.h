// SPDX-License-Identifier: MIT
// Records what enters a Gpu as a stream that plays back to the same bytes (FORMAT.md). It keeps a copy of the
// part of guest memory that is not zero, and at most one chunk. Tests: tests/pica/pvk_test.cpp,
// tests/api/pvk_recorder_test.cpp.
#pragma once

#include "pica/base/chunks.h"
#include "pica/base/result.h"
#include "pica/memory/guest_memory.h"
#include "pica/trace/shadow_memory.h"

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pica
{

class Gpu;
class LiveBackend;

class PvkRecorder
{
public:
    // Receives the file piece by piece. Returns false if it cannot keep a piece, which ends the recording.
    using Sink = std::function<bool(std::span<const u8>)>;

    // Starts recording, also in the middle of a frame or list. `live` is the backend of `gpu`; both must
    // outlive the recorder, which sets the hooks of both. Waits for the device once.
    PvkRecorder(Gpu& gpu, LiveBackend& live, Sink sink);
    // Error: guest memory is larger than kMaxPvkMemory.
    static Status can_record(const GuestMemory& memory);
    // Errors: as above, or the file cannot be made or written.
    static Result<std::unique_ptr<PvkRecorder>> to_file(const std::string& path, Gpu& gpu, LiveBackend& live);
    ~PvkRecorder();
    PvkRecorder(const PvkRecorder&) = delete;
    PvkRecorder& operator=(const PvkRecorder&) = delete;

    void comment(std::string_view text);
    // The Gpu's state was replaced, memory included (a saved state was loaded).
    void state_replaced();
    // If pages are watched (PageTracker): asks to hear of the CPU's next write to every page. Call it after
    // each call of the Gpu or the backend.
    void watch() { shadow_.watch(); }
    // Writes what is left and removes its hooks. Error: the sink failed, now or earlier.
    Status stop();

private:
    void register_write(PhysAddr address, u32 value, u32 byte_mask);
    void write_state();
    void write_memory();
    void close_chunk();
    void put(ChunkId id, std::span<const u8> content);
    void deliver(std::span<const u8> bytes);

    Gpu& gpu_;
    LiveBackend& live_;
    Sink sink_;
    // Closes the file, because some systems report lost bytes only then; may be empty.
    std::function<bool()> close_;
    ShadowMemory shadow_;
    std::vector<u8> content_; // of the chunk that is being filled
    std::vector<u8> file_;    // the next piece for the sink
    u32 chunks_ = 0;
    bool is_recording_ = true;
    bool has_failed_ = false;
};

} // namespace pica
