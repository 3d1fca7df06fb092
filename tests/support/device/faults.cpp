// SPDX-License-Identifier: MIT
#include "tests/support/device/faults.h"

#include "renderer/vulkan/device.h"

#include <cstdlib>

namespace tests
{

namespace
{

constexpr const char* kVariables[] = {"PICAVK_FAULTS", "VK_ADD_LAYER_PATH", "VK_INSTANCE_LAYERS"};

// The first one is the nearest to the program.
std::string layers_with(ValidationLayers validation)
{
    switch (validation)
    {
    case ValidationLayers::Below:
        return "VK_LAYER_PICAVK_faults:VK_LAYER_KHRONOS_validation";
    case ValidationLayers::Above:
        return "VK_LAYER_KHRONOS_validation:VK_LAYER_PICAVK_faults";
    default:
        return "VK_LAYER_PICAVK_faults";
    }
}

// Null removes it.
void set_variable(const char* name, const char* value)
{
#ifdef _WIN32
    _putenv_s(name, value == nullptr ? "" : value);
#else
    if (value == nullptr)
        unsetenv(name);
    else
        setenv(name, value, 1);
#endif
}

} // namespace

Faults::Faults(const std::string& rules, ValidationLayers validation)
{
    const std::string values[] = {rules, PICAVK_LAYERS, layers_with(validation)};
    for (std::size_t i = 0; i < 3; ++i)
        set_variable(kVariables[i], values[i].c_str());
}

void Faults::change(const std::string& rules)
{
    set_variable(kVariables[0], rules.c_str());
}

Faults::~Faults()
{
    for (const char* variable : kVariables)
        set_variable(variable, nullptr);
}

std::string interlock_rule()
{
    const auto device = renderer::Device::create({});
    return device && (*device)->features.fragment_interlock ? "" : "pretend-interlock:1:1";
}

} // namespace tests
