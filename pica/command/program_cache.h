// SPDX-License-Identifier: MIT
// Decoded shader programs by content, so that a program is decoded once however often it is uploaded.
#pragma once

#include "pica/shader/program.h"

#include <map>
#include <memory>

namespace pica
{

class ProgramCache
{
public:
    // Cheap if code and entry are those of the last call for the stage. The program stays valid until the
    // cache outgrows its limit, and at least during the next call.
    const Program& find(const ShaderCode& code, u32 entry, ShaderStage stage);

private:
    // Bytes of the words and what is decoded from them. When they are reached, the programs retire, and those that
    // retired before are freed. So up to twice as many bytes are held.
    static constexpr std::size_t kLimit = std::size_t{32} << 20;

    // What identifies a program. The hash only makes comparing fast.
    struct Source
    {
        u64 hash = 0;
        std::vector<u32> words; // code words, then descriptors, then entry and stage
        bool operator<(const Source& other) const
        {
            return hash != other.hash ? hash < other.hash : words < other.words;
        }
    };
    using Programs = std::map<Source, std::unique_ptr<const Program>>;

    Programs programs_;
    std::size_t bytes_ = 0; // of all programs in the cache
    Programs retired_;      // of the time before the limit was reached last
    Source source_;         // of the lookup in progress
    struct Last             // one per stage
    {
        const ShaderCode* code = nullptr;
        u64 revision = 0;
        u32 entry = 0;
        const Program* program = nullptr;
    };
    std::array<Last, 2> last_;
};

} // namespace pica
