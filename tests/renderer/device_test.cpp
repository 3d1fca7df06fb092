// SPDX-License-Identifier: MIT
// Device creation, masks, memory blocks, streams, and drivers that stay loaded.
#include "renderer/cache/device_key.h"
#include "renderer/vulkan/device_times.h"
#include "renderer/vulkan/kept_drivers.h"
#include "tests/support/device/gpu_fixture.h"
#include "tests/support/message_of.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <set>
#include <string>
#include <vector>

using namespace tests;
using namespace renderer;

namespace
{
const std::vector<std::string> kAll = {"rasterization_order",
                                       "interlock",
                                       "logic_op",
                                       "float_controls",
                                       "beyond_stride",
                                       "timeline_semaphore",
                                       "creation_feedback",
                                       "multi_draw_indirect",
                                       "large_texel_buffers",
                                       "large_storage_buffers",
                                       "late_compiler",
                                       "branches",
                                       "depth_stencil",
                                       "votes",
                                       "gathers",
                                       "flat_constants",
                                       "inlined_calls",
                                       "planes_at_once",
                                       "cpu"};

// The libraries that are mapped into this process.
std::set<std::string> mapped_libraries()
{
    std::set<std::string> files;
    std::ifstream maps("/proc/self/maps");
    for (std::string line; std::getline(maps, line);)
        if (const std::size_t path = line.find('/');
            path != std::string::npos && line.find(".so", path) != std::string::npos)
            files.insert(line.substr(path));
    return files;
}

// With the sanitizers nothing is unloaded (tests/sanitizers/dlclose.cpp).
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kUnloads = false;
#else
constexpr bool kUnloads = true;
#endif

} // namespace

TEST_CASE("device: every optional feature can be masked off, and the foundation still stands")
{
    std::vector<std::vector<std::string>> masks = {kAll};
    for (const std::string& name : kAll)
        masks.push_back({name});
    for (const std::vector<std::string>& mask : masks)
    {
        CAPTURE(mask.front());
        DeviceOptions options;
        options.validation = true;
        options.mask = mask;
        auto device = Device::create(options);
        REQUIRE(device);
        const Features& f = (*device)->features;
        const auto masked = [&](const char* name)
        { return std::find(mask.begin(), mask.end(), name) != mask.end(); };
        CHECK_FALSE((masked("rasterization_order") && f.rasterization_order_access));
        CHECK_FALSE((masked("interlock") && f.fragment_interlock));
        CHECK_FALSE((masked("branches") && f.branches));
        CHECK_FALSE((masked("late_compiler") && f.compiles_late));
        CHECK_FALSE((masked("gathers") && f.gathers));
        CHECK_FALSE((masked("flat_constants") && f.flat_constants));
        CHECK_FALSE((masked("votes") && f.votes));
        CHECK_FALSE((f.is_cpu && f.votes));
        CHECK_FALSE((f.inlined_calls && (f.is_cpu || masked("inlined_calls"))));
        CHECK_FALSE((masked("logic_op") && f.logic_op));
        CHECK_FALSE((masked("cpu") && f.is_cpu));
        CHECK_FALSE((masked("float_controls") && (f.float_rte || f.float_nan_preserve)));
        CHECK_FALSE((masked("beyond_stride") && f.beyond_stride));
        CHECK_FALSE((masked("multi_draw_indirect") && f.multi_draw_indirect));
        CHECK_FALSE((masked("depth_stencil") && f.depth_stencil));
        CHECK(f.depth_float); // Vulkan has D32_SFLOAT or D24, and this machine's device the former
        CHECK_FALSE((masked("timeline_semaphore") && f.timeline_semaphore));
        CHECK_FALSE((masked("creation_feedback") && f.creation_feedback));
        if (masked("large_texel_buffers"))
            CHECK((*device)->properties.limits.maxTexelBufferElements == 65536);
        for (const std::string& message : (*device)->validation_messages())
            FAIL_CHECK(message);
    }
    GpuFixture gpu(kAll);
    Random random(1);
    gpu.fill_random(random, pica::kVramBase, 0x10000);
    gpu.mirror->require(pica::kVramBase, 0x10000);
    CHECK(gpu.stream->wait(gpu.stream->submit()));
}

TEST_CASE("device: what is kept of a device with a stencil or gathers is not used without")
{
    const auto with = Device::create({});
    REQUIRE(with);
    REQUIRE((*with)->features.depth_stencil);
    CHECK(device_key(**with) == device_key(**with));
    std::vector<std::string> names = {"depth_stencil"};
    if ((*with)->features.gathers)
        names.push_back("gathers");
    for (const std::string& name : names)
    {
        CAPTURE(name);
        DeviceOptions options;
        options.mask = {name};
        const auto without = Device::create(options);
        REQUIRE(without);
        CHECK(device_key(**with) != device_key(**without));
    }
}

