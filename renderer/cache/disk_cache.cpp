// SPDX-License-Identifier: MIT
#include "renderer/cache/disk_cache.h"

#include "pica/base/bytes.h"
#include "renderer/cache/cache_options.h"
#include "renderer/cache/cache_record.h"
#include "renderer/cache/callback_store.h"
#include "renderer/cache/folder_store.h"
#include "shadergen/generator_version.h"

#include <utility>

namespace renderer
{

using pica::u64;
using pica::u8;

DiskCache::DiskCache(std::unique_ptr<CacheStore> store)
    : store_(std::move(store)), generator_(shadergen::generator_version())
{
}

std::unique_ptr<DiskCache> DiskCache::create(const CacheOptions& options)
{
    if (!options.enabled())
        return nullptr;
    if (options.load && options.store)
        return std::make_unique<DiskCache>(std::make_unique<CallbackStore>(options));
    return std::make_unique<DiskCache>(std::make_unique<FolderStore>(options.directory, options.most_bytes));
}

std::vector<u8> DiskCache::full_key(std::span<const u8> key) const
{
    std::vector<u8> full(generator_.begin(), generator_.end());
    full.push_back(0);
    pica::append_bytes(full, key);
    return full;
}

std::optional<std::vector<u8>> DiskCache::find(std::string_view kind, std::span<const u8> key)
{
    const std::vector<u8> full = full_key(key);
    const std::string name = record_name(kind, full);
    const std::vector<u8> record = store_->load(name);
    if (record.empty())
    {
        const std::lock_guard lock(mutex_);
        counters_.misses++;
        return {};
    }
    auto content = open_record(record, kind, full);
    if (!content)
    {
        refuse(kind, name + ": " + content.error().message);
        const std::lock_guard lock(mutex_);
        counters_.misses++;
        return {};
    }
    const std::lock_guard lock(mutex_);
    counters_.hits++;
    counters_.bytes_read += record.size();
    return std::move(*content);
}

void DiskCache::keep(std::string_view kind, std::span<const u8> key, std::span<const u8> content)
{
    if (!writes_)
        return;
    const std::vector<u8> full = full_key(key);
    const std::vector<u8> record = seal_record(kind, full, content);
    if (record.empty())
        return;
    if (const pica::Status stored = store_->store(record_name(kind, full), record); !stored)
    {
        writes_ = false;
        add_problem("the disk cache cannot be written; it is only read from now on", stored.error().message);
        return;
    }
    const std::lock_guard lock(mutex_);
    counters_.written++;
    counters_.bytes_written += record.size();
}

void DiskCache::refuse(std::string_view kind, const std::string& why)
{
    add_problem("a record of the disk cache is not used", std::string(kind) + ", " + why);
    const std::lock_guard lock(mutex_);
    counters_.refused++;
}

void DiskCache::add_problem(const char* cause, std::string detail)
{
    const std::lock_guard lock(mutex_);
    for (const Problem& known : problems_)
        if (known.cause == cause)
            return; // the report passes on the first of each cause
    problems_.push_back({cause, std::move(detail)});
    has_problems_ = true;
}

void DiskCache::report(pica::Report& report)
{
    if (!has_problems_)
        return;
    std::vector<Problem> problems;
    {
        const std::lock_guard lock(mutex_);
        problems.swap(problems_);
        has_problems_ = false;
    }
    for (const Problem& problem : problems)
        report.report(pica::ReportKind::Info, problem.cause, problem.detail);
}

DiskCache::Counters DiskCache::counters() const
{
    const std::lock_guard lock(mutex_);
    return counters_;
}

} // namespace renderer
