// SPDX-License-Identifier: MIT
// Hosts as emulators are: one that announces before each write, one that hears of writes only through flushes of whole
// memory, one whose page faults announce them. All show the same pictures and end with the same memory.
#include "pica/command/gpu.h"
#include "pica/memory/guest_arena.h"
#include "pica/soft/software_core.h"
#include "pica/trace/player.h"
#include "renderer/picavk.hpp"
#include "tests/support/hosts/context_player.h"
#include "tests/support/seeds.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <unistd.h>

using namespace tests;
using namespace pica;
using renderer::ContextBackend;

namespace
{

constexpr Screen kScreens[] = {Screen::Top, Screen::TopRight, Screen::Bottom};

renderer::ContextOptions options_for(ContextBackend backend, u32 scale = 1)
{
    renderer::ContextOptions options;
    options.scale = scale;
    options.backend = backend;
    options.vulkan.validation = backend != ContextBackend::Software;
    return options;
}

std::vector<std::string> streams()
{
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(PICAVK_SOURCE_DIR "/samples/streams"))
        names.push_back(entry.path().stem().string());
    std::sort(names.begin(), names.end());
    REQUIRE(names.size() >= 40);
    return names;
}

// What a stream shows and leaves.
struct Outcome
{
    std::vector<std::vector<u32>> screens; // of each frame
    std::vector<u8> memory;                // after the last frame
    bool operator==(const Outcome&) const = default;
};

Outcome play(ContextPlayer& player)
{
    Outcome outcome;
    while (player.frame())
        for (const Screen screen : kScreens)
            outcome.screens.push_back(player.screen(screen));
    outcome.memory = player.memory();
    CHECK(player.context->status());
    CHECK_FALSE(player.context->difference());
    return outcome;
}

// The memory of a context whose host only flushes, and the operations that the reproductions below use.
struct FlushingHost
{
    static constexpr u32 kBytes = 0x100000;
    std::vector<u8> bytes = std::vector<u8>(kBytes);
    picavk::Context context;

    explicit FlushingHost(picavk::Backend backend)
    {
        picavk::Options options;
        options.backend = backend;
        options.regions = {{kFcramBase, kBytes, bytes.data()}};
        options.vulkan_validation = backend != picavk::Backend::Software;
        options.pipelines = picavk::Pipelines::AtOnce;
        auto [made, created] = picavk::Context::create(std::move(options));
        const std::string& why = created.message;
        REQUIRE_MESSAGE(created, why);
        context = std::move(made);
        std::fill(bytes.begin() + 0xC0000, bytes.begin() + 0xD0000,
                  u8{0x44}); // what copies and transfers read
        CHECK(context.did_write(kFcramBase, kBytes));
    }
    void flush_all()
    {
        const picavk::Status status = context.may_have_written(kFcramBase, kBytes);
        CHECK_MESSAGE(status, status.message);
    }
    void read_all() { CHECK(context.will_read(kFcramBase, kBytes)); }
};

// The GPU writes 0x44 to [to, to + bytes); bytes: a multiple of 1 KiB.
using Writer = void (*)(FlushingHost& host, u32 to, u32 bytes);
void fill(FlushingHost& host, u32 to, u32 bytes)
{
    CHECK(host.context.memory_fill(kFcramBase + to, kFcramBase + to + bytes, 0x44444444, 32));
}
void copy(FlushingHost& host, u32 to, u32 bytes)
{
    CHECK(host.context.texture_copy(kFcramBase + 0xC0000, kFcramBase + to, bytes, 0, 0));
}
void transfer(FlushingHost& host, u32 to, u32 bytes)
{
    const u32 size = 16 | bytes / 64 << 16; // rows of 16 pixels with 4 bytes
    CHECK(host.context.display_transfer(kFcramBase + 0xC0000, kFcramBase + to, size, size, 0));
}
constexpr Writer kWriters[] = {fill, copy, transfer};
constexpr picavk::Backend kBackends[] = {picavk::Backend::Software, picavk::Backend::Vulkan,
                                         picavk::Backend::Validate};

} // namespace

