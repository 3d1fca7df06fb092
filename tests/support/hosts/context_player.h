// SPDX-License-Identifier: MIT
// ContextPlayer: an embedder for tests. It owns guest memory and plays a bundled stream through the public Context. The
// stream's memory loads are what the guest's CPU writes.
#pragma once

#include "pica/trace/trace.h"
#include "renderer/embed/context.h"
#include "tests/support/hosts/protected_memory.h"
#include "tests/support/kept_report.h"

#include <memory>
#include <string>
#include <vector>

namespace tests
{

using pica::u32;
using pica::u8;

// How a host announces what the guest's CPU writes.
enum class HostModel : u8
{
    BeforeAndAfter, // will_write before each write, did_write after it
    Flushes,        // may_have_written for all of memory, after the writes and in between
    Faults,         // page faults: mark_written, and will_read where the device has newer bytes
    FaultsOf16KiB,  // the same, on a system whose pages have 16 KiB
};

class ContextPlayer
{
public:
    // name: a stream of samples/streams, without its ending. The constructor sets the memory regions of `options`, and
    // on_page_access where there are page faults. The test fails if the context cannot be made.
    ContextPlayer(const std::string& name, renderer::ContextOptions options,
                  HostModel model = HostModel::BeforeAndAfter);
    ~ContextPlayer();

    KeptReport report;
    // Guest memory, initially 0. With page faults only its regions count.
    std::vector<u8> vram, fcram;
    std::unique_ptr<ProtectedMemory> faulting; // where there are page faults
    std::unique_ptr<renderer::Context> context;

    // Plays to the next frame marker, including its end_frame. Returns false at the end of the stream.
    bool frame();
    // Plays from the first element again, without the recorded state.
    void rewind() { position_ = 0; }
    std::vector<u32> screen(pica::Screen screen);

    // Announces that the CPU may have written anywhere.
    void flush_all();
    // All of guest memory, with the newest bytes.
    std::vector<u8> memory();

private:
    bool has_faults() const { return model_ == HostModel::Faults || model_ == HostModel::FaultsOf16KiB; }
    void load_recorded_state();
    void cpu_write(pica::PhysAddr address, std::span<const u8> bytes);

    pica::Trace trace_;
    HostModel model_;
    std::vector<pica::MemoryRegion> regions_;
    std::size_t position_ = 0;
};

} // namespace tests
