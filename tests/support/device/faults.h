// SPDX-License-Identifier: MIT
// Vulkan devices that fail on demand, in this process and in the programs that it starts.
#pragma once

#include <string>
#include <vector>

namespace tests
{

// As long as it exists, new devices follow the rules (tests/fault_layer/fault_layer.cpp lists them).
class Faults
{
public:
    // with_validation: enables the validation layers too, below the fault layer. Their messages are printed
    // on stdout unless the program asks for them.
    explicit Faults(const std::string& rules, bool with_validation = false);
    ~Faults();
    // New rules, from the next submission on of devices made while this exists.
    void change(const std::string& rules);
    Faults(const Faults&) = delete;
    Faults& operator=(const Faults&) = delete;
};

} // namespace tests
