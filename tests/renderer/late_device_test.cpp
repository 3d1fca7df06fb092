// SPDX-License-Identifier: MIT
// A device that executes each submission as late as Vulkan allows: when the CPU waits for it. By then the CPU has
// prepared several later submissions. So whatever it takes back too early, and writes again, the device reads
// wrong.
#include "renderer/draw/lut_buffer.h"
#include "renderer/vulkan/frames_in_flight.h"
#include "tests/support/device/faults.h"
#include "tests/support/device/gpu_fixture.h"
#include "tests/support/device/host_vulkan.h"
#include "tests/support/programs/program_builder.h"
#include "tests/support/scenes/draw_scene.h"
#include "tests/support/suite/list_scene.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <string>
#include <vector>

using namespace tests;
using namespace renderer;
using pica::kFcramBase;
using pica::kVramBase;

namespace
{

constexpr const char* kLate = "late:1:never";

// The machine of the conformance suites with such a device.
struct LateMachine
{
    explicit LateMachine(const Variant& variant)
        : faults(kLate), machine(variant, Shaders::Specialised), random(5), scene(machine, random, 64, 64)
    {
        machine.begin_seed(random, ConformanceMachine::Compare::AtEnd);
        // The shader reads a constant.
        scene.list.set(reg::TEXENV_SOURCE::color_2, CombinerSource::Constant, 0);
        scene.list.set(reg::TEXENV_COMBINER::color_op, CombinerOp::AddSigned, 0);
        scene.list.write(reg::TEXENV_COLOR::ids[0], 0x40A06020);
    }
    ~LateMachine()
    {
        machine.end_seed();
        CHECK(machine.failure() == "");
        CHECK(machine.changed_memory());
    }
    LateMachine(const LateMachine&) = delete;
    LateMachine& operator=(const LateMachine&) = delete;
    // Draws triangles to a place of their own.
    void draw(u32 place)
    {
        const f32 x = f32(place % 4) * 16, y = f32(place / 4) * 16;
        scene.quad(x + 1, y + 1, x + 15, y + 15, -0.5f);
        scene.draw();
        scene.run();
    }
    void wait() { machine.read(kVramBase, ConformanceMachine::kVramBytes); }
    // Uploads so much that all upload memory is used again, as far as it may be. Does not wait.
    void upload()
    {
        constexpr u32 kBytes = 0x80000;
        for (u32 i = 0; i < 32; i++)
        {
            std::vector<u32> noise(kBytes / 4);
            for (u32& word : noise)
                word = random.next();
            machine.write(kFcramBase + 0x40000, noise);
            machine.texture_copy(kFcramBase + 0x40000, kVramBase + 0x80000, kBytes, 0, 0);
        }
    }

    Faults faults;
    ConformanceMachine machine;
    Random random;
    ListScene scene;
};

// Something to submit.
void record_something(GpuFixture& gpu)
{
    gpu.stream->barrier(VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT,
                        VK_PIPELINE_STAGE_HOST_BIT, VK_ACCESS_HOST_READ_BIT);
}

} // namespace

TEST_CASE("late device: a submission is executed when something waits for it")
{
    const Faults faults(kLate);
    GpuFixture gpu;
    auto buffer =
        gpu.memory->create_buffer(4, VK_BUFFER_USAGE_TRANSFER_DST_BIT, MemoryKind::Readback, "test");
    REQUIRE(buffer);
    const auto word = [&] { return *reinterpret_cast<const volatile u32*>(buffer->mapped); };
    u64 serials[2]{};
    for (u32 i = 0; i < 2; i++)
    {
        gpu.device->vk.vkCmdFillBuffer(gpu.stream->cmd(), buffer->buffer, 0, 4, 100 + i);
        record_something(gpu);
        serials[i] = gpu.stream->submit();
    }
    for (u32 polls = 0; polls < 100; polls++)
        CHECK_FALSE(gpu.stream->done(serials[0]));
    REQUIRE(gpu.stream->wait(serials[0]));
    CHECK(word() == 100);
    CHECK_FALSE(gpu.stream->done(serials[1]));
    REQUIRE(gpu.stream->wait(serials[1]));
    CHECK(word() == 101);
}

