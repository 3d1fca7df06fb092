// SPDX-License-Identifier: MIT
// CommandCounts: how many commands of each group were recorded, and how many submissions were made.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace gpu_cost
{

enum class CommandGroup : std::uint8_t
{
    Draws,
    Dispatches,
    Barriers,
    RenderPasses,
    PipelineBinds,
    DescriptorBinds,
    VertexBinds,
    PushConstants,
    DynamicState,
    Clears,
    Copies,
    Submits,
    None, // not counted
};

inline constexpr const char* kGroupNames[] = {
    "draws",        "dispatches",     "barriers",      "render passes", "pipeline binds", "descriptor binds",
    "vertex binds", "push constants", "dynamic state", "clears",        "copies",         "submits",
};
inline constexpr std::size_t kGroups = std::size_t(CommandGroup::None);
static_assert(std::size(kGroupNames) == kGroups);

// The group of a function of Vulkan, by its name. Ends of render passes belong to their beginnings; labels,
// timestamps and queries are no work of a frame.
constexpr CommandGroup group_of(std::string_view function)
{
    struct Rule
    {
        std::string_view beginning;
        CommandGroup group;
    };
    constexpr Rule kRules[] = {
        {"vkCmdDraw", CommandGroup::Draws},
        {"vkCmdDispatch", CommandGroup::Dispatches},
        {"vkCmdPipelineBarrier", CommandGroup::Barriers},
        {"vkCmdWaitEvents", CommandGroup::Barriers},
        {"vkCmdBeginRender", CommandGroup::RenderPasses},
        {"vkCmdBindPipeline", CommandGroup::PipelineBinds},
        {"vkCmdBindDescriptorSets", CommandGroup::DescriptorBinds},
        {"vkCmdPushDescriptorSet", CommandGroup::DescriptorBinds},
        {"vkCmdBindVertexBuffers", CommandGroup::VertexBinds},
        {"vkCmdBindIndexBuffer", CommandGroup::VertexBinds},
        {"vkCmdPushConstants", CommandGroup::PushConstants},
        {"vkCmdSet", CommandGroup::DynamicState},
        {"vkCmdClear", CommandGroup::Clears},
        {"vkCmdFillBuffer", CommandGroup::Clears},
        {"vkCmdCopy", CommandGroup::Copies},
        {"vkCmdBlit", CommandGroup::Copies},
        {"vkCmdResolve", CommandGroup::Copies},
        {"vkCmdUpdateBuffer", CommandGroup::Copies},
        {"vkQueueSubmit", CommandGroup::Submits},
    };
    for (const Rule& rule : kRules)
        if (function.substr(0, rule.beginning.size()) == rule.beginning)
            return rule.group;
    return CommandGroup::None;
}

// Thread-safe.
class CommandCounts
{
public:
    void add(CommandGroup group) { counts_[std::size_t(group)].fetch_add(1, std::memory_order_relaxed); }
    // Writes them to the log.
    void write() const;

private:
    std::array<std::atomic<std::uint64_t>, kGroups> counts_{};
};

} // namespace gpu_cost
