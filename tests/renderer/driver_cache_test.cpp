// SPDX-License-Identifier: MIT
// The driver's cache of pipelines: only data that names this device reaches the driver.
#include "pica/base/bytes.h"
#include "renderer/cache/cache_options.h"
#include "renderer/cache/device_key.h"
#include "renderer/cache/disk_cache.h"
#include "renderer/pipelines/driver_cache.h"
#include "renderer/pipelines/pipeline_cache.h"
#include "renderer/pipelines/shader_cache.h"

#include <doctest/doctest.h>

#include <cstdlib>
#include <map>
#include <memory>
#include <string>

using namespace renderer;

namespace
{

std::vector<u8> data_for(const VkPhysicalDeviceProperties& properties, std::size_t more)
{
    std::vector<u8> data;
    pica::append_word(data, 32);
    pica::append_word(data, VK_PIPELINE_CACHE_HEADER_VERSION_ONE);
    pica::append_word(data, properties.vendorID);
    pica::append_word(data, properties.deviceID);
    pica::append_bytes(data, properties.pipelineCacheUUID);
    data.resize(data.size() + more, 7);
    return data;
}

VkPhysicalDeviceProperties some_properties()
{
    VkPhysicalDeviceProperties properties{};
    properties.vendorID = 0x1002;
    properties.deviceID = 0x73BF;
    for (u8 i = 0; i < VK_UUID_SIZE; i++)
        properties.pipelineCacheUUID[i] = static_cast<u8>(i * 7 + 1);
    return properties;
}

std::unique_ptr<DiskCache> cache_in(std::map<std::string, std::vector<u8>>& records)
{
    CacheOptions options;
    options.load = [&](const std::string& name) { return records[name]; };
    options.store = [&](const std::string& name, std::span<const u8> bytes)
    {
        records[name].assign(bytes.begin(), bytes.end());
        return true;
    };
    return DiskCache::create(options);
}

} // namespace

TEST_CASE("driver cache: the header must name the device and be whole")
{
    const VkPhysicalDeviceProperties properties = some_properties();
    const std::vector<u8> good = data_for(properties, 100);
    CHECK(is_driver_data_for(properties, good));
    CHECK(is_driver_data_for(properties, std::span(good).first(32)));
    for (std::size_t size = 0; size < 32; size++)
        CHECK_FALSE(is_driver_data_for(properties, std::span(good).first(size)));
    // Of the header's size the last bytes make it smaller or larger than the data.
    for (std::size_t at = 0; at < 32; at++)
        for (const u8 bit : {u8{0x20}, u8{0x80}})
        {
            std::vector<u8> other = good;
            other[at] ^= bit;
            // Headers may be longer than those of version one.
            const bool still_good = pica::load_word(other.data()) >= 32 &&
                                    pica::load_word(other.data()) <= other.size() && at < 4;
            CHECK(is_driver_data_for(properties, other) == still_good);
        }
}

TEST_CASE("driver cache: kept data of another device is refused and a cache is made all the same")
{
    std::map<std::string, std::vector<u8>> records;
    const auto disk = cache_in(records);
    DeviceOptions wanted;
    wanted.validation = true;
    const auto device = Device::create(wanted);
    REQUIRE(device);
    const DriverCachePlace place{disk.get(), device_key(**device)};
    CHECK(find_driver_data(**device, place).empty());
    CHECK(disk->counters().refused == 0);

    const std::vector<u8> good = data_for((*device)->properties, 0);
    disk->keep("pipelines", place.key, good);
    CHECK(find_driver_data(**device, place) == good);
    CHECK(make_driver_cache(**device, good));

    std::vector<u8> other = good;
    other[20] ^= 1; // of the UUID
    disk->keep("pipelines", place.key, other);
    CHECK(find_driver_data(**device, place).empty());
    CHECK(disk->counters().refused == 1);
    const auto empty = make_driver_cache(**device, {});
    REQUIRE(empty);
    keep_driver_data(**device, place, empty->get()); // whatever the driver has to keep
    for (const std::string& message : (*device)->validation_messages())
        FAIL_CHECK(message);
}

// lavapipe keeps nothing in its cache. RADV does, and compiles without a GPU if it is told which one to take.
TEST_CASE("driver cache: what a driver kept comes back to it")
{
    setenv("RADV_FORCE_FAMILY", "NAVI21", 1);
    DeviceOptions wanted;
    wanted.device_name = "NAVI21";
    const auto device = Device::create(wanted);
    unsetenv("RADV_FORCE_FAMILY");
    if (!device)
    {
        MESSAGE("RADV is not there: ", device.error().message);
        return;
    }
    std::map<std::string, std::vector<u8>> records;
    const auto disk = cache_in(records);
    const DriverCachePlace place{disk.get(), device_key(**device)};
    const auto make_pipelines = [&]
    {
        ShaderCache shaders(**device, {}, 16, nullptr);
        auto cache = DriverCache::create(**device, place);
        REQUIRE(cache);
        auto pipelines = PipelineCache::create(**device, **cache);
        REQUIRE(pipelines);
        for (const char* stage : {"classify", "emit"})
        {
            const auto module = shaders.fixed_stage(stage);
            REQUIRE(module);
            CHECK((*pipelines)->compute(ComputeStage::Triangles, *module));
        }
        (*cache)->keep();
        return (*cache)->counters();
    };
    const DriverCache::Counters cold = make_pipelines();
    CHECK(cold.made == 2);
    if ((*device)->features.creation_feedback)
    {
        CHECK(cold.compiled == 2);
        CHECK(cold.found == 0);
    }
    const std::vector<u8> first = find_driver_data(**device, place);
    REQUIRE(first.size() > 2000);
    CHECK(is_driver_data_for((*device)->properties, first));
    const auto again = make_driver_cache(**device, first);
    REQUIRE(again);
    std::size_t size = 0;
    (*device)->vk.vkGetPipelineCacheData((*device)->handle, again->get(), &size, nullptr);
    CHECK(size == first.size()); // the driver took all of it
    const DiskCache::Counters before = disk->counters();
    const DriverCache::Counters warm = make_pipelines();
    CHECK(warm.made == 2);
    CHECK(warm.compiled == 0);
    CHECK(warm.found == ((*device)->features.creation_feedback ? 2 : 0));
    CHECK(disk->counters().hits > before.hits);
    CHECK(disk->counters().refused == 0);
    CHECK(disk->counters().written == before.written); // nothing new was compiled, so nothing is kept
    // Damage that only the driver could notice does not reach it.
    for (auto& [name, record] : records)
        record[record.size() / 2] ^= 1;
    CHECK(find_driver_data(**device, place).empty());
    CHECK(make_pipelines().found == 0);
    CHECK(find_driver_data(**device, place).size() == first.size());
    (*device)->abandon(); // without a GPU this driver cannot wait until it is idle
}
