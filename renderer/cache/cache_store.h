// SPDX-License-Identifier: MIT
// CacheStore: named byte strings that outlive the process. It may lose, keep or damage them as it likes: what it
// gives back is checked by its user (cache_record.h).
#pragma once

#include "pica/base/result.h"
#include "pica/base/types.h"

#include <span>
#include <string>
#include <vector>

namespace renderer
{

class CacheStore
{
public:
    virtual ~CacheStore() = default;

    // Both functions are thread-safe. Names consist of a-z, 0-9 and '-'.
    // The bytes that were stored last under the name; empty if there are none.
    virtual std::vector<pica::u8> load(const std::string& name) = 0;
    // An error: the bytes could not be kept. What was there before may stay.
    virtual pica::Status store(const std::string& name, std::span<const pica::u8> bytes) = 0;
};

} // namespace renderer
