// SPDX-License-Identifier: MIT
// Descriptor sets of draws, written once and found again by what they hold: uniform buffer chunk, texture
// tuple, destination surface. Ids are never reused, so a set can only be found for the objects it was written
// with.
#pragma once

#include "renderer/pipelines/pipeline_cache.h"
#include "renderer/residency/render_targets.h"
#include "renderer/residency/texture_cache.h"
#include "renderer/vulkan/stream.h"

#include <array>
#include <unordered_map>

namespace renderer
{

// Texture units 0..2, and what gas accumulation reads of the depth buffer.
inline constexpr std::size_t kGasDepthView = 3;
using TextureViews = std::array<TextureView, 4>;

class DrawDescriptors
{
public:
    DrawDescriptors(Device& device, Stream& stream, PipelineCache& pipelines)
        : device_(device), stream_(stream), pipelines_(pipelines)
    {
    }
    DrawDescriptors(const DrawDescriptors&) = delete;
    DrawDescriptors& operator=(const DrawDescriptors&) = delete;
    Status create(Memory& memory);

    // Sets are valid until the submission being recorded is done. Null on failure (Device::status tells).
    // record_texels may be null: the shader reads no record texels. luts: the page of lookup tables in use.
    VkDescriptorSet draw_set(const Slice& fragment_blocks, VkBufferView record_texels, VkBufferView luts);
    VkDescriptorSet texture_set(const TextureViews& textures);
    // The destination of fetch-class draws; surface id 0 with the fallback texture's view for draws that do
    // not fetch.
    VkDescriptorSet destination_set(u64 surface_id, VkImageView view, bool unorm, bool interlock);

private:
    using TextureIds = std::array<u64, 4>;
    struct Hash
    {
        template <typename Key>
        std::size_t operator()(const Key& key) const
        {
            return static_cast<std::size_t>(pica::hash_key(key));
        }
    };
    VkDescriptorSet allocate(VkDescriptorSetLayout layout);

    static constexpr u32 kSetsPerPool = 512;

    Device& device_;
    Stream& stream_;
    PipelineCache& pipelines_;
    UniqueSampler sampler_;
    Buffer no_texels_buffer_; // every binding must hold something
    UniqueBufferView no_texels_;
    UniqueDescriptorPool pool_;
    u32 used_ = 0;
    std::unordered_map<u64, VkDescriptorSet> draw_sets_; // by the buffer's id, all with the page luts_
    VkBufferView luts_ = VK_NULL_HANDLE;
    // Views come and go, and their handles with them: only the last pair is remembered.
    u64 last_blocks_ = 0;
    VkBufferView last_texels_ = VK_NULL_HANDLE;
    u64 last_serial_ = 0;
    VkDescriptorSet last_draw_set_ = VK_NULL_HANDLE;
    std::unordered_map<TextureIds, VkDescriptorSet, Hash> texture_sets_;
    std::unordered_map<u64, VkDescriptorSet> destination_sets_;
    TextureIds last_ids_{};
    VkDescriptorSet last_set_ = VK_NULL_HANDLE;
};

} // namespace renderer
