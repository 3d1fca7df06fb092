// SPDX-License-Identifier: MIT
// CallbackStore: a CacheStore that the host keeps (CacheOptions::load and store). It calls one of the two at a time.
#pragma once

#include "renderer/cache/cache_options.h"
#include "renderer/cache/cache_store.h"

#include <mutex>

namespace renderer
{

class CallbackStore final : public CacheStore
{
public:
    // options.load and options.store are not empty.
    explicit CallbackStore(const CacheOptions& options) : load_(options.load), store_(options.store) {}

    std::vector<pica::u8> load(const std::string& name) override
    {
        const std::lock_guard lock(mutex_);
        return load_(name);
    }
    pica::Status store(const std::string& name, std::span<const pica::u8> bytes) override
    {
        const std::lock_guard lock(mutex_);
        return store_(name, bytes) ? pica::Status{} : pica::Error{"the host did not store " + name};
    }

private:
    std::mutex mutex_;
    const decltype(CacheOptions::load) load_;
    const decltype(CacheOptions::store) store_;
};

} // namespace renderer
