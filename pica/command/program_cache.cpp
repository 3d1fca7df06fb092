// SPDX-License-Identifier: MIT
#include "pica/command/program_cache.h"

#include <utility>

namespace pica
{

namespace
{

u64 hash_words(std::span<const u32> words)
{
    u64 hash = 0xCBF29CE484222325u;
    for (const u32 word : words)
    {
        hash = (hash ^ word) * 0x9E3779B97F4A7C15u;
        hash ^= hash >> 32;
    }
    return hash;
}

} // namespace

const Program& ProgramCache::find(const ShaderCode& code, u32 entry, ShaderStage stage)
{
    Last& last = last_[static_cast<std::size_t>(stage)];
    if (last.program != nullptr && last.code == &code && last.revision == code.revision &&
        last.entry == entry)
        return *last.program;

    source_.assign(code.words.begin(), code.words.end());
    source_.insert(source_.end(), code.descriptors.begin(), code.descriptors.end());
    source_.push_back(entry);
    source_.push_back(static_cast<u32>(stage));
    if (entries_.size() >= kLimit)
    {
        retired_ = std::move(entries_); // the other stage's program is still in use
        entries_.clear();
        last_ = {};
    }
    Entry& found = entries_[hash_words(source_)];
    if (found.program == nullptr || found.source != source_)
    {
        found.source = source_;
        found.program = std::make_unique<const Program>(code, entry, stage);
    }
    last = {&code, code.revision, entry, found.program.get()};
    return *last.program;
}

} // namespace pica
