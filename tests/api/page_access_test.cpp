// SPDX-License-Identifier: MIT
// Hosts that announce few accesses: protected pages whose faults announce them, writes marked by other
// threads, reads requested in advance.
#include "pica/command/gpu.h"
#include "pica/memory/guest_arena.h"
#include "pica/soft/software_core.h"
#include "pica/trace/player.h"
#include "renderer/embed/page_marks.h"
#include "renderer/picavk.hpp"
#include "tests/support/device/gpu_fixture.h"
#include "tests/support/hosts/protected_memory.h"
#include "tests/support/seeds.h"

#include <doctest/doctest.h>

#include <array>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <unistd.h>

using namespace pica;

namespace
{

constexpr u32 kBytes = 0x100000;
constexpr PhysAddr kVram = kVramBase;

// What both machines do; the CPU's accesses are the callers' matter.
struct Operation
{
    enum Kind
    {
        Fill,
        Copy,
        Transfer,
        CpuWrite,
        CpuRead,
        EndFrame,
    } kind;
    u32 from, to, bytes, value;
};

Operation random_operation(tests::Random& random)
{
    const auto place = [&] { return random.below(kBytes / 2 / 64) * 64; };
    return {static_cast<Operation::Kind>(random.below(6)), place(), place(), 64 * (1 + random.below(200)),
            random.next()};
}

void execute(picavk::Context& context, const Operation& operation)
{
    const PhysAddr from = kVram + operation.from, to = kVram + operation.to;
    const u32 size = 32 | 32 << 16;
    picavk::Status status;
    if (operation.kind == Operation::Fill)
        status = context.memory_fill(to, to + operation.bytes, operation.value, 32);
    else if (operation.kind == Operation::Copy)
        status = context.texture_copy(from, to, operation.bytes, 0, 0);
    else if (operation.kind == Operation::Transfer)
        status = context.display_transfer(from, to, size, size, (operation.value & 1) << 1);
    else if (operation.kind == Operation::EndFrame)
        status = context.end_frame();
    CHECK_MESSAGE(status, status.message);
}

picavk::Options options_over(u8* bytes, picavk::Backend backend)
{
    picavk::Options options;
    options.backend = backend;
    options.regions = {{kVram, kBytes, bytes}};
    options.vulkan_validation = backend == picavk::Backend::Vulkan;
    options.pipelines = picavk::Pipelines::AtOnce; // so that the device does everything from the start
    return options;
}

// A context whose host protects pages, with one region of memory.
struct FaultingHost
{
    explicit FaultingHost(picavk::Backend backend, u32 page_bytes = 4096) : host_page(page_bytes)
    {
        picavk::Options options = options_over(gpu, backend);
        options.on_page_access = [&](u32 address, u32 bytes, picavk::PageAccess access)
        { memory.protect(address, bytes, static_cast<PageAccess>(access)); };
        auto [made, created] = picavk::Context::create(options);
        const std::string& why = created.message;
        REQUIRE_MESSAGE(created, why);
        context = std::move(made);
    }

    u32 host_page;
    tests::ProtectedMemory memory{{{kVram, kBytes}},
                                  {[&](MemoryRange page)
                                   {
                                       if (!context.will_read(page.base, page.size))
                                           std::_Exit(97);
                                   },
                                   [&](MemoryRange page) { context.mark_written(page.base, page.size); }},
                                  host_page};
    u8* gpu = memory.regions().front().bytes.data();
    u8* cpu = memory.cpu(kVram);
    picavk::Context context;
};

// Random operations and accesses of the CPU, on a host whose pages have that many bytes, and on one that announces all.
void compare_faulting_host(u32 host_page)
{
    FaultingHost host(picavk::Backend::Vulkan, host_page);
    std::vector<u8> plain(kBytes);
    tests::Random random(1);
    for (u32 i = 0; i < kBytes; ++i)
        plain[i] = host.gpu[i] = u8(random.next());
    picavk::Context& context = host.context;
    auto [reference, reference_created] =
        picavk::Context::create(options_over(plain.data(), picavk::Backend::Software));
    REQUIRE(reference_created);

    for (u32 i = 0; i < 400; ++i)
    {
        const Operation operation = random_operation(random);
        CAPTURE(i);
        execute(context, operation);
        execute(reference, operation);
        if (operation.kind == Operation::CpuWrite)
        {
            const u32 bytes = operation.bytes % 5000;
            CHECK(reference.will_write(kVram + operation.to, bytes));
            for (u32 k = 0; k < bytes; ++k)
                host.cpu[operation.to + k] = plain[operation.to + k] = u8(operation.value >> (k % 24));
            CHECK(reference.did_write(kVram + operation.to, bytes));
        }
        if (operation.kind == Operation::CpuRead)
        {
            CHECK(reference.will_read(kVram + operation.from, operation.bytes));
            REQUIRE(std::memcmp(host.cpu + operation.from, &plain[operation.from], operation.bytes) == 0);
        }
    }
    REQUIRE(std::memcmp(host.cpu, plain.data(), kBytes) == 0);
    CHECK(host.memory.write_faults > 20);
    CHECK(host.memory.read_faults > 20);
}

} // namespace

