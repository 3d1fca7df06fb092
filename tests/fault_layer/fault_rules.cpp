// SPDX-License-Identifier: MIT
#include "tests/fault_layer/fault_rules.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

std::vector<FaultRules::Rule> FaultRules::parse(std::string rest)
{
    std::vector<Rule> rules;
    while (!rest.empty())
    {
        const std::size_t end = std::min(rest.find(','), rest.size());
        const std::string one = rest.substr(0, end);
        rest.erase(0, std::min(end + 1, rest.size()));
        const std::size_t a = one.find(':'), b = one.find(':', a + 1);
        if (b == std::string::npos)
        {
            std::fprintf(stderr, "fault layer: \"%s\" is no rule\n", one.c_str());
            std::abort();
        }
        Rule rule;
        rule.function = one.substr(0, a);
        rule.first = std::strtoul(one.c_str() + a + 1, nullptr, 10);
        rule.and_later = one[b - 1] == '+';
        rule.value = one.substr(b + 1) == "never" ? kNever : std::atoi(one.c_str() + b + 1);
        rules.push_back(rule);
    }
    return rules;
}

void FaultRules::read_again(bool start_anew)
{
    const char* text = std::getenv("PICAVK_FAULTS");
    const std::lock_guard lock(mutex_);
    if (!start_anew && text_ == (text != nullptr ? text : ""))
        return;
    text_ = text != nullptr ? text : "";
    rules_ = parse(text_);
    counts_.clear();
}

std::optional<VkResult> FaultRules::fault_of(const char* function)
{
    const std::lock_guard lock(mutex_);
    const unsigned long number = ++counts_[function];
    for (const Rule& rule : rules_)
        if (rule.function == function && (number == rule.first || (rule.and_later && number > rule.first)))
            return static_cast<VkResult>(rule.value);
    return std::nullopt;
}

std::optional<int> FaultRules::of_submission(const char* name)
{
    const std::lock_guard lock(mutex_);
    const unsigned long number = ++counts_[name];
    for (const Rule& rule : rules_)
        if (rule.function == name && number >= rule.first)
            return rule.value;
    return std::nullopt;
}

std::optional<int> FaultRules::value_of(const char* name)
{
    const std::lock_guard lock(mutex_);
    for (const Rule& rule : rules_)
        if (rule.function == name)
            return rule.value;
    return std::nullopt;
}
