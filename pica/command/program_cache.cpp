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

    source_.words.assign(code.words.begin(), code.words.end());
    source_.words.insert(source_.words.end(), code.descriptors.begin(), code.descriptors.end());
    source_.words.push_back(entry);
    source_.words.push_back(static_cast<u32>(stage));
    source_.hash = hash_words(source_.words);
    auto found = programs_.find(source_);
    if (found == programs_.end())
    {
        const std::size_t bytes = source_.words.size() * (2 * sizeof(u32) + sizeof(Instruction));
        if (bytes_ + bytes > kLimit)
        {
            retired_ = std::move(programs_); // the other stage's program is still in use
            programs_.clear();
            last_ = {};
            bytes_ = 0;
        }
        bytes_ += bytes;
        found = programs_.emplace(source_, std::make_unique<const Program>(code, entry, stage)).first;
    }
    last = {&code, code.revision, entry, found->second.get()};
    return *last.program;
}

} // namespace pica
