// SPDX-License-Identifier: MIT
// Decoded vertex programs by content, so that a program is decoded once however often it is uploaded.
#pragma once

#include "pica/shader/program.h"

#include <memory>
#include <unordered_map>

namespace pica
{

class ProgramCache
{
public:
    // Cheap where code and entry are those of the last call. The program lives until the cache outgrows its
    // limit, at least until the next call.
    const Program& find(const ShaderCode& code, u32 entry, ShaderStage stage);

private:
    static constexpr std::size_t kLimit = 4096;

    struct Entry
    {
        std::vector<u32> source; // words, then descriptors, then entry and stage
        std::unique_ptr<const Program> program;
    };

    std::unordered_map<u64, Entry> entries_;
    std::vector<u32> source_; // of the current lookup
    const ShaderCode* last_code_ = nullptr;
    u64 last_revision_ = 0;
    u32 last_entry_ = 0;
    const Program* last_ = nullptr;
};

} // namespace pica
