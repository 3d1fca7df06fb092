// SPDX-License-Identifier: MIT
// The functions of the interface that take a range, with ranges that begin outside of every region, span
// several, or hold all of memory. Every backend leaves the bytes of the software core, and recordings contain
// them all. Bytes are compared only after will_read has named them. What the GPU does with such ranges:
// tests/conformance/ranges.cpp.
#include "pica/base/float24.h"
#include "pica/command/gpu.h"
#include "pica/memory/guest_arena.h"
#include "pica/regs/external.h"
#include "pica/soft/software_core.h"
#include "pica/trace/player.h"
#include "renderer/picavk.hpp"
#include "tests/support/message_of.h"
#include "tests/support/scenes/byte_vertices.h"
#include "tests/support/scenes/plain_state.h"
#include "tests/support/seeds.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <vector>

using namespace tests;

namespace
{

// Neighbours on both sides of a border, gaps, a region that ends within a page, and the last bytes of all.
constexpr MemoryRange kRegions[] = {{kVramBase, 0x10000},           {kVramBase + 0x10000, 0x5800},
                                    {kFcramBase - 0x3000, 0x3000},  {kFcramBase, 0x10000},
                                    {kFcramBase + 0x12000, 0x3000}, {0xFFFFC000, 0x4000}};
constexpr PhysAddr kList = kFcramBase + 0x8000;

struct AddressRange
{
    PhysAddr address;
    u32 bytes;
};

// A context, and the memory of its guest.
struct Host
{
    std::vector<std::vector<u8>> memory;
    std::vector<PicavkRegion> regions;
    picavk::Context context;
    std::vector<u8> recording;