TEST_CASE("device: a name that no device has is an error that lists the devices")
{
    DeviceOptions options;
    options.device_name = "no such device";
    const auto device = Device::create(options);
    REQUIRE_FALSE(device);
    const std::vector<std::string> names = Device::list();
    REQUIRE_FALSE(names.empty());
    CHECK(device.error().message.find(names.front()) != std::string::npos);
}

TEST_CASE("device: validation messages are kept")
{
    DeviceOptions options;
    options.validation = true;
    auto device = Device::create(options);
    REQUIRE(device);
    Device& d = **device;
    auto info = make<VkBufferCreateInfo>(VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO);
    info.size = 0; // not allowed
    info.usage = VK_BUFFER_USAGE_TRANSFER_SRC_BIT;
    VkBuffer buffer = VK_NULL_HANDLE;
    if (d.vk.vkCreateBuffer(d.handle, &info, nullptr, &buffer) == VK_SUCCESS)
        d.vk.vkDestroyBuffer(d.handle, buffer, nullptr);
    REQUIRE_FALSE(d.validation_messages().empty());
    CHECK(d.validation_messages().front().find("VUID-VkBufferCreateInfo-size") != std::string::npos);
    d.clear_validation_messages();
    CHECK(d.validation_messages().empty());
}

TEST_CASE("memory: many small resources share few blocks, and freed space is used again")
{
    GpuFixture gpu;
    const u32 before = gpu.memory->block_count();
    const VkDeviceSize reserved = gpu.memory->bytes_reserved();
    for (u32 round = 0; round < 3; ++round)
    {
        std::vector<Buffer> buffers;
        for (u32 i = 0; i < 200; ++i)
        {
            auto buffer =
                gpu.memory->create_buffer(1000 + 977 * (i % 13), VK_BUFFER_USAGE_STORAGE_BUFFER_BIT,
                                          i % 3 == 0 ? MemoryKind::Upload : MemoryKind::Device, "test");
            REQUIRE(buffer);
            buffers.push_back(std::move(*buffer));
            if (i % 5 == 4)
                buffers.erase(buffers.begin() + i / 7);
        }
    }
    CHECK(gpu.memory->block_count() <= before + 2);
    auto large =
        gpu.memory->create_buffer(100 << 20, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, MemoryKind::Device, "large");
    REQUIRE(large);
    CHECK(gpu.memory->bytes_reserved() >= reserved + (100 << 20));
    *large = {};
    CHECK(gpu.memory->block_count() <= before + 2);
}

TEST_CASE("stream: serials complete in order, and deferred actions run after their submission")
{
    GpuFixture gpu;
    Stream& stream = *gpu.stream;
    (void)stream.wait(stream.submit());
    std::vector<u64> order;
    u64 last = 0;
    for (u32 i = 0; i < 10; ++i)
    {
        stream.cmd();
        const u64 serial = stream.current();
        stream.defer([&order, serial] { order.push_back(serial); });
        last = stream.submit();
        CHECK(last == serial);
        CHECK(stream.current() == serial + 1);
    }
    CHECK(stream.submit() == last); // nothing recorded: nothing submitted
    CHECK(stream.wait(last));
    CHECK(stream.done(last));
    REQUIRE(order.size() == 10);
    CHECK(std::is_sorted(order.begin(), order.end()));
}

TEST_CASE("upload ring: slices of living submissions never share bytes, and chunks are used again")
{
    GpuFixture gpu;
    for (u32 round = 0; round < 20; ++round)
    {
        const Slice a = gpu.ring->allocate(100, 256), b = gpu.ring->allocate(UploadRing::kChunkSize / 2, 16);
        REQUIRE(a);
        REQUIRE(b);
        CHECK(a.offset % 256 == 0);
        CHECK((a.buffer != b.buffer || b.offset >= a.offset + a.size));
        gpu.stream->cmd();
        (void)gpu.stream->wait(gpu.stream->submit());
    }
    CHECK(gpu.ring->chunk_count() <= 4);
    CHECK(gpu.ring->allocate(3 * UploadRing::kChunkSize, 16));
    // Each is too large for the chunks before it, which then go.
    for (VkDeviceSize size = 3; size < 40; ++size)
    {
        CHECK(gpu.ring->allocate(size << 20));
        gpu.stream->cmd();
        (void)gpu.stream->wait(gpu.stream->submit());
        CHECK(gpu.ring->bytes() <= 4 * UploadRing::kSubmissionBytes + (VkDeviceSize{40} << 20));
    }
}

