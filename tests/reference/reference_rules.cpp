// SPDX-License-Identifier: MIT
#include "tests/reference/reference_rules.h"

#include <array>
#include <bitset>
#include <cstddef>

namespace tests
{

namespace
{

std::bitset<static_cast<std::size_t>(Exchange::Count)> exchanged;

struct Names
{
    const char* probe;
    const char* name;
};
constexpr std::array<Names, static_cast<std::size_t>(Exchange::Count)> kNames = {{
    {nullptr, nullptr},
#define EXCHANGE(id, probe, name) {probe, name},
#include "tests/reference/reference_rules.def"
#undef EXCHANGE
}};

} // namespace

ExchangedRule::ExchangedRule(Exchange rule) : rule_(rule)
{
    exchanged.set(static_cast<std::size_t>(rule));
}

ExchangedRule::~ExchangedRule()
{
    exchanged.reset(static_cast<std::size_t>(rule_));
}

bool is_exchanged(Exchange rule)
{
    return exchanged.test(static_cast<std::size_t>(rule));
}

const char* exchange_probe(Exchange rule)
{
    return kNames[static_cast<std::size_t>(rule)].probe;
}

const char* exchange_name(Exchange rule)
{
    return kNames[static_cast<std::size_t>(rule)].name;
}

} // namespace tests
