// SPDX-License-Identifier: MIT
#include "tests/gpu_cost/program/drivers.h"

#include "samples/cli/measurement_process.h"
#include "tests/gpu_cost/layer/reference.h"
#include "tests/gpu_cost/layer/second_driver.h"

#include <nlohmann/json.hpp>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include <ctype.h>

namespace gpu_cost
{

using pica::Error;
using pica::Result;

namespace
{

namespace fs = std::filesystem;

// The manifest of an installed driver; empty: there is none.
fs::path find_manifest(const std::string& beginning)
{
    for (const char* folder :
         {"/usr/share/vulkan/icd.d", "/usr/local/share/vulkan/icd.d", "/etc/vulkan/icd.d"})
    {
        std::error_code ignored;
        for (const auto& entry : fs::directory_iterator(folder, ignored))
            if (entry.path().filename().string().starts_with(beginning) &&
                entry.path().extension() == ".json")
                return entry.path();
    }
    return {};
}

std::string library_of(const fs::path& manifest)
{
    std::ifstream file(manifest);
    const auto json = nlohmann::json::parse(file, nullptr, false);
    const std::string path =
        json.is_object() && json.contains("ICD") ? json["ICD"].value("library_path", "") : "";
    // A path counts from the manifest; a bare name is for the dynamic linker.
    return path.find('/') == std::string::npos ? path : (manifest.parent_path() / path).string();
}

// RADV's spelling: versions of Mesa differ in upper and lower case. Empty: it does not know the family.
std::string spelling(const std::string& library, std::string family)
{
    std::ifstream file(library, std::ios::binary);
    const std::string content{std::istreambuf_iterator<char>(file), {}};
    const auto known = [&] { return content.find('\0' + family + '\0') != std::string::npos; };
    for (int (*const letter)(int) : {&toupper, &tolower})
    {
        for (char& c : family)
            c = static_cast<char>(letter(static_cast<unsigned char>(c)));
        if (known())
            return family;
    }
    return {};
}

// In a child process: the version of Mesa, or "!" and what is wrong.
std::string try_driver(const Drivers& drivers, const std::string& reference_file)
{
    setenv("RADV_FORCE_FAMILY", drivers.family.c_str(), 1);
    const auto device = SecondDevice::create(drivers.radv, true);
    if (!device)
        return "!" + device.error().message;
    const Reference reference(**device, read_spirv(reference_file.c_str()));
    if (reference.lacks_statistics())
        return "!" + drivers.radv + " does not tell the statistics that budgets are about";
    return (*device)->version();
}

} // namespace

Result<Drivers> find_drivers(const std::string& family, const std::string& reference_file)
{
    Drivers drivers;
    drivers.lavapipe = find_manifest("lvp_icd").string();
    if (drivers.lavapipe.empty())
        return Error{"lavapipe is not installed, on which the program would run"};
    const fs::path radeon = find_manifest("radeon_icd");
    if (radeon.empty())
        return Error{"RADV is not installed, whose compiler would be asked (Debian: mesa-vulkan-drivers)"};
    drivers.radv = library_of(radeon);
    drivers.family = spelling(drivers.radv, family);
    if (drivers.family.empty())
        return Error{"the installed RADV does not know the GPU " + family};
    const Result<std::string> answer =
        samples::in_own_process(false, [&] { return try_driver(drivers, reference_file); });
    if (!answer || answer->empty())
        return Error{drivers.radv + " cannot compile without a GPU"};
    if (answer->front() == '!')
        return Error{answer->substr(1)};
    drivers.radv_version = *answer;
    return drivers;
}

} // namespace gpu_cost
