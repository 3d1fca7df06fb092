// SPDX-License-Identifier: MIT
// DiskCache: what a renderer keeps from run to run, as checked records in a CacheStore. A record that is missing, old,
// damaged or of another machine counts as not there. Nothing that goes wrong here is a failure: it is reported once, and
// after a record that could not be written, nothing more is written. Every key contains the version of the shader
// generator (shadergen/generator_version.h). Thread-safe, but for report(). Tests: tests/renderer/disk_cache_test.cpp.
#pragma once

#include "pica/base/report.h"
#include "renderer/cache/cache_store.h"

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace renderer
{

struct CacheOptions;

class DiskCache
{
public:
    explicit DiskCache(std::unique_ptr<CacheStore> store);
    // Null if the options ask for nothing to be kept.
    static std::unique_ptr<DiskCache> create(const CacheOptions& options);

    // The content of a record that passed all checks.
    std::optional<std::vector<pica::u8>> find(std::string_view kind, std::span<const pica::u8> key);
    // Keeps the content under the key. What was kept there before is replaced.
    void keep(std::string_view kind, std::span<const pica::u8> key, std::span<const pica::u8> content);
    // To be called for content that passed the checks of the record, and which the caller cannot use all the same.
    void refuse(std::string_view kind, const std::string& why);

    // Tells of the problems so far. For the renderer's thread.
    void report(pica::Report& report);

    struct Counters
    {
        pica::u64 hits = 0, misses = 0;
        pica::u64 refused =
            0; // records that were there, and did not pass the checks; they count as misses too
        pica::u64 written = 0;
        pica::u64 bytes_read = 0, bytes_written = 0;
    };
    // The counters since creation.
    Counters counters() const;

private:
    std::vector<pica::u8> full_key(std::span<const pica::u8> key) const;
    void add_problem(const char* cause, std::string detail);

    struct Problem
    {
        const char* cause;
        std::string detail;
    };
    const std::unique_ptr<CacheStore> store_;
    const std::string generator_;
    std::atomic<bool> writes_{true}; // false: a write has failed
    std::atomic<bool> has_problems_{false};
    mutable std::mutex mutex_; // guards everything below
    Counters counters_;
    std::vector<Problem> problems_;
};

} // namespace renderer