TEST_CASE(
    "page access: a host whose page faults announce its accesses sees what a host sees that announces all")
{
    compare_faulting_host(4096);
}

TEST_CASE("page access: a page of the host may be several of the guest")
{
    SUBCASE("16 KiB")
    {
        compare_faulting_host(0x4000);
    }
    SUBCASE("64 KiB")
    {
        compare_faulting_host(0x10000);
    }
}

TEST_CASE("page access: a page that is written before each use is never stale, on any backend")
{
    for (const picavk::Backend backend :
         {picavk::Backend::Software, picavk::Backend::Vulkan, picavk::Backend::Validate})
    {
        CAPTURE(u32(backend));
        FaultingHost host(backend);
        const std::filesystem::path file =
            std::filesystem::temp_directory_path() /
            ("picavk-faults-" + std::to_string(getpid()) + "-" + std::to_string(u32(backend)) + ".pvk");
        CHECK(host.context.trace_start(file.string()));
        for (u32 frame = 0; frame < 8; ++frame)
        {
            std::memset(host.cpu, int(frame) + 1, 4096);
            CHECK(host.context.texture_copy(kVram, kVram + 0x8000, 4096, 0, 0));
            CHECK(host.context.end_frame());
            REQUIRE(u32(host.cpu[0x8000]) == frame + 1);
        }
        CHECK(host.context.trace_stop());
        CHECK(host.memory.write_faults >= 8);

        const Result<Trace> trace = Trace::load(file.string());
        std::filesystem::remove(file);
        REQUIRE(trace);
        const MemoryRange range{kVram, kBytes};
        GuestArena arena(std::span(&range, 1));
        tests::KeptReport report;
        SoftwareCore core(arena.memory(), report);
        Gpu gpu(core, report);
        TracePlayer player(*trace, gpu);
        for (u32 frame = 0; frame < 8; ++frame)
        {
            REQUIRE(player.step(Step::Frame) == StepResult::Frame);
            CHECK(u32(arena.memory().read8(kVram + 0x8000)) == frame + 1);
        }
    }
}

TEST_CASE("page access: the validating backend hears of writes to every page")
{
    FaultingHost host(picavk::Backend::Validate);
    CHECK(host.context.end_frame());
    host.cpu[0x5000] = 1; // no cache has it
    CHECK(host.memory.write_faults == 1);
    CHECK(host.context.texture_copy(kVram + 0x5000, kVram, 4096, 0, 0));
    host.cpu[0x5000] = 2;
    CHECK(host.memory.write_faults == 2);
    const picavk::Status status = host.context.texture_copy(kVram + 0x5000, kVram, 4096, 0, 0);
    CHECK_MESSAGE(status, status.message);
    CHECK(host.cpu[0] == 2);
}

