// SPDX-License-Identifier: MIT
// DrawDescriptors: a cache of the descriptor sets of draws. A set is written once and found again by what it
// refers to: the uniform buffer and page of lookup tables, the textures and samplers, or the destination surface. The ids
// in these keys are never reused, so a set is found only for the objects that it was written with.
#pragma once

#include "pica/state/keys.h"
#include "renderer/residency/texture_view.h"
#include "renderer/vulkan/memory.h"
#include "renderer/vulkan/upload_ring.h"

#include <array>
#include <unordered_map>

namespace renderer
{

class PipelineCache;

// Not thread-safe. Pools that are full are released after the submission being recorded.
class DrawDescriptors
{
public:
    DrawDescriptors(Device& device, Stream& stream, PipelineCache& pipelines)
        : device_(device), stream_(stream), pipelines_(pipelines)
    {
    }
    DrawDescriptors(const DrawDescriptors&) = delete;
    DrawDescriptors& operator=(const DrawDescriptors&) = delete;
    // Creates the samplers, and the texel buffer that is bound where a shader reads no records.
    Status create(Memory& memory);

    // The three functions give a set that is valid until the submission being recorded is done. The cache
    // owns it. On failure the set is null and Device::status holds the reason.
    // draw_set: fragment_blocks is the slice with the uniform blocks (FragmentConstants). record_texels: view
    // of the triangle records, null if the shader reads none through a texel buffer. luts: view of the page
    // of lookup tables (LutBuffer::view).
    VkDescriptorSet draw_set(const Slice& fragment_blocks, VkBufferView record_texels, VkBufferView luts);
    // The set with the four textures. Every entry must hold a view.
    VkDescriptorSet texture_set(const TextureViews& textures);
    // The destination that draws of the fetch class read. view: the surface's view, in UNORM format if
    // `unorm`. interlock: as a storage image, not as an input attachment. Draws that do not read the
    // destination pass surface id 0 with the view of a substitute image.
    VkDescriptorSet destination_set(u64 surface_id, VkImageView view, bool unorm, bool interlock);

private:
    using TextureIds = std::array<u64, 4>; // TextureView::id
    struct Hash
    {
        template <typename Key>
        std::size_t operator()(const Key& key) const
        {
            return static_cast<std::size_t>(pica::hash_key(key));
        }
    };
    Status create_sampler(u32 repeat_axes);
    VkDescriptorSet allocate(VkDescriptorSetLayout layout);

    static constexpr u32 kSetsPerPool = 512;

    Device& device_;
    Stream& stream_;
    PipelineCache& pipelines_;
    std::array<UniqueSampler, 4> samplers_; // by TextureView::repeat_axes
    Buffer no_texels_buffer_;               // a descriptor may not be empty
    UniqueBufferView no_texels_;
    UniqueDescriptorPool pool_;
    u32 used_ = 0;
    std::unordered_map<u64, VkDescriptorSet> draw_sets_; // by Slice::buffer_id; all refer to luts_
    VkBufferView luts_ = VK_NULL_HANDLE;
    // Texel buffer views are short-lived, and their handles may be reused. So only the last set with such a
    // view is kept, for one submission.
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
