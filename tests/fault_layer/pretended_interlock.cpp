// SPDX-License-Identifier: MIT
#include "tests/fault_layer/pretended_interlock.h"

#include <algorithm>
#include <cstring>

namespace
{

using Words = std::span<const uint32_t>;

// From the specification of SPIR-V.
constexpr uint32_t kHeaderWords = 5;
enum Op : uint32_t
{
    OpExtension = 10,
    OpExecutionMode = 16,
    OpCapability = 17,
    OpImageWrite = 99,
    OpBeginInvocationInterlock = 5364,
    OpEndInvocationInterlock = 5365,
};
constexpr uint32_t kPixelInterlockOrdered = 5366; // execution mode
constexpr uint32_t kPixelInterlock = 5378;        // capability

// The instructions that are not left out.
template <typename LeavesOut>
std::vector<uint32_t> filtered(Words module, LeavesOut leaves_out)
{
    std::vector<uint32_t> result(module.begin(), module.begin() + kHeaderWords);
    for (std::size_t at = kHeaderWords; at < module.size();)
    {
        const std::size_t words = std::max(module[at] >> 16, 1u);
        const Words instruction = module.subspan(at, std::min(words, module.size() - at));
        if (!leaves_out(module[at] & 0xFFFF, instruction))
            result.insert(result.end(), instruction.begin(), instruction.end());
        at += words;
    }
    return result;
}

bool is_of_interlock(uint32_t op, Words words)
{
    switch (op)
    {
    case OpExtension:
        return std::strncmp(reinterpret_cast<const char*>(words.data() + 1),
                            "SPV_EXT_fragment_shader_interlock", (words.size() - 1) * 4) == 0;
    case OpExecutionMode:
        return words[2] == kPixelInterlockOrdered;
    case OpCapability:
        return words[1] == kPixelInterlock;
    default:
        return op == OpBeginInvocationInterlock || op == OpEndInvocationInterlock;
    }
}

} // namespace

bool uses_interlock(std::span<const uint32_t> module)
{
    return filtered(module, is_of_interlock).size() != module.size();
}

std::vector<uint32_t> without_interlock(std::span<const uint32_t> module)
{
    return filtered(module, is_of_interlock);
}

std::vector<uint32_t> without_stores(std::span<const uint32_t> module)
{
    return filtered(module, [](uint32_t op, Words) { return op == OpImageWrite; });
}
