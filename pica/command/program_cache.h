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
    // Cheap where code and entry are those of the last call for the stage. The program lives until the cache
    // outgrows its limit, at least until the next but one call.
    const Program& find(const ShaderCode& code, u32 entry, ShaderStage stage);

private:
    static constexpr std::size_t kLimit = 4096;

    struct Entry
    {
        std::vector<u32> source; // words, then descriptors, then entry and stage
        std::unique_ptr<const Program> program;
    };

    std::unordered_map<u64, Entry> entries_;
    std::unordered_map<u64, Entry> retired_; // until the limit is reached again
    std::vector<u32> source_;                // of the current lookup
    struct Last                              // per stage
    {
        const ShaderCode* code = nullptr;
        u64 revision = 0;
        u32 entry = 0;
        const Program* program = nullptr;
    };
    std::array<Last, 2> last_;
};

} // namespace pica