TEST_CASE("late device: a submission is executed when it was asked for often enough")
{
    const Faults faults("late:1:3");
    GpuFixture gpu;
    record_something(gpu);
    const u64 serial = gpu.stream->submit();
    for (u32 polls = 0; polls < 3; polls++)
        CHECK_FALSE(gpu.stream->done(serial));
    while (!gpu.stream->done(serial)) // the driver has it now
        continue;
    CHECK(gpu.stream->counters.waits == 0);
}

TEST_CASE("delayed device: the CPU sees the end of work later, and delays overlap")
{
    constexpr auto kDelay = std::chrono::milliseconds(250);
    constexpr u32 kSubmissions = 12;
    const Faults faults("delay:1:250");
    GpuFixture gpu;
    const auto begin = std::chrono::steady_clock::now();
    u64 serial = 0;
    for (u32 i = 0; i < kSubmissions; i++)
    {
        record_something(gpu);
        serial = gpu.stream->submit();
    }
    CHECK_FALSE(gpu.stream->done(1));
    REQUIRE(gpu.stream->wait(serial));
    const auto time = std::chrono::steady_clock::now() - begin;
    CHECK(time >= kDelay);
    CHECK(time < kDelay * kSubmissions);
}

TEST_CASE("delayed device: timeline semaphores and waits for the queue are as late as fences")
{
    const Faults faults("delay:1:100");
    HostVulkan host;
    const VkSemaphore semaphore = host.make_semaphore(true);
    host.signal(semaphore, 5);
    host.signal(semaphore, 7);
    CHECK_FALSE(host.has_reached(semaphore, 1));
    CHECK(host.wait_on_cpu(semaphore, 5));
    CHECK(host.wait_on_cpu(semaphore, 7));
    CHECK(host.has_reached(semaphore, 7));
    host.signal(semaphore, 9);
    CHECK(host.has_reached(semaphore, 7));
    CHECK_FALSE(host.has_reached(semaphore, 9));
    CHECK(host.vk.vkQueueWaitIdle(host.queue) == VK_SUCCESS);
    CHECK(host.has_reached(semaphore, 9));
    host.signal_from_cpu(semaphore, 10);
    CHECK(host.has_reached(semaphore, 10));
    host.vk.vkDestroySemaphore(host.device, semaphore, nullptr);
}

// All parts of the renderer that place something in upload memory place it anew in each submission.
TEST_CASE("late device: triangles and programs of submissions in flight are not overwritten by later draws")
{
    for (const Variant& variant : {kRasterOrder, kTexelRecords, kCompute, kInterpret})
    {
        INFO(std::string(variant.name));
        LateMachine m(variant);
        for (u32 frame = 0; frame < FramesInFlight::kFrames + 1; frame++)
        {
            m.draw(frame);
            m.machine.gpu().end_frame();
        }
    }
}

TEST_CASE("late device: upload memory that submissions in flight read is not used again")
{
    for (const Variant& variant : {kRasterOrder, kTexelRecords, kCompute, kInterpret})
    {
        INFO(std::string(variant.name));
        LateMachine m(variant);
        // More frames than submissions may be in flight, so that the first ones are done.
        for (u32 frame = 0; frame < FramesInFlight::kSubmissions + 2; frame++)
        {
            m.draw(frame % 16);
            m.machine.gpu().end_frame();
        }
        m.upload();
    }
}

// The next draw has the same state, constants and program. They must be placed again, because others may have the
// memory in which the first draw's were.
TEST_CASE("late device: a draw keeps nothing in upload memory that an earlier submission placed")
{
    for (const Variant& variant : {kRasterOrder, kTexelRecords, kCompute, kInterpret})
    {
        INFO(std::string(variant.name));
        LateMachine m(variant);
        m.draw(0);
        m.upload();
        m.wait(); // all upload memory is free
        m.draw(1);
        m.upload();
    }
}

