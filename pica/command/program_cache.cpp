// SPDX-License-Identifier: MIT
#include "pica/command/program_cache.h"

#include "pica/state/keys.h"

#include <utility>

namespace pica
{

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
    source_.hash = hash_bytes(source_.words.data(), source_.words.size() * sizeof(u32));
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