TEST_CASE(
    "upload ring: the buffer has the bytes that a descriptor at a slice covers, and slices may share them")
{
    GpuFixture gpu;
    constexpr VkDeviceSize kSize = 272, kReach = 672;
    std::set<u64> buffers;
    VkDeviceSize end = 0, last_end = 0;
    while (buffers.size() < 3)
    {
        const Slice slice = gpu.ring->allocate(kSize, 64, kReach);
        REQUIRE(slice);
        CHECK(slice.size == kSize);
        CHECK(slice.offset + kReach <= UploadRing::kChunkSize);
        if (buffers.insert(slice.buffer_id).second)
            last_end = end;
        else
            CHECK(slice.offset == ((end + 63) & ~VkDeviceSize{63})); // right behind the one before
        end = slice.offset + kSize;
    }
    CHECK(last_end + 64 + kReach > UploadRing::kChunkSize); // no more of the chunk is left empty
    // A slice that is larger than what a descriptor covers.
    CHECK(gpu.ring->allocate(2 * UploadRing::kChunkSize, 16, kReach).size == 2 * UploadRing::kChunkSize);
}

TEST_CASE("device: drivers are unloaded with the last device unless they are kept")
{
    std::set<std::string> with_device;
    const auto make_device = [&]
    {
        const auto device = Device::create({});
        REQUIRE(device);
        with_device = mapped_libraries();
        return must_stay_loaded((*device)->driver_id, (*device)->properties.driverVersion);
    };
    const bool kept = make_device();
    CHECK((kept || !kUnloads || mapped_libraries().size() < with_device.size()));
    keep_drivers_loaded();
    make_device();
    CHECK(mapped_libraries() == with_device);
}

// The suites ask for it, and take another way where it is missing (tests/support/device/raster_order.h).
TEST_CASE("device: lavapipe has rasterization-order access")
{
    const auto device = Device::create({});
    REQUIRE(device);
    const bool is_lavapipe = (*device)->driver_id == VK_DRIVER_ID_MESA_LLVMPIPE;
    CHECK(((*device)->features.rasterization_order_access || !is_lavapipe));
}

// NVIDIA's driver, where it is loaded anew for each device, is not found after the thirtieth time.
TEST_CASE("device: a process can have many devices one after another")
{
    for (int i = 0; i < 40; ++i)
    {
        const auto device = Device::create({});
        REQUIRE_MESSAGE(device, message_of(device));
    }
}

TEST_CASE("device: NVIDIA's driver stays loaded, and Mesa's do not")
{
    CHECK(must_stay_loaded(VK_DRIVER_ID_NVIDIA_PROPRIETARY, 0x91000000));
    CHECK_FALSE(must_stay_loaded(VK_DRIVER_ID_MESA_LLVMPIPE, 1));
    CHECK_FALSE(must_stay_loaded(VK_DRIVER_ID_MESA_RADV, 1));
}

TEST_CASE("device times: work is of the kind that its label names")
{
    CHECK(kind_of_label("draw batch: 5 commands, colour 18000000, depth 18300000") == "draw batch");
    CHECK(kind_of_label("memory fill 18000000-18010000") == "memory fill");
    CHECK(kind_of_label("display transfer 18000000 -> 1F000000") == "display transfer");
    CHECK(kind_of_label("picavk frame 17") == "picavk frame");
    CHECK(kind_of_label("decode_texture.comp") == "decode_texture.comp");
    CHECK(kind_of_label("") == "");
}

TEST_CASE("device times: the outermost labels of a command buffer are timed, and labels within them are not")
{
    GpuFixture gpu;
    DeviceTimes times(*gpu.device, *gpu.stream);
    CHECK(gpu.stream->wait(gpu.stream->submit())); // ends a command buffer that is open
    gpu.device->times = &times;
    for (u32 i = 0; i < 3; ++i)
    {
        // The command buffer has a label of its own.
        const LabelScope outer(*gpu.device, gpu.stream->cmd(), "fill %u", i);
        const LabelScope inner(*gpu.device, gpu.stream->cmd(), "within");
    }
    CHECK(gpu.stream->wait(gpu.stream->submit()));
    gpu.device->times = nullptr;
    std::map<std::string, u64> counts;
    for (const DeviceTimes::Total& time : times.totals())
        counts[time.kind] = time.count;
    CHECK(counts == std::map<std::string, u64>{{"fill", 3}, {"picavk frame", 1}});
    CHECK(gpu.device->validation_messages().empty());
}