// Each draw has a state of its own and a batch of its own, so pipelines are evicted right after their commands were
// recorded.
TEST_CASE("late device: pipelines that are evicted live until the submissions that use them are over")
{
    Variant few = kRasterOrder;
    few.pipeline_budget = 4;
    LateMachine m(few);
    for (u32 state = 0; state < 12; state++)
    {
        m.scene.color_target(ListScene::kColor + (state & 1) * 0x8000, ColorFormat::RGBA8);
        m.scene.list.set(reg::FRAGOP_ALPHA_TEST::enable, true);
        m.scene.list.set(reg::FRAGOP_ALPHA_TEST::func, state < 6 ? CompareFunc::Greater : CompareFunc::Less);
        m.scene.list.set(reg::TEXENV_SCALE::color_scale, CombinerScale(state % 3), 0);
        m.scene.list.set(reg::TEXENV_OPERAND::color_1, ColorOperand(state / 3 & 1), 0);
        m.draw(state);
    }
    CHECK(m.machine.vulkan().statistics().pipeline_evictions > 0);
}

TEST_CASE("late device: upload memory that nobody used for many frames stays while a submission reads it")
{
    LateMachine m(kRasterOrder);
    m.draw(0);
    m.upload();
    for (u32 frame = 0; frame < 70; frame++)
        m.machine.gpu().end_frame(); // without any work: nothing waits for the device
}

// A page of lookup tables is written again when the submissions that read it are done, and not before.
TEST_CASE("late device: a page of lookup tables belongs to the submissions that read it")
{
    const Faults faults(kLate);
    GpuFixture gpu;
    LutBuffer luts(*gpu.memory, *gpu.stream);
    REQUIRE(luts.create());
    pica::Luts tables;
    // Fills the rest of the open page, and the first place of the next one.
    const auto turn_page = [&]
    {
        const u64 pages = luts.counters.pages;
        LutBuffer::Bases bases;
        while (luts.counters.pages == pages)
        {
            tables.changed(pica::LutTable::Fog);
            REQUIRE(luts.place(tables, pica::lut_bit(pica::LutTable::Fog), bases));
        }
        return luts.view();
    };
    const VkBufferView first = luts.view();
    const VkBufferView second = turn_page();
    const VkBufferView third = turn_page(); // the submission being recorded reads the first two
    CHECK(second != first);
    CHECK(third != first);
    CHECK(third != second);
    record_something(gpu);
    const u64 earlier = gpu.stream->submit();

    const VkBufferView fourth = turn_page(); // a submission in flight reads them
    for (const VkBufferView page : {first, second, third})
        CHECK(fourth != page);
    record_something(gpu);
    gpu.stream->submit();
    REQUIRE(gpu.stream->wait(earlier));
    CHECK(turn_page() == first);
    CHECK(turn_page() == second);
    const VkBufferView fifth = turn_page(); // the submission in flight reads the third and the fourth
    for (const VkBufferView page : {first, second, third, fourth})
        CHECK(fifth != page);
}

// The device notes in a submission's own words what went wrong in its programs. The CPU looks at them when the
// submission is done, which may be after a later one has run.
TEST_CASE("late device: what went wrong in a program is reported however late it runs")
{
    const Faults faults(kLate);
    pica::GuestArena arena;
    KeptReport report;
    Options options;
    options.vertex_executor = VertexExecutorChoice::Interpret;
    options.ubershader = UbershaderChoice::Never;
    options.self_test = false;
    options.validation = true;
    auto renderer = Renderer::create(options, arena.memory(), report);
    REQUIRE(renderer);
    ProgramBuilder b;
    b.mov(o(0), v(0));
    b.break_loop(); // in no loop
    b.end();
    const pica::Program broken = b.program();
    Random random(3);
    DrawScene scene(64, 64);
    random_triangles(scene, random, 4);
    const auto submit = [&](const pica::Program& program)
    {
        scene.state.program = &program;
        scene.state.vertex.program = program.id();
        (*renderer)->draw(scene.draw());
        (*renderer)->flush();
    };
    constexpr u32 kOthers = 40;
    submit(broken);
    for (u32 other = 0; other < kOthers; other++)
        submit(copy_program());
    submit(broken);
    const auto reports = [&]
    {
        return std::count(report.lines.begin(), report.lines.end(),
                          "shader: BREAK outside a LOOP, invocation ended: on the device");
    };
    CHECK(reports() == 0);
    (*renderer)->will_read(DrawScene::kColor, 4); // waits
    CHECK(reports() == 2);
    CHECK((*renderer)->statistics().device_draws == kOthers + 2);
    CHECK((*renderer)->validation_messages().empty());
}
