// SPDX-License-Identifier: MIT
#include "tests/support/hosts/context_player.h"
#include "tests/support/message_of.h"

#include "pica/command/gpu.h"
#include "pica/command/null_backend.h"
#include "pica/command/snapshot.h"
#include "pica/memory/guest_arena.h"
#include "pica/trace/player.h"

#include <doctest/doctest.h>

#include <cstring>
#include <iterator>

namespace tests
{

namespace
{

pica::Trace load(const std::string& name)
{
    auto trace = pica::Trace::load(std::string(PICAVK_SOURCE_DIR) + "/samples/streams/" + name + ".ctf");
    REQUIRE_MESSAGE(trace, name);
    return std::move(*trace);
}

} // namespace

ContextPlayer::ContextPlayer(const std::string& name, renderer::ContextOptions options, HostModel model)
    : trace_(load(name)), model_(model)
{
    constexpr pica::MemoryRange kRanges[] = {{pica::kVramBase, 6u << 20}, {pica::kFcramBase, 9u << 20}};
    if (has_faults())
    {
        faulting = std::make_unique<ProtectedMemory>(
            std::vector<pica::MemoryRange>(std::begin(kRanges), std::end(kRanges)),
            ProtectedMemory::Announcements{
                [&](pica::MemoryRange page) { context->will_read(page.base, page.size); },
                [&](pica::MemoryRange page) { context->mark_written(page.base, page.size); }},
            model == HostModel::FaultsOf16KiB ? 0x4000 : pica::kPageSize);
        options.on_page_access = [&](pica::PhysAddr address, u32 bytes, pica::PageAccess access)
        { faulting->protect(address, bytes, access); };
        regions_ = faulting->regions();
    }
    else
    {
        vram.resize(kRanges[0].size);
        fcram.resize(kRanges[1].size);
        regions_ = {{pica::kVramBase, vram}, {pica::kFcramBase, fcram}};
    }
    options.regions = regions_;
    auto made = renderer::Context::create(std::move(options), report);
    REQUIRE_MESSAGE(made, message_of(made));
    context = std::move(*made);
    load_recorded_state();
}

ContextPlayer::~ContextPlayer() = default;

// A stream may begin in the middle of a program. Its state becomes a saved state without memory.
void ContextPlayer::load_recorded_state()
{
    std::vector<pica::MemoryRange> ranges;
    for (const pica::MemoryRegion& region : regions_)
        ranges.push_back({region.base, static_cast<u32>(region.bytes.size())});
    pica::GuestArena arena(ranges);
    pica::NullBackend backend(arena.memory());
    pica::Gpu gpu(backend, report);
    const pica::TracePlayer player(trace_, gpu);
    const pica::Status loaded = context->load_state(pica::save_snapshot(gpu, pica::SnapshotMemory::LeaveOut));
    REQUIRE_MESSAGE(loaded, message_of(loaded));
}

void ContextPlayer::flush_all()
{
    for (const pica::MemoryRegion& region : regions_)
        context->may_have_written(region.base, static_cast<u32>(region.bytes.size()));
}

void ContextPlayer::cpu_write(pica::PhysAddr address, std::span<const u8> bytes)
{
    const auto size = static_cast<u32>(bytes.size());
    if (has_faults())
    {
        std::memcpy(faulting->cpu(address), bytes.data(), size);
        return;
    }
    const bool in_fcram = address >= pica::kFcramBase;
    std::vector<u8>& memory = in_fcram ? fcram : vram;
    const u32 at = address - (in_fcram ? pica::kFcramBase : pica::kVramBase);
    REQUIRE(at + size <= memory.size());
    if (model_ == HostModel::BeforeAndAfter)
        context->will_write(address, size);
    std::memcpy(memory.data() + at, bytes.data(), size);
    if (model_ == HostModel::BeforeAndAfter)
        context->did_write(address, size);
    else
        flush_all();
}

std::vector<u8> ContextPlayer::memory()
{
    std::vector<u8> bytes;
    for (const pica::MemoryRegion& region : regions_)
    {
        context->will_read(region.base, static_cast<u32>(region.bytes.size()));
        bytes.insert(bytes.end(), region.bytes.begin(), region.bytes.end());
    }
    return bytes;
}

bool ContextPlayer::frame()
{
    while (position_ < trace_.elements().size())
    {
        const pica::TraceElement& element = trace_.elements()[position_++];
        const u32 shift = (element.address & 3) * 8;
        switch (element.kind)
        {
        case pica::TraceElementKind::MemoryLoad:
            cpu_write(element.address, element.data);
            break;
        case pica::TraceElementKind::FrameMarker:
            if (model_ == HostModel::Flushes)
                flush_all();
            context->end_frame();
            return true;
        case pica::TraceElementKind::RegisterWrite:
            context->write_register(element.address & ~3u, static_cast<u32>(element.value) << shift,
                                    element.width < 4 ? ((1u << element.width) - 1) << (element.address & 3)
                                                      : 0xFu);
            if (element.width == 8)
                context->write_register((element.address & ~3u) + 4, static_cast<u32>(element.value >> 32));
            break;
        case pica::TraceElementKind::State: // only in recordings of the project's own; here streams are
                                            // played
        case pica::TraceElementKind::Comment:
            break;
        }
    }
    return false;
}

std::vector<u32> ContextPlayer::screen(pica::Screen screen)
{
    std::vector<u32> words(context->screen_size(screen).pixels());
    REQUIRE(context->read_screen(screen, words));
    return words;
}

} // namespace tests