TEST_CASE("page access: what threads mark is handed over once, in runs, cut at the region's ends")
{
    std::vector<u8> bytes(0x45800);
    using Written = renderer::PageMarks::Written;
    renderer::PageMarks marks({{kVram, bytes}});
    const auto taken = [&]
    {
        std::vector<std::pair<u32, u32>> ranges;
        marks.take([&](PhysAddr begin, u32 size, Written) { ranges.emplace_back(begin - kVram, size); });
        return ranges;
    };
    using Ranges = std::vector<std::pair<u32, u32>>;
    CHECK(taken() == Ranges{});
    marks.mark(kVram + 0x1FFF, 2);
    marks.mark(kVram + 0x5000, 1);
    marks.mark(kVram + 0x3F000, 0x3000); // over the border of two words of bits
    marks.mark(kVram + 0x45000, 0x10000);
    marks.mark(kVram - 0x2000, 0x2000); // outside
    CHECK(taken() ==
          Ranges{{0x1000, 0x2000}, {0x5000, 0x1000}, {0x3F000, 0x1000}, {0x40000, 0x2000}, {0x45000, 0x800}});
    CHECK(taken() == Ranges{});

    // Pages that a range covers are told apart; they count as covered whatever else marks them.
    marks.mark(kVram + 0x1800, 0x2000);
    marks.mark(kVram + 0x7000, 0x1000);
    marks.mark(kVram + 0x7004, 4);
    marks.mark(kVram + 0x45000, 0x800); // the region's last page is cut
    using Kinds = std::vector<std::pair<u32, Written>>;
    Kinds kinds;
    marks.take([&](PhysAddr begin, u32, Written written) { kinds.emplace_back(begin - kVram, written); });
    CHECK(kinds == Kinds{{0x1000, Written::Partly},
                         {0x3000, Written::Partly},
                         {0x2000, Written::Completely},
                         {0x7000, Written::Completely},
                         {0x45000, Written::Completely}});

    // Nothing is lost while four threads mark and one takes.
    std::vector<std::thread> threads;
    std::atomic<u32> marked{0};
    for (u32 t = 0; t < 4; ++t)
        threads.emplace_back(
            [&, t]
            {
                for (u32 i = 0; i < 16; ++i)
                {
                    marks.mark(kVram + ((t + 4 * i) << 12), 1);
                    marked++;
                }
            });
    std::array<u32, 64> seen{};
    const auto collect = [&]
    {
        for (const auto& [begin, size] : taken())
            for (u32 page = begin >> 12; page < (begin + size) >> 12; ++page)
                seen[page]++;
    };
    while (marked != 64)
        collect();
    for (std::thread& thread : threads)
        thread.join();
    collect();
    for (const u32 count : seen)
        CHECK(count == 1);
}

TEST_CASE("read ahead: a read that was asked for finds its bytes without waiting")
{
    std::vector<u8> bytes(kBytes, 0x11);
    auto [context, created] = picavk::Context::create(options_over(bytes.data(), picavk::Backend::Vulkan));
    const std::string& why = created.message;
    REQUIRE_MESSAGE(created, why);
    CHECK(context.memory_fill(kVram + 0x1000, kVram + 0x4000, 0xAABBCCDD, 32));
    bool ready = true;
    CHECK(context.read_is_ready(kVram + 0x1000, 0x3000, ready));
    CHECK_FALSE(ready);
    CHECK(context.request_read(kVram + 0x1000, 0x3000));
    for (int i = 0; i < 100000 && !ready; ++i)
    {
        CHECK(context.read_is_ready(kVram + 0x1000, 0x3000, ready));
        std::this_thread::yield();
    }
    CHECK(ready);
    CHECK(bytes[0x1000] == 0x11); // not before it is read
    CHECK(context.will_read(kVram + 0x1000, 0x3000));
    CHECK(bytes[0x1000] == 0xDD);
    CHECK(bytes[0x3FFF] == 0xAA);

    // What is drawn after the request is not lost to it; nor is what the CPU writes.
    CHECK(context.memory_fill(kVram + 0x1000, kVram + 0x4000, 0x22222222, 32));
    CHECK(context.request_read(kVram + 0x1000, 0x3000));
    CHECK(context.memory_fill(kVram + 0x2000, kVram + 0x2800, 0x33333333, 32));
    CHECK(context.will_write(kVram + 0x3000, 1));
    bytes[0x3000] = 0x44;
    CHECK(context.did_write(kVram + 0x3000, 1));
    CHECK(context.will_read(kVram, kBytes));
    CHECK(bytes[0x1000] == 0x22);
    CHECK(bytes[0x2000] == 0x33);
    CHECK(bytes[0x2800] == 0x22);
    CHECK(bytes[0x3000] == 0x44);
    CHECK(bytes[0x3001] == 0x22);

    // More requests than are kept under way.
    for (u32 page = 0; page < 32; ++page)
    {
        CHECK(context.memory_fill(kVram + page * 4096, kVram + page * 4096 + 4096, page, 32));
        CHECK(context.request_read(kVram + page * 4096, 4096));
    }
    CHECK(context.will_read(kVram, kBytes));
    for (u32 page = 0; page < 32; ++page)
        CHECK(bytes[page * 4096] == page);
}
