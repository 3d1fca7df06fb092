// SPDX-License-Identifier: MIT
// FixedPipelines: the renderer's own compute shaders (shaders/*.comp), which convert between guest bytes and
// images with integer arithmetic. Set 0 is guest memory (binding 0 VRAM words, binding 1 FCRAM words), set 1
// is the image or buffer worked on. Each shader has a struct of constants (fixed_constants.h). Those that
// select code (formats, layouts, regions) are specialization constants. So there is a pipeline per
// combination in use, and its code does not branch on them. The others are push constants.
#pragma once

#include "renderer/pipelines/fixed_constants.h"
#include "renderer/vulkan/memory.h"
#include "renderer/vulkan/stream.h"

#include <array>
#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <unordered_map>
#include <vector>

namespace renderer
{

class DiskCache;

// The shaders.
enum class FixedShader : u8
{
    LoadColor,       // guest bytes -> colour image
    StoreColor,      // colour image -> guest bytes
    LoadDepth,       // guest bytes -> linear depth floats and stencil bytes
    StoreDepth,      // linear depth floats and stencil bytes -> guest bytes
    DecodeTexture,   // guest bytes -> texture image
    DisplayTransfer, // guest bytes -> guest bytes
    TransferSurface, // colour image -> guest bytes, by the rules of a display transfer
    Fill,            // 24-bit pattern
    ScanOut,         // guest bytes -> a screen's picture
};
inline constexpr u32 kFixedShaderCount = 9;

// The constants of a shader are of type ConstantsOf<shader>::Type.
template <FixedShader shader>
struct ConstantsOf
{
    using Type = SurfaceConstants; // LoadColor to StoreDepth
};
template <>
struct ConstantsOf<FixedShader::DecodeTexture>
{
    using Type = TextureConstants;
};
template <>
struct ConstantsOf<FixedShader::DisplayTransfer>
{
    using Type = TransferConstants;
};
template <>
struct ConstantsOf<FixedShader::TransferSurface>
{
    using Type = SurfaceTransferConstants;
};
template <>
struct ConstantsOf<FixedShader::Fill>
{
    using Type = FillConstants;
};
template <>
struct ConstantsOf<FixedShader::ScanOut>
{
    using Type = ScreenConstants;
};

// For the renderer's thread, except prepare_modules().
class FixedPipelines
{
public:
    // stream: the one whose command buffers get the dispatches. disk: keeps the SPIR-V; may be null.
    static Result<std::unique_ptr<FixedPipelines>> create(Device& device, Stream& stream,
                                                          DiskCache* disk = nullptr);

    // Binds the buffers of guest memory for dispatches from now on. To be called before the first one.
    Status set_memory(VkBuffer vram, VkDeviceSize vram_size, VkBuffer fcram, VkDeviceSize fcram_size);
    // The two functions make a descriptor set for an image (a storage image in layout GENERAL) or a buffer.
    // It is the caller's, until it runs releaser().
    Result<VkDescriptorSet> create_image_set(VkImageView view);
    Result<VkDescriptorSet> create_buffer_set(VkBuffer buffer, VkDeviceSize size);
    // An action for Stream::defer that frees a set, which may be null. Does nothing if this object is
    // destroyed by then.
    std::function<void()> releaser(VkDescriptorSet set);
    // Records a dispatch with one shader invocation for each number in 0..invocations-1; the last workgroup
    // may have more. set: null for shaders that work on guest memory only. The caller records barriers. May
    // compile a pipeline, which waits. An error also goes to Device::fail.
    template <FixedShader shader>
    Status dispatch(VkCommandBuffer cmd, VkDescriptorSet set,
                    const typename ConstantsOf<shader>::Type& constants, u32 invocations)
    {
        using Constants = typename ConstantsOf<shader>::Type;
        const auto specialised = words_of<typename Constants::Specialised>(constants);
        const auto pushed = words_of<typename Constants::Pushed>(constants);
        return dispatch_words(cmd, set, {shader, specialised, pushed}, invocations);
    }

    // Makes the modules of all shaders. May run on any thread while the owner calls other functions. A module
    // that is missing when it is needed is made then.
    Status prepare_modules();
    bool modules_prepared() const { return modules_prepared_.load(std::memory_order_acquire); }

    // Dispatches recorded since creation.
    u64 dispatches = 0;

private:
    FixedPipelines(Device& device, Stream& stream, DiskCache* disk)
        : device_(device), stream_(stream), disk_(disk)
    {
    }
    Status init();
    void free_set(VkDescriptorSet set);
    Result<VkDescriptorSet> allocate_set(VkDescriptorSetLayout layout);
    // A shader and the words of its constants.
    struct Work
    {
        FixedShader shader;
        std::span<const u32> specialised;
        std::span<const u32> pushed;
    };
    Status dispatch_words(VkCommandBuffer cmd, VkDescriptorSet set, const Work& work, u32 invocations);
    Result<VkPipeline> pipeline(FixedShader shader, std::span<const u32> specialised);
    Status build(FixedShader shader, std::span<const u32> specialised);
    Result<std::vector<u32>> spirv_of(FixedShader shader) const;
    Result<VkShaderModule> module_of(FixedShader shader);
    VkPipelineLayout layout_of(FixedShader shader) const;

    struct Pool
    {
        UniqueDescriptorPool pool;
        u32 free = 0;
    };

    // Guests choose formats, layouts and regions of display transfers, which makes thousands of variants
    // possible. The least recently used ones are evicted.
    static constexpr std::size_t kVariantsKept = 128;

    Device& device_;
    Stream& stream_;
    DiskCache* const disk_;
    u64 uses_ = 0;
    UniqueDescriptorSetLayout memory_layout_;
    UniqueDescriptorSetLayout image_layout_;
    UniqueDescriptorSetLayout buffer_layout_;
    UniquePipelineLayout image_pipeline_layout_;
    UniquePipelineLayout buffer_pipeline_layout_;
    std::vector<Pool> pools_;
    std::shared_ptr<char> alive_ = std::make_shared<char>();
    std::unordered_map<VkDescriptorSet, std::size_t> pool_of_;
    VkDescriptorSet memory_set_ = VK_NULL_HANDLE;
    struct Variant
    {
        std::array<u32, kMostSpecialised> specialised; // as many words as the shader has; the others are 0
        UniquePipeline pipeline;
        u64 use = 0; // number of its last use
    };
    std::mutex modules_mutex_;
    std::array<UniqueShaderModule, kFixedShaderCount> modules_; // guarded by modules_mutex_
    std::atomic<bool> modules_prepared_{false};
    std::array<std::vector<Variant>, kFixedShaderCount> pipelines_;
};

} // namespace renderer