TEST_CASE("flushes: a picture of the GPU and bytes of the CPU beside it and over it survive one flush of "
          "everything")
{
    for (const picavk::Backend backend : kBackends)
        for (const Writer writer : kWriters)
        {
            CAPTURE(u32(backend));
            CAPTURE(std::find(std::begin(kWriters), std::end(kWriters), writer) - std::begin(kWriters));
            FlushingHost host(backend);
            writer(host, 0x1000, 0x2000);
            std::fill_n(host.bytes.begin() + 0x8000, 64, u8{7}); // elsewhere
            host.flush_all();
            host.read_all();
            CHECK(host.bytes[0x1000] == 0x44);
            CHECK(host.bytes[0x2FFF] == 0x44);
            CHECK(host.bytes[0x8000] == 7);

            writer(host, 0x4000, 0x800);
            std::fill_n(host.bytes.begin() + 0x4800, 64, u8{9});  // in the same page
            std::fill_n(host.bytes.begin() + 0x4400, 64, u8{10}); // over the picture
            host.flush_all();
            host.flush_all();
            host.read_all();
            CHECK(host.bytes[0x43FF] == 0x44);
            CHECK(host.bytes[0x4400] == 10);
            CHECK(host.bytes[0x443F] == 10);
            CHECK(host.bytes[0x4440] == 0x44);
            CHECK(host.bytes[0x47FF] == 0x44);
            CHECK(host.bytes[0x4800] == 9);
            CHECK(host.bytes[0x4840] == 0);
        }
}

TEST_CASE("flushes: the GPU reads what the CPU wrote over its picture, and what it wrote beside it")
{
    for (const picavk::Backend backend : kBackends)
        for (const Writer writer : kWriters)
        {
            CAPTURE(u32(backend));
            CAPTURE(std::find(std::begin(kWriters), std::end(kWriters), writer) - std::begin(kWriters));
            FlushingHost host(backend);
            for (u32 round = 0; round < 3; ++round)
            {
                writer(host, 0x4000, 0x800);
                host.bytes[0x4400] = u8(10 + round);
                host.bytes[0x4800] = u8(20 + round);
                host.flush_all();
                CHECK(host.context.texture_copy(kFcramBase + 0x4000, kFcramBase + 0x10000, 0x1000, 0, 0));
                host.read_all();
                REQUIRE(u32(host.bytes[0x10000]) == 0x44);
                REQUIRE(u32(host.bytes[0x10400]) == 10 + round);
                REQUIRE(u32(host.bytes[0x10800]) == 20 + round);
            }
        }
}

TEST_CASE("flushes: bytes of the CPU survive a readback that comes before the flush")
{
    FlushingHost host(picavk::Backend::Vulkan);
    fill(host, 0x4000, 0x800);
    host.bytes[0x4800] = 9;
    CHECK(host.context.will_read(kFcramBase + 0x4000, 16));
    CHECK(host.bytes[0x4800] == 9);
    CHECK(host.bytes[0x4000] == 0x44);
    host.flush_all();
    CHECK(host.context.texture_copy(kFcramBase + 0x4000, kFcramBase + 0x10000, 0x1000, 0, 0));
    host.read_all();
    CHECK(host.bytes[0x10800] == 9);
}

TEST_CASE(
    "flushes: bundled streams, with CPU writes at random places of their targets, end equal on both backends")
{
    const std::vector<std::string> names = streams();
    Random random(3);
    for (std::size_t i = 0; i < names.size(); ++i)
    {
        if (i % 4 != 1 && !is_long_run())
            continue;
        CAPTURE(names[i]);
        ContextPlayer software(names[i], options_for(ContextBackend::Software), HostModel::Flushes);
        ContextPlayer vulkan(names[i], options_for(ContextBackend::Vulkan), HostModel::Flushes);
        while (software.frame() && vulkan.frame())
        {
            for (u32 write = 0; write < 300; ++write)
            {
                // No byte that Vulkan's guest memory has already: that could not be seen.
                const u32 at = random.below(u32(software.vram.size()));
                const u8 byte = u8(vulkan.vram[at] + 1 + random.below(255));
                software.vram[at] = vulkan.vram[at] = byte;
            }
            for (ContextPlayer* const player : {&software, &vulkan})
                player->flush_all();
        }
        CHECK((software.memory() == vulkan.memory()));
    }
}

