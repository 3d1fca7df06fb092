// SPDX-License-Identifier: MIT
// Rules that the scalar reference can exchange: what a console might do where picavk has a rule of its own. A probe
// (samples/probe) tells them apart; the answers of a reference with one rule exchanged are in its table.
#pragma once

#include "pica/base/types.h"

namespace tests
{

enum class Exchange : pica::u16
{
    None,
#define EXCHANGE(id, probe, name) id,
#include "tests/reference/reference_rules.def"
#undef EXCHANGE
    Count,
};

// While it lives, the reference computes with the exchanged rule (None: with its own). Several may live, on one thread.
class ExchangedRule
{
public:
    explicit ExchangedRule(Exchange rule);
    ~ExchangedRule();
    ExchangedRule(const ExchangedRule&) = delete;
    ExchangedRule& operator=(const ExchangedRule&) = delete;

private:
    Exchange rule_;
};

bool is_exchanged(Exchange rule);
// The probe that tells, and what its table calls the rule; null for None.
const char* exchange_probe(Exchange rule);
const char* exchange_name(Exchange rule);

} // namespace tests
