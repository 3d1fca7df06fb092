// SPDX-License-Identifier: MIT
// The self-test on this machine's device, its stored result, and what the generator gets from it.
#include "renderer/self_test/self_test.h"

#include "renderer/cache/cache_options.h"
#include "renderer/cache/disk_cache.h"
#include "renderer/self_test/self_test_reference.h"
#include "tests/support/device/gpu_fixture.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

using namespace tests;
using namespace renderer;

namespace
{

std::unique_ptr<Device> make_device(std::vector<std::string> mask = {})
{
    DeviceOptions options;
    options.validation = true;
    options.mask = std::move(mask);
    auto device = Device::create(options);
    REQUIRE(device);
    return std::move(*device);
}

void check_silence(const Device& device)
{
    for (const std::string& message : device.validation_messages())
        FAIL_CHECK(message);
}

} // namespace

TEST_CASE("self-test: the device of this machine is exact in every part")
{
    const auto device = make_device();
    const auto result = run_self_test(*device, nullptr);
    REQUIRE(result);
    MESSAGE(result->text());
    CHECK(result->usable());
    CHECK(result->coverage_exact);
    CHECK(result->fixed_blend_exact);
    CHECK(result->fetch_exact);
    CHECK_FALSE(result->from_cache);
    check_silence(*device);
}

TEST_CASE("self-test: barrier fetches and undeclared float controls are tested where features are masked")
{
    const auto device = make_device({"rasterization_order", "float_controls"});
    const auto result = run_self_test(*device, nullptr);
    REQUIRE(result);
    CHECK(result->fetch_exact);
    const shadergen::Target target = make_target(*device, *result, 2);
    CHECK_FALSE(target.rounding_mode_rte);
    CHECK_FALSE(target.nan_preserve);
    CHECK(target.scale == 2);
    CHECK(target.reciprocal_steps == result->reciprocal_steps);
    check_silence(*device);
}

TEST_CASE("self-test: the verdict is kept, and a changed record is measured again")
{
    const std::filesystem::path directory = std::filesystem::temp_directory_path() / "picavk_self_test_test";
    std::filesystem::remove_all(directory);
    const auto device = make_device();
    CacheOptions options;
    options.directory = directory.string();
    const auto cache = DiskCache::create(options);
    const auto first = run_self_test(*device, cache.get());
    REQUIRE(first);
    CHECK_FALSE(first->from_cache);
    auto second = run_self_test(*device, cache.get());
    REQUIRE(second);
    CHECK(second->from_cache);
    second->from_cache = false;
    second->milliseconds = first->milliseconds;
    CHECK(*second == *first);
    // One bit anywhere in the record.
    std::vector<pica::u8> record;
    std::filesystem::path path;
    for (const auto& entry : std::filesystem::directory_iterator(directory))
    {
        path = entry.path();
        std::ifstream file(path, std::ios::binary);
        record.assign(std::istreambuf_iterator<char>(file), {});
    }
    REQUIRE(record.size() > 40);
    for (const std::size_t at : {std::size_t{0}, record.size() / 2, record.size() - 9, record.size() - 1})
    {
        std::vector<pica::u8> damaged = record;
        damaged[at] ^= 1;
        std::ofstream(path, std::ios::binary)
            .write(reinterpret_cast<const char*>(damaged.data()),
                   static_cast<std::streamsize>(damaged.size()));
        const auto measured = run_self_test(*device, cache.get());
        REQUIRE(measured);
        CHECK_FALSE(measured->from_cache);
        CHECK(measured->text().substr(0, measured->text().rfind('(')) ==
              first->text().substr(0, first->text().rfind('(')));
    }
    CHECK(run_self_test(*device, cache.get())->from_cache); // it was written again
    CHECK(cache->counters().refused == 4);
    std::filesystem::remove_all(directory);
    check_silence(*device);
}

TEST_CASE("self-test: the reference has triangles of every kind and no vacuous cases")
{
    const std::vector<CoveragePoint> points = coverage_triangles();
    CHECK(points.size() / 3 > 8000);
    const std::vector<pica::u32> image = coverage_reference(points);
    const auto uncovered = std::count(image.begin(), image.end(), kUncovered);
    CHECK(uncovered < static_cast<std::ptrdiff_t>(image.size() / 2));
    std::vector<pica::u32> cases(4096);
    for (pica::u32 n = 0; n < 4096; ++n)
        cases[n] = self_test_case(n);
    std::sort(cases.begin(), cases.end());
    CHECK(std::unique(cases.begin(), cases.end()) - cases.begin() > 4080);
}