    explicit Host(picavk::Backend backend)
    {
        for (const MemoryRange& region : kRegions)
            memory.emplace_back(region.size);
        picavk::Options options;
        options.backend = backend;
        for (std::size_t i = 0; i < memory.size(); ++i)
            regions.push_back({kRegions[i].base, kRegions[i].size, memory[i].data()});
        options.regions = regions;
        options.pipelines = picavk::Pipelines::AtOnce;
        options.vulkan_validation = backend != picavk::Backend::Software;
        auto [made, status] = picavk::Context::create(std::move(options));
        const std::string& why = status.message;
        REQUIRE_MESSAGE(status, why);
        context = std::move(made);
    }
    // visit(bytes) for what of a range is memory.
    template <typename Visit>
    void for_each_part(AddressRange range, Visit visit)
    {
        for (std::size_t i = 0; i < memory.size(); ++i)
        {
            const AddressSpan part = shared_span(range.address, range.bytes, kRegions[i].base,
                                                 u64{kRegions[i].base} + kRegions[i].size);
            if (!part.empty())
                visit(std::span(memory[i]).subspan(part.begin - kRegions[i].base, part.size()));
        }
    }
    std::vector<u8> read(AddressRange range)
    {
        CHECK(context.will_read(range.address, range.bytes));
        std::vector<u8> bytes;
        for_each_part(range,
                      [&](std::span<u8> part) { bytes.insert(bytes.end(), part.begin(), part.end()); });
        return bytes;
    }
    void start_recording()
    {
        recording.clear();
        const auto keep = [](void* user, const void* bytes, size_t size)
        {
            std::vector<u8>& file = static_cast<Host*>(user)->recording;
            file.insert(file.end(), static_cast<const u8*>(bytes), static_cast<const u8*>(bytes) + size);
            return 1;
        };
        REQUIRE(picavk_trace_start_sink(context.handle(), keep, this) == PICAVK_OK);
    }
};

PhysAddr edge_address(Random& random, u32 alignment)
{
    const MemoryRange& region = kRegions[random.below(u32(std::size(kRegions)))];
    const s32 distance = random.pick({0, random.between(-64, 64), random.between(-0x2000, 0x2000)});
    return (region.base + (random.chance(1, 2) ? region.size : 0u) + u32(distance)) / alignment * alignment;
}

AddressRange random_range(Random& random)
{
    if (random.chance(1, 10))
        return random.pick<AddressRange>({{0, 0xFFFFFFFF},
                                          {0, 0x18004000},
                                          {kVramBase - 0x1000, 0x08002000},
                                          {kVramBase + 0x8000, 0xFFFFFFFF},
                                          {0xFFFFFFFF, 0xFFFFFFFF},
                                          {kVramBase, 0}});
    return {edge_address(random, 1), 1 + random.below(random.pick({0x10u, 0x400u, 0x4000u}))};
}

using Hosts = std::vector<std::unique_ptr<Host>>;

template <typename Action>
void each(Hosts& hosts, Action action)
{
    for (const auto& host : hosts)
    {
        const picavk::Status status = action(host->context);
        CHECK_MESSAGE(status, status.message);
    }
}

void compare(Hosts& hosts, AddressRange range)
{
    CAPTURE(range.address);
    CAPTURE(range.bytes);
    const std::vector<u8> expected = hosts[0]->read(range);
    for (std::size_t i = 1; i < hosts.size(); ++i)
        CHECK(hosts[i]->read(range) == expected);
}

// The same bytes for each; the announced range may be larger than what is written.
void write(Hosts& hosts, Random& random, AddressRange range, std::span<const u8> bytes, u32 offset)
{
    const bool marks = random.chance(1, 3);
    for (const auto& host : hosts)
    {
        CHECK(host->context.will_write(range.address, range.bytes));
        u32 at = 0; // in what of the range is memory
        host->for_each_part(range,
                            [&](std::span<u8> part)
                            {
                                for (u8& byte : part)
                                    if (const u32 i = at++ - offset; i < bytes.size())
                                        byte = bytes[i];
                            });
        if (marks)
            host->context.mark_written(range.address, range.bytes);
        else
            CHECK(host->context.did_write(range.address, range.bytes));
    }
}

void random_write(Hosts& hosts, Random& random)
{
    const AddressRange range = random_range(random);
    std::vector<u8> bytes(1 + random.below(0x800));
    for (u8& byte : bytes)
        byte = u8(random.next());
    write(hosts, random, range, bytes, random.below(std::min(range.bytes, 0x4000u)));
}

// Triangles from whatever bytes there are, so that the newest ones are on a render target.
void draw(Hosts& hosts, Random& random)
{
    CommandListBuilder list;
    list.set(reg::VSH_INPUTBUFFER_CONFIG::role, 0xA0);
    list.write(reg::VSH_ATTRIBUTES_PERMUTATION_LOW::id, 0x10);
    write_plain_state(list);
    list.write(reg::SH_OUTMAP_O::ids[0], 0x03020100u);
    use_byte_vertices(list);
    list.set(reg::ATTRIBBUFFERS_LOC::base, (kFcramBase + random.below(0x1000)) >> 4);
    list.set(reg::COLORBUFFER_LOC::address, (kVramBase + random.pick({0u, 0xF000u, 0xFC00u})) >> 3);
    list.set(reg::COLORBUFFER_FORMAT::format, ColorFormat::RGBA8);
    list.set(reg::FRAMEBUFFER_DIM::width, 16);
    list.set(reg::FRAMEBUFFER_DIM::height_minus_1, 15);
    list.set(reg::VIEWPORT_WIDTH::value, f32_to_float24(8));
    list.set(reg::VIEWPORT_HEIGHT::value, f32_to_float24(8));
    list.draw_arrays(Topology::TriangleList, random.below(64), 30);
    const std::vector<u32> words = list.finish();
    const u32 size = u32(words.size()) * 4;
    write(hosts, random, {kList, size}, {reinterpret_cast<const u8*>(words.data()), size}, 0);
    each(hosts, [&](picavk::Context& c) { return c.submit_command_list(kList, size); });
}

void copy_or_fill(Hosts& hosts, Random& random)
{
    const u32 size = 16 * (1 + random.below(0x180));
    const PhysAddr from = edge_address(random, 16), to = edge_address(random, 16);
    const u32 value = random.next();
    if (random.chance(1, 2))
        each(hosts, [&](picavk::Context& c) { return c.memory_fill(to, to + size, value, 32); });
    else
        each(hosts, [&](picavk::Context& c) { return c.texture_copy(from, to, size, 0, 0); });
}

void ask_ahead(Hosts& hosts, Random& random)
{
    const AddressRange range = random_range(random);
    each(hosts, [&](picavk::Context& c) { return c.request_read(range.address, range.bytes); });
    if (random.chance(1, 2))
        return;
    compare(hosts, range);
    for (const auto& host : hosts)
    {
        bool ready = false;
        CHECK(host->context.read_is_ready(range.address, range.bytes, ready));
        CHECK(ready);
    }
}

void show(Hosts& hosts, Random& random)
{
    const u32 line = 240 * 3;
    const PhysAddr address = edge_address(random, 8) - line * random.below(100);
    const u32 stride = random.pick({line, 0u - line, line / 2, 0u});
    std::vector<u8> expected, picture;
    for (const auto& host : hosts)
    {
        picavk::Context& c = host->context;
        CHECK(c.write_register(ext::PDC_ADDRESS_A::ids[0], address));
        CHECK(c.write_register(ext::PDC_FORMAT::ids[0], 1));
        CHECK(c.write_register(ext::PDC_STRIDE::ids[0], stride));
        CHECK(c.read_screen(picavk::Screen::Top, picture));
        if (expected.empty())
            expected = picture;
        CHECK(picture == expected);
    }
}

// What was recorded leaves the same memory.
void check_recording(Host& host)
{
    REQUIRE(host.context.trace_stop());
    auto trace = Trace::parse(std::move(host.recording));
    REQUIRE_MESSAGE(trace, message_of(trace));
    GuestArena arena(kRegions);
    OnceReport quiet(nullptr);
    SoftwareCore core(arena.memory(), quiet, {.threads = 1});
    Gpu gpu(core, quiet);
    TracePlayer player(*trace, gpu);
    REQUIRE(player.status());
    while (player.step(Step::Frame) != StepResult::End)
        continue;
    for (std::size_t i = 0; i < host.memory.size(); ++i)
    {
        const std::span<const u8> played = arena.memory().span(kRegions[i].base, kRegions[i].size);
        CAPTURE(kRegions[i].base);
        CHECK(std::equal(played.begin(), played.end(), host.memory[i].begin()));
    }
}

void run_seed(Hosts& hosts, Random& random)
{
    for (const auto& host : hosts)
        host->start_recording();
    for (u32 i = 0; i < 30; ++i)
    {
        switch (random.below(8))
        {
        case 0:
        case 1:
            random_write(hosts, random);
            break;
        case 2:
            compare(hosts, random_range(random));
            break;
        case 3:
            ask_ahead(hosts, random);
            break;
        case 4:
            show(hosts, random);
            break;
        case 5:
            draw(hosts, random);
            break;
        default:
            copy_or_fill(hosts, random);
            break;
        }
        if (random.chance(1, 16))
            each(hosts, [](picavk::Context& c) { return c.end_frame(); });
    }
    compare(hosts, random.pick<AddressRange>({{0, 0xFFFFFFFF}, {kVramBase - 1, 0xFFFFFFFF}}));
    for (const auto& host : hosts)
        check_recording(*host);
}

} // namespace

TEST_CASE("ranges: whatever range a verb names it acts on all of its memory")
{
    Hosts hosts;
    for (const auto backend : {picavk::Backend::Software, picavk::Backend::Vulkan, picavk::Backend::Validate})
        hosts.push_back(std::make_unique<Host>(backend));
    for_each_seed(24, [&](u32, Random& random) { run_seed(hosts, random); });
}

TEST_CASE("ranges: another backend goes on with what ranges from outside of memory left")
{
    Hosts hosts;
    for (const auto backend : {picavk::Backend::Software, picavk::Backend::Vulkan})
        hosts.push_back(std::make_unique<Host>(backend));
    for_each_seed(8,
                  [&](u32 seed, Random& random)
                  {
                      run_seed(hosts, random);
                      const auto next = seed % 2 == 0 ? picavk::Backend::Software : picavk::Backend::Vulkan;
                      CHECK(hosts[1]->context.switch_backend(next));
                  });
}