TEST_CASE("flushes: a static scene decodes nothing after its first frame")
{
    for (const ContextBackend backend : {ContextBackend::Software, ContextBackend::Vulkan})
    {
        CAPTURE(u32(backend));
        renderer::ContextOptions options = options_for(backend);
        options.vulkan.ubershader =
            renderer::UbershaderChoice::Never; // the device draws from the first frame on
        ContextPlayer player("s_textured_cubes", std::move(options), HostModel::Flushes);
        u64 decodes = 0, uploads = 0;
        for (u32 round = 0; round < 4; ++round)
        {
            while (player.frame())
                player.flush_all();
            player.rewind();
            const renderer::Statistics now = player.context->statistics();
            if (round >= 2)
            {
                CHECK(now.texture_decodes == decodes);
                CHECK(now.upload_bytes - uploads < 0x10000); // constants and lists
            }
            else if (backend == ContextBackend::Vulkan)
                CHECK(now.texture_decodes != 0);
            decodes = now.texture_decodes;
            uploads = now.upload_bytes;
        }
    }
}

TEST_CASE(
    "host models: bundled streams show the same pictures whether writes are announced, flushed or fault")
{
    const std::vector<std::string> names = streams();
    for (std::size_t i = 0; i < names.size(); ++i)
    {
        if (i % 6 != 0 && !is_long_run())
            continue;
        CAPTURE(names[i]);
        ContextPlayer plain(names[i], options_for(ContextBackend::Software));
        const Outcome expected = play(plain);
        for (const HostModel model : {HostModel::Flushes, HostModel::Faults, HostModel::FaultsOf16KiB})
            for (const ContextBackend backend :
                 {ContextBackend::Software, ContextBackend::Vulkan, ContextBackend::Validate})
            {
                CAPTURE(u32(model));
                CAPTURE(u32(backend));
                ContextPlayer player(names[i], options_for(backend), model);
                CHECK((play(player) == expected));
            }
    }
}

// A flush of everything compares bytes, so a picture may stay upscaled there where an announced write of the same bytes makes
// it 1x. Draws that sample it differ then, so models are not compared with each other.
TEST_CASE("host models: above 1x both backends show the same pictures and end with the same memory")
{
    const std::vector<std::string> names = streams();
    for (std::size_t i = 0; i < names.size(); ++i)
    {
        if (i % 28 != 3 && !is_long_run())
            continue;
        CAPTURE(names[i]);
        for (const HostModel model : {HostModel::BeforeAndAfter, HostModel::Flushes, HostModel::Faults})
        {
            CAPTURE(u32(model));
            Outcome expected;
            for (const ContextBackend backend : {ContextBackend::Software, ContextBackend::Vulkan})
            {
                CAPTURE(u32(backend));
                ContextPlayer player(names[i], options_for(backend, 2), model);
                Outcome outcome = play(player);
                if (backend == ContextBackend::Software)
                    expected = std::move(outcome);
                else
                    CHECK((outcome == expected));
            }
        }
    }
}

TEST_CASE("host models: a recording is the same whether writes are announced, flushed or fault")
{
    const std::filesystem::path file =
        std::filesystem::temp_directory_path() / ("picavk-models-" + std::to_string(getpid()) + ".pvk");
    for (const char* const name : {"s_2d_sprites", "t_mipmaps", "t_transfers"})
        for (const HostModel model : {HostModel::BeforeAndAfter, HostModel::Flushes, HostModel::Faults})
            for (const ContextBackend backend : {ContextBackend::Software, ContextBackend::Vulkan})
            {
                CAPTURE(name);
                CAPTURE(u32(model));
                CAPTURE(u32(backend));
                ContextPlayer plain(name, options_for(ContextBackend::Software));
                ContextPlayer recorded(name, options_for(backend), model);
                REQUIRE(recorded.context->trace_start(file.string()));
                std::vector<std::vector<u8>> frames;
                while (plain.frame() && recorded.frame())
                    frames.push_back(plain.memory());
                REQUIRE(recorded.context->trace_stop());
                const Result<Trace> trace = Trace::load(file.string());
                std::filesystem::remove(file);
                REQUIRE(trace);
                GuestArena arena(trace->memory());
                KeptReport report;
                SoftwareCore core(arena.memory(), report);
                Gpu gpu(core, report);
                TracePlayer player(*trace, gpu);
                for (const std::vector<u8>& expected : frames)
                {
                    REQUIRE(player.step(Step::Frame) == StepResult::Frame);
                    std::vector<u8> bytes;
                    for (const MemoryRegion& region : arena.memory().regions())
                        bytes.insert(bytes.end(), region.bytes.begin(), region.bytes.end());
                    CHECK((bytes == expected));
                }
            }
}
