// SPDX-License-Identifier: MIT
// The self-test on this machine's device, its stored result, and what the generator gets from it.
#include "renderer/self_test/self_test.h"
#include "renderer/self_test/self_test_reference.h"
#include "tests/support/device/gpu_fixture.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

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
    const auto result = run_self_test(*device, "");
    REQUIRE(result);
    MESSAGE(result->text());
    CHECK(result->usable());
    CHECK(result->coverage_exact);
    CHECK(result->fixed_blend_exact);
    CHECK(result->fetch_exact);
    CHECK_FALSE(result->from_file);
    check_silence(*device);
}

TEST_CASE("self-test: barrier fetches and undeclared float controls are tested where features are masked")
{
    const auto device = make_device({"rasterization_order", "float_controls"});
    const auto result = run_self_test(*device, "");
    REQUIRE(result);
    CHECK(result->fetch_exact);
    const shadergen::Target target = make_target(*device, *result, 2);
    CHECK_FALSE(target.rounding_mode_rte);
    CHECK_FALSE(target.nan_preserve);
    CHECK(target.scale == 2);
    CHECK(target.reciprocal_steps == result->reciprocal_steps);
    check_silence(*device);
}

TEST_CASE("self-test: the verdict is kept in a file, and a damaged file is measured again")
{
    const std::filesystem::path directory = std::filesystem::temp_directory_path() / "picavk_self_test_test";
    std::filesystem::remove_all(directory);
    const auto device = make_device();
    const auto first = run_self_test(*device, directory.string());
    REQUIRE(first);
    CHECK_FALSE(first->from_file);
    auto second = run_self_test(*device, directory.string());
    REQUIRE(second);
    CHECK(second->from_file);
    second->from_file = false;
    second->milliseconds = first->milliseconds;
    CHECK(*second == *first);
    for (const auto& entry : std::filesystem::directory_iterator(directory))
        std::ofstream(entry.path()) << "steps 0 compute 1";
    const auto third = run_self_test(*device, directory.string());
    REQUIRE(third);
    CHECK_FALSE(third->from_file);
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
