// SPDX-License-Identifier: MIT
#include "tests/support/device/faults.h"

#include <cstdlib>

namespace tests
{

namespace
{

constexpr const char* kVariables[] = {"PICAVK_FAULTS", "VK_ADD_LAYER_PATH", "VK_INSTANCE_LAYERS"};

} // namespace

Faults::Faults(const std::string& rules, bool with_validation)
{
    const std::string layers =
        with_validation ? "VK_LAYER_PICAVK_faults:VK_LAYER_KHRONOS_validation" : "VK_LAYER_PICAVK_faults";
    const std::string values[] = {rules, PICAVK_LAYERS, layers};
    for (std::size_t i = 0; i < 3; ++i)
        setenv(kVariables[i], values[i].c_str(), 1);
}

void Faults::change(const std::string& rules)
{
    setenv(kVariables[0], rules.c_str(), 1);
}

Faults::~Faults()
{
    for (const char* variable : kVariables)
        unsetenv(variable);
}

} // namespace tests
