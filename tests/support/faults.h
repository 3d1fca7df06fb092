// SPDX-License-Identifier: MIT
// Vulkan devices that fail on demand, in this process and in the programs it starts.
#pragma once

#include <string>
#include <vector>

namespace tests
{

// While it lives, devices that are made follow the rules (tests/fault_layer/fault_layer.cpp says which there
// are).
class Faults
{
public:
    // with_validation: the validation layers too, behind the faults; what they say is printed on stdout
    // unless the program asks to be told.
    explicit Faults(const std::string& rules, bool with_validation = false);
    ~Faults();
    // From the next submission of a device that was made under it.
    void change(const std::string& rules);
    Faults(const Faults&) = delete;
    Faults& operator=(const Faults&) = delete;
};

} // namespace tests
