// SPDX-License-Identifier: MIT
// Vulkan devices that fail on demand, in this process and in the programs that it starts.
#pragma once

#include <string>
#include <vector>

namespace tests
{

// Enables the validation layers too. Below the fault layer they see what reaches the driver; above it, what the program
// does with the device that the rules make of the driver's.
enum class ValidationLayers
{
    None,
    Below,
    Above,
};

// As long as it exists, new devices follow the rules (tests/fault_layer/fault_layer.cpp lists them).
class Faults
{
public:
    // Messages of the validation layers are printed on stdout unless the program asks for them.
    explicit Faults(const std::string& rules, ValidationLayers validation = ValidationLayers::None);
    ~Faults();
    // New rules, from the next submission on of devices made while this exists.
    void change(const std::string& rules);
    Faults(const Faults&) = delete;
    Faults& operator=(const Faults&) = delete;
};

// The rule that gives the machine's device the pixel interlock, empty where it has it. Shaders lose their interlock by the
// rule, which does no harm on drivers that draw a pixel's fragments in order anyway, as software rasterisers do.
std::string interlock_rule();

} // namespace tests
