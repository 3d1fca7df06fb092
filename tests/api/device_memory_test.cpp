// SPDX-License-Identifier: MIT
// What a context has allocated on the device before the guest draws, as hosts see it.
#include "pica/memory/guest_memory.h"
#include "renderer/picavk.h"

#include <doctest/doctest.h>

#include <cstdlib>
#include <memory>

namespace
{

constexpr uint64_t kMiB = uint64_t{1} << 20;

struct Free
{
    void operator()(uint8_t* bytes) const { std::free(bytes); }
    void operator()(PicavkContext* context) const { picavk_destroy(context); }
};
using Bytes = std::unique_ptr<uint8_t, Free>;

// Memory that the process does not hold before it is touched.
Bytes allocate(uint64_t size)
{
    return Bytes(static_cast<uint8_t*>(std::calloc(1, static_cast<std::size_t>(size))));
}

} // namespace

TEST_CASE(
    "device memory: a context with all of a console's memory begins with little, and grows with what is used")
{
    const Bytes vram = allocate(pica::kVramSize), fcram = allocate(128 * kMiB);
    const PicavkRegion regions[] = {{pica::kVramBase, pica::kVramSize, vram.get()},
                                    {pica::kFcramBase, 128 * kMiB, fcram.get()}};
    PicavkCreateInfo info{};
    info.struct_size = sizeof info;
    info.backend = PICAVK_BACKEND_VULKAN;
    info.regions = regions;
    info.region_count = 2;
    info.vulkan_validation = 1;
    info.pipelines = PICAVK_PIPELINES_AT_ONCE;
    PicavkContext* created = nullptr;
    char message[256];
    const PicavkResult result = picavk_create(&info, &created, message, sizeof message);
    REQUIRE_MESSAGE(result == PICAVK_OK, message);
    const std::unique_ptr<PicavkContext, Free> context(created);
    const auto memory = [&]
    {
        PicavkStatistics counts{};
        counts.struct_size = sizeof counts;
        REQUIRE(picavk_statistics(context.get(), &counts) == PICAVK_OK);
        return counts.device_memory;
    };
    const uint64_t before = memory();
    CHECK(before > 0);
    CHECK(before <= 32 * kMiB);

    // A fill in the middle of FCRAM: the copy reaches up to it, and not to the end.
    const uint32_t start = pica::kFcramBase + 64 * kMiB;
    REQUIRE(picavk_memory_fill(context.get(), start, start + 0x1000, 0x12345678, 32, 0) == PICAVK_OK);
    CHECK(memory() >= 64 * kMiB);
    CHECK(memory() <= before + 64 * kMiB + 0x1000 + 8 * kMiB);
    REQUIRE(picavk_will_read(context.get(), start, 0x1000) == PICAVK_OK);
    CHECK(fcram.get()[64 * kMiB + 0xFFC] == 0x78);
}
