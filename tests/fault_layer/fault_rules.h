// SPDX-License-Identifier: MIT
// FaultRules: the rules of the environment variable PICAVK_FAULTS, and which of them apply to a call.
// fault_layer.cpp lists the rules. Thread-safe.
#pragma once

#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include <vulkan/vulkan_core.h>

class FaultRules
{
public:
    // Value of a rule that ends in "never".
    static constexpr int kNever = -1;

    // Reads the variable. A changed text restarts the counts of calls; so does start_anew.
    void read_again(bool start_anew);
    // Counts a call of the function. The result that it is to have, if not the driver's.
    std::optional<VkResult> fault_of(const char* function);
    // Counts a submission. The value of the rule with this name, if it applies to it.
    std::optional<int> of_submission(const char* name);
    // The value of a rule that counts nothing.
    std::optional<int> value_of(const char* name);

private:
    struct Rule
    {
        std::string function;
        unsigned long first = 1;
        bool and_later = false;
        int value = 0;
    };
    static std::vector<Rule> parse(std::string text);

    std::mutex mutex_;
    std::string text_;
    std::vector<Rule> rules_;
    std::map<std::string, unsigned long> counts_;
};
