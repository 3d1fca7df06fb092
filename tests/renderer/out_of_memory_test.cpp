// SPDX-License-Identifier: MIT
// A device whose memory runs out: other memory types, what is given back, and the same bytes as long as anything can be
// done.
#include "renderer/vulkan/memory.h"
#include "tests/support/device/faults.h"
#include "tests/support/suite/list_scene.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace tests;
using namespace renderer;
using pica::kFcramBase;
using pica::kVramBase;

namespace
{

constexpr u64 kMiB = u64{1} << 20;

VkPhysicalDeviceMemoryProperties types(const std::vector<VkMemoryPropertyFlags>& flags)
{
    VkPhysicalDeviceMemoryProperties memory{};
    memory.memoryTypeCount = static_cast<u32>(flags.size());
    for (u32 i = 0; i < memory.memoryTypeCount; i++)
        memory.memoryTypes[i].propertyFlags = flags[i];
    return memory;
}

// A guest that draws many textures, each of its own, on a device that follows the rules.
struct TexturedGuest
{
    explicit TexturedGuest(const std::string& rules)
        : faults(rules), machine(kRasterOrder, Shaders::Specialised), random(7),
          scene(machine, random, 64, 64)
    {
        machine.begin_seed(random, ConformanceMachine::Compare::AtEnd);
        scene.textured();
    }
    ~TexturedGuest()
    {
        machine.end_seed();
        CHECK(machine.failure() == "");
        CHECK(machine.changed_memory());
    }
    TexturedGuest(const TexturedGuest&) = delete;
    TexturedGuest& operator=(const TexturedGuest&) = delete;
    // Draws with so many textures, 1 MiB each as an image, and ends the frame.
    void frame(u32 textures)
    {
        for (u32 i = 0; i < textures; i++)
        {
            scene.texture_unit(0, ListScene::kTextures + number++ % 200 * 0x80, 512, 512,
                               pica::TextureFormat::A4);
            scene.triangles(3);
            scene.draw();
            scene.run();
        }
        machine.gpu().end_frame();
    }
    u64 reserved() { return machine.vulkan().statistics().device_memory; }

    Faults faults;
    ConformanceMachine machine;
    Random random;
    ListScene scene;
    u32 number = 0;
};

} // namespace

TEST_CASE("out of memory: the types of a device, best first")
{
    constexpr VkMemoryPropertyFlags kLocal = VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT,
                                    kVisible = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT,
                                    kCoherent = VK_MEMORY_PROPERTY_HOST_COHERENT_BIT,
                                    kCached = VK_MEMORY_PROPERTY_HOST_CACHED_BIT;
    const auto memory = types({kVisible | kCoherent, kLocal | VK_MEMORY_PROPERTY_PROTECTED_BIT, kLocal,
                               kVisible | kCoherent | kCached, kLocal | kVisible | kCoherent,
                               kLocal | VK_MEMORY_PROPERTY_LAZILY_ALLOCATED_BIT, kVisible | kCached});
    using List = std::vector<u32>;
    CHECK(memory_types(memory, ~0u, MemoryKind::Device) == List{2, 4, 0, 3, 6});
    CHECK(memory_types(memory, ~4u, MemoryKind::Device) == List{4, 0, 3, 6});
    CHECK(memory_types(memory, ~0u, MemoryKind::Upload) == List{0, 3, 4});
    CHECK(memory_types(memory, ~0u, MemoryKind::Readback) == List{3, 6, 0, 4});
    CHECK(memory_types(memory, 2, MemoryKind::Device).empty());
}

TEST_CASE("out of memory: an allocation that fails once is repeated")
{
    u32 shortages = 0;
    for (u32 number = 1; number <= 3; number++)
    {
        CAPTURE(number);
        TexturedGuest guest("");
        guest.frame(1); // reads the rules when it is submitted
        guest.faults.change("vkAllocateMemory:" + std::to_string(number) + ":-2");
        for (u32 frame = 0; frame < 3; frame++)
        {
            guest.frame(60);
            guest.machine.read(kVramBase, 0x10000);
        }
        shortages += guest.machine.vulkan().statistics().memory_shortages != 0;
    }
    CHECK(shortages >= 1); // how many allocations there are depends on what the device has finished
}

TEST_CASE("out of memory: decoded textures and upload memory make room for what a frame needs")
{
    u64 idle = 0;
    {
        TexturedGuest guest("");
        guest.frame(1);
        idle = guest.reserved() / kMiB;
        guest.frame(48);
        CHECK(guest.reserved() > (idle + 40) * kMiB); // what follows has less
    }
    TexturedGuest guest("memory:1:" + std::to_string(idle + 16));
    for (u32 frame = 0; frame < 3; frame++)
        guest.frame(48);
    CHECK(guest.reserved() <= (idle + 16) * kMiB);
    CHECK(guest.machine.vulkan().statistics().memory_shortages > 0);
}

TEST_CASE("out of memory: a device with nothing left fails, and the message says how much it had")
{
    const Faults faults("vkAllocateMemory:2+:-2");
    DeviceOptions options;
    options.validation = true;
    const auto device = Device::create(options);
    REQUIRE(device);
    Memory memory(**device);
    u32 asked = 0;
    memory.relieve = [&] { return asked++ < 2; };
    const auto first =
        memory.create_buffer(64 * kMiB, VK_BUFFER_USAGE_TRANSFER_DST_BIT, MemoryKind::Device, "test");
    CHECK(first);
    const auto second =
        memory.create_buffer(64 * kMiB, VK_BUFFER_USAGE_TRANSFER_DST_BIT, MemoryKind::Device, "test");
    REQUIRE_FALSE(second);
    CHECK(asked == 3);
    CHECK(second.error().message.find(
              "vkAllocateMemory of 65536 KiB, with 64 MiB allocated: out of device memory") !=
          std::string::npos);
    CHECK_FALSE((*device)->status());
    CHECK((*device)->validation_messages().empty());
}
