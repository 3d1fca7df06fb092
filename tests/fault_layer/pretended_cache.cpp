// SPDX-License-Identifier: MIT
#include "tests/fault_layer/pretended_cache.h"

#include "tests/fault_layer/layer_objects.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <map>
#include <mutex>
#include <set>
#include <utility>
#include <vector>

namespace fault_layer
{

namespace
{

using Fingerprint = uint64_t;

std::mutex mutex; // guards the maps
std::map<VkShaderModule, Fingerprint> modules;
std::map<VkPipelineCache, std::set<Fingerprint>> caches;

// FNV-1a.
Fingerprint hash_bytes(Fingerprint hash, const void* data, std::size_t size)
{
    for (std::size_t i = 0; i < size; ++i)
        hash = (hash ^ static_cast<const uint8_t*>(data)[i]) * 0x100000001B3u;
    return hash;
}

template <typename Value>
Fingerprint hash_value(Fingerprint hash, const Value& value)
{
    return hash_bytes(hash, &value, sizeof value);
}

Fingerprint hash_stage(Fingerprint hash, const VkPipelineShaderStageCreateInfo& stage)
{
    hash = hash_value(hash, stage.stage);
    hash = hash_value(hash, modules[stage.module]);
    if (stage.pSpecializationInfo != nullptr)
        hash = hash_bytes(hash, stage.pSpecializationInfo->pData, stage.pSpecializationInfo->dataSize);
    return hash;
}

// What drivers compile in: the shaders, and the state of fixed functions.
Fingerprint fingerprint(const VkGraphicsPipelineCreateInfo& info)
{
    Fingerprint hash = 1;
    for (uint32_t i = 0; i < info.stageCount; ++i)
        hash = hash_stage(hash, info.pStages[i]);
    const VkPipelineVertexInputStateCreateInfo& input = *info.pVertexInputState;
    hash = hash_bytes(hash, input.pVertexAttributeDescriptions,
                      input.vertexAttributeDescriptionCount * sizeof(VkVertexInputAttributeDescription));
    if (const auto* const depth = info.pDepthStencilState)
    {
        for (const uint32_t value : {depth->depthTestEnable, depth->depthWriteEnable,
                                     static_cast<uint32_t>(depth->depthCompareOp), depth->stencilTestEnable})
            hash = hash_value(hash, value);
        hash = hash_value(hash, depth->front);
    }
    if (const auto* const blend = info.pColorBlendState)
    {
        hash = hash_value(hash, blend->logicOpEnable);
        hash = hash_value(hash, blend->logicOp);
        hash = hash_bytes(hash, blend->pAttachments,
                          blend->attachmentCount * sizeof(VkPipelineColorBlendAttachmentState));
    }
    return hash;
}

Fingerprint fingerprint(const VkComputePipelineCreateInfo& info)
{
    return hash_stage(2, info.stage);
}

// Adds the pipeline to the cache, and tells whether it was there.
template <typename Info>
void note(VkPipelineCache cache, const Info& info)
{
    bool found = false;
    {
        const std::lock_guard lock(mutex);
        found = cache != VK_NULL_HANDLE && !caches[cache].insert(fingerprint(info)).second;
    }
    VkPipelineCreationFeedbackFlags flags = VK_PIPELINE_CREATION_FEEDBACK_VALID_BIT;
    if (found)
        flags |= VK_PIPELINE_CREATION_FEEDBACK_APPLICATION_PIPELINE_CACHE_HIT_BIT;
    for (auto* next = static_cast<const VkBaseInStructure*>(info.pNext); next != nullptr; next = next->pNext)
        if (next->sType == VK_STRUCTURE_TYPE_PIPELINE_CREATION_FEEDBACK_CREATE_INFO)
            reinterpret_cast<const VkPipelineCreationFeedbackCreateInfo*>(next)
                ->pPipelineCreationFeedback->flags = flags;
}

VKAPI_ATTR VkResult VKAPI_CALL create_module(VkDevice handle, const VkShaderModuleCreateInfo* info,
                                             const VkAllocationCallbacks* allocator, VkShaderModule* out)
{
    const VkResult result = device_of(handle).next.vkCreateShaderModule(handle, info, allocator, out);
    if (result == VK_SUCCESS)
    {
        const std::lock_guard lock(mutex);
        modules[*out] = hash_bytes(3, info->pCode, info->codeSize);
    }
    return result;
}

VKAPI_ATTR VkResult VKAPI_CALL create_graphics(VkDevice handle, VkPipelineCache cache, uint32_t count,
                                               const VkGraphicsPipelineCreateInfo* infos,
                                               const VkAllocationCallbacks* allocator, VkPipeline* out)
{
    const VkResult result =
        device_of(handle).next.vkCreateGraphicsPipelines(handle, cache, count, infos, allocator, out);
    for (uint32_t i = 0; i < count && result == VK_SUCCESS; ++i)
        note(cache, infos[i]);
    return result;
}

VKAPI_ATTR VkResult VKAPI_CALL create_compute(VkDevice handle, VkPipelineCache cache, uint32_t count,
                                              const VkComputePipelineCreateInfo* infos,
                                              const VkAllocationCallbacks* allocator, VkPipeline* out)
{
    const VkResult result =
        device_of(handle).next.vkCreateComputePipelines(handle, cache, count, infos, allocator, out);
    for (uint32_t i = 0; i < count && result == VK_SUCCESS; ++i)
        note(cache, infos[i]);
    return result;
}

// The header of the data is the driver's; the fingerprints follow it.
VKAPI_ATTR VkResult VKAPI_CALL create_cache(VkDevice handle, const VkPipelineCacheCreateInfo* info,
                                            const VkAllocationCallbacks* allocator, VkPipelineCache* out)
{
    std::set<Fingerprint> known;
    uint32_t header = 0;
    VkPipelineCacheCreateInfo plain = *info;
    if (info->initialDataSize >= sizeof header)
    {
        std::memcpy(&header, info->pInitialData, sizeof header);
        plain.initialDataSize = std::min<std::size_t>(header, info->initialDataSize);
        std::vector<Fingerprint> kept((info->initialDataSize - plain.initialDataSize) / sizeof(Fingerprint));
        if (!kept.empty())
            std::memcpy(kept.data(), static_cast<const uint8_t*>(info->pInitialData) + header,
                        kept.size() * sizeof(Fingerprint));
        known.insert(kept.begin(), kept.end());
    }
    const VkResult result = device_of(handle).next.vkCreatePipelineCache(handle, &plain, allocator, out);
    if (result == VK_SUCCESS)
    {
        const std::lock_guard lock(mutex);
        caches[*out] = std::move(known);
    }
    return result;
}

// The header of the driver's data, without the pipelines that a driver may keep.
VkResult header_of(VkDevice handle, VkPipelineCache cache, std::vector<uint8_t>& header)
{
    const auto next = device_of(handle).next.vkGetPipelineCacheData;
    std::size_t size = 0;
    if (const VkResult result = next(handle, cache, &size, nullptr); result != VK_SUCCESS)
        return result;
    header.resize(size);
    if (const VkResult result = next(handle, cache, &size, header.data()); result < 0)
        return result;
    uint32_t length = 0; // the data begins with it
    if (size >= sizeof length)
        std::memcpy(&length, header.data(), sizeof length);
    header.resize(std::min<std::size_t>(length, size));
    return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL get_data(VkDevice handle, VkPipelineCache cache, std::size_t* size, void* data)
{
    std::vector<uint8_t> header;
    if (const VkResult result = header_of(handle, cache, header); result != VK_SUCCESS)
        return result;
    const std::lock_guard lock(mutex);
    const std::vector<Fingerprint> known(caches[cache].begin(), caches[cache].end());
    const std::size_t whole = header.size() + known.size() * sizeof(Fingerprint);
    if (data == nullptr)
    {
        *size = whole;
        return VK_SUCCESS;
    }
    const std::size_t room = *size;
    *size = 0;
    if (room < header.size())
        return VK_INCOMPLETE;
    std::copy(header.begin(), header.end(), static_cast<uint8_t*>(data));
    const std::size_t fitting = std::min(known.size(), (room - header.size()) / sizeof(Fingerprint));
    if (fitting != 0)
        std::memcpy(static_cast<uint8_t*>(data) + header.size(), known.data(), fitting * sizeof(Fingerprint));
    *size = header.size() + fitting * sizeof(Fingerprint);
    return *size == whole ? VK_SUCCESS : VK_INCOMPLETE;
}

VKAPI_ATTR VkResult VKAPI_CALL merge_caches(VkDevice handle, VkPipelineCache into, uint32_t count,
                                            const VkPipelineCache* from)
{
    const VkResult result = device_of(handle).next.vkMergePipelineCaches(handle, into, count, from);
    const std::lock_guard lock(mutex);
    for (uint32_t i = 0; i < count && result == VK_SUCCESS; ++i)
        caches[into].insert(caches[from[i]].begin(), caches[from[i]].end());
    return result;
}

VKAPI_ATTR void VKAPI_CALL destroy_cache(VkDevice handle, VkPipelineCache cache,
                                         const VkAllocationCallbacks* allocator)
{
    {
        const std::lock_guard lock(mutex);
        caches.erase(cache);
    }
    device_of(handle).next.vkDestroyPipelineCache(handle, cache, allocator);
}

} // namespace

PFN_vkVoidFunction pipeline_cache_function(const char* name)
{
    if (!rules.value_of("pretend-pipeline-cache"))
        return nullptr;
#define OWN(vulkan, own)                                                                                     \
    if (std::strcmp(name, #vulkan) == 0)                                                                     \
        return reinterpret_cast<PFN_vkVoidFunction>(static_cast<PFN_##vulkan>(own));
    OWN(vkCreateShaderModule, create_module)
    OWN(vkCreateGraphicsPipelines, create_graphics)
    OWN(vkCreateComputePipelines, create_compute)
    OWN(vkCreatePipelineCache, create_cache)
    OWN(vkGetPipelineCacheData, get_data)
    OWN(vkMergePipelineCaches, merge_caches)
    OWN(vkDestroyPipelineCache, destroy_cache)
#undef OWN
    return nullptr;
}

} // namespace fault_layer
