// SPDX-License-Identifier: MIT
// Hosts that announce few accesses: protected pages whose faults announce them, writes marked by other
// threads, reads requested in advance.
#include "pica/base/float24.h"
#include "pica/memory/guest_memory.h"
#include "renderer/embed/page_marks.h"
#include "renderer/picavk.hpp"
#include "tests/support/seeds.h"

#include <doctest/doctest.h>

#include <array>
#include <atomic>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <thread>
#include <utility>
#include <vector>

#include <sys/mman.h>
#include <unistd.h>

using namespace pica;

namespace
{

constexpr u32 kBytes = 0x100000;
constexpr PhysAddr kVram = kVramBase;

// One memory seen twice, as emulators map it: picavk's view is never protected, the guest's CPU goes through
// the other.
class SharedMemory
{
public:
    SharedMemory()
    {
        file_ = memfd_create("guest", 0);
        REQUIRE(file_ >= 0);
        REQUIRE(ftruncate(file_, kBytes) == 0);
        gpu = map();
        cpu = map();
    }
    ~SharedMemory()
    {
        munmap(gpu, kBytes);
        munmap(cpu, kBytes);
        close(file_);
    }
    SharedMemory(const SharedMemory&) = delete;
    SharedMemory& operator=(const SharedMemory&) = delete;

    u8 *gpu = nullptr, *cpu = nullptr;

private:
    u8* map()
    {
        void* bytes = mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_SHARED, file_, 0);
        REQUIRE(bytes != MAP_FAILED);
        return static_cast<u8*>(bytes);
    }
    int file_ = -1;
};

// Protects the CPU's view as picavk asks, and announces in the handler of the fault.
class ProtectingHost
{
public:
    ProtectingHost(SharedMemory& memory, picavk::Context& context) : memory_(memory), context_(context)
    {
        current = this;
        struct sigaction action = {};
        action.sa_flags = SA_SIGINFO;
        action.sa_sigaction = [](int, siginfo_t* info, void*)
        { current->fault(static_cast<u8*>(info->si_addr)); };
        sigaction(SIGSEGV, &action, &before_);
    }
    ~ProtectingHost()
    {
        sigaction(SIGSEGV, &before_, nullptr);
        current = nullptr;
    }
    ProtectingHost(const ProtectingHost&) = delete;
    ProtectingHost& operator=(const ProtectingHost&) = delete;

    void protect(u32 address, u32 bytes, picavk::PageAccess access)
    {
        const int rights = access == picavk::PageAccess::None    ? PROT_READ | PROT_WRITE
                           : access == picavk::PageAccess::Write ? PROT_READ
                                                                 : PROT_NONE;
        REQUIRE(mprotect(memory_.cpu + (address - kVram), bytes, rights) == 0);
        for (u32 page = (address - kVram) >> 12; page <= (address - kVram + bytes - 1) >> 12; ++page)
            access_[page] = access;
    }

    int write_faults = 0, read_faults = 0;

private:
    void fault(u8* at)
    {
        const std::ptrdiff_t offset = at - memory_.cpu;
        if (offset < 0 || offset >= std::ptrdiff_t(kBytes))
            std::_Exit(99); // a bug of the test or of what it tests
        const u32 page = u32(offset) >> 12;
        if (access_[page] == picavk::PageAccess::ReadWrite)
        {
            // The guest's CPU stands still, so the thread is at home here; the callback takes the protection
            // down.
            ++read_faults;
            if (!context_.will_read(kVram + page * 4096, 4096))
                std::_Exit(98);
            return;
        }
        ++write_faults;
        context_.mark_written(kVram + page * 4096, 4096);
        mprotect(memory_.cpu + page * 4096, 4096, PROT_READ | PROT_WRITE);
    }

    static inline ProtectingHost* current = nullptr;
    SharedMemory& memory_;
    picavk::Context& context_;
    struct sigaction before_ = {};
    std::array<picavk::PageAccess, kBytes / 4096> access_{};
};

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

} // namespace

TEST_CASE(
    "page access: a host whose page faults announce its accesses sees what a host sees that announces all")
{
    SharedMemory memory;
    std::vector<u8> plain(kBytes);
    tests::Random random(1);
    for (u32 i = 0; i < kBytes; ++i)
        plain[i] = memory.gpu[i] = u8(random.next());

    ProtectingHost* host = nullptr;
    picavk::Options options = options_over(memory.gpu, picavk::Backend::Vulkan);
    options.on_page_access = [&](u32 address, u32 bytes, picavk::PageAccess access)
    { host->protect(address, bytes, access); };
    auto [context, created] = picavk::Context::create(options);
    REQUIRE_MESSAGE(created, created.message);
    ProtectingHost protecting(memory, context);
    host = &protecting;
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
                memory.cpu[operation.to + k] = plain[operation.to + k] = u8(operation.value >> (k % 24));
            CHECK(reference.did_write(kVram + operation.to, bytes));
        }
        if (operation.kind == Operation::CpuRead)
        {
            CHECK(reference.will_read(kVram + operation.from, operation.bytes));
            REQUIRE(std::memcmp(memory.cpu + operation.from, &plain[operation.from], operation.bytes) == 0);
        }
    }
    REQUIRE(std::memcmp(memory.cpu, plain.data(), kBytes) == 0);
    CHECK(protecting.write_faults > 20);
    CHECK(protecting.read_faults > 20);
}

TEST_CASE("page access: not with the validating backend")
{
    std::vector<u8> bytes(kBytes);
    picavk::Options options = options_over(bytes.data(), picavk::Backend::Validate);
    options.on_page_access = [](u32, u32, picavk::PageAccess) {};
    auto [context, created] = picavk::Context::create(options);
    CHECK(created.result == PICAVK_INVALID_ARGUMENT);
    CHECK(created.message.find("every write") != std::string::npos);
}

TEST_CASE("page access: what threads mark is handed over once, in runs, cut at the region's ends")
{
    std::vector<u8> bytes(0x45800);
    renderer::PageMarks marks({{kVram, bytes}});
    const auto taken = [&]
    {
        std::vector<std::pair<u32, u32>> ranges;
        marks.take([&](PhysAddr begin, u32 size) { ranges.emplace_back(begin - kVram, size); });
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
    REQUIRE_MESSAGE(created, created.message);
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
