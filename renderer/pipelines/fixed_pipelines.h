// SPDX-License-Identifier: MIT
// FixedPipelines: the renderer's own compute shaders (shaders/*.comp), which convert between guest bytes and
// images with integer arithmetic. Set 0 is guest memory (binding 0 VRAM words, binding 1 FCRAM words), set 1
// is the image or buffer worked on, set 2 the planes with their table, for shaders that work on planes. Each shader has a
// struct of constants (fixed_constants.h). Some of them select code: formats, layouts, regions. A shader has either one
// form, a pipeline that reads all constants from the push constants, or specialised forms: a pipeline for each combination
// in use, whose code does not branch on it.
#pragma once

#include "renderer/pipelines/driver_cache.h"
#include "renderer/pipelines/fixed_constants.h"
#include "renderer/pipelines/mailbox.h"
#include "renderer/vulkan/memory.h"
#include "renderer/vulkan/stream.h"

#include <array>
#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <string>
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
    // The same for all planes of guest memory (design.md, "N times the resolution"), of which guest memory is the first.
    LoadColorPlanes,
    StoreColorPlanes,
    LoadDepthPlanes, // the others, over what LoadDepth has loaded
    StoreDepthPlanes,
    DecodeTexturePlanes,
    TransferSurfacePlanes,
    ScanOutPlanes,
};
inline constexpr u32 kFixedShaderCount = 16;
inline constexpr u32 kUnscaledShaderCount = 9; // those of 1x

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
struct ConstantsOf<FixedShader::DecodeTexturePlanes>
{
    using Type = TextureConstants;
};
template <>
struct ConstantsOf<FixedShader::TransferSurfacePlanes>
{
    using Type = SurfaceTransferConstants;
};
template <>
struct ConstantsOf<FixedShader::ScanOutPlanes>
{
    using Type = ScreenConstants;
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

class CompileQueue;

// What a shader that works on planes reads or writes: a buffer with all planes but guest memory, one after the other, and
// their table (guest_words.h). Null: no bytes of them differ from guest memory's.
struct PlaneSet
{
    VkDescriptorSet set = VK_NULL_HANDLE; // of create_plane_set, for the first ones
    u32 count = 0;
    u32 at_once = 0; // how many of them a descriptor reaches
    u32 bytes = 0;   // of each
    explicit operator bool() const { return set != VK_NULL_HANDLE; }
};

// For the renderer's thread.
class FixedPipelines
{
public:
    // stream: the one whose command buffers get the dispatches. driver_cache must outlive the object. disk: keeps the
    // SPIR-V; may be null. one_form: shaders have one form each.
    static Result<std::unique_ptr<FixedPipelines>> create(Device& device, Stream& stream,
                                                          DriverCache& driver_cache,
                                                          DiskCache* disk = nullptr, bool one_form = false);
    // From now on workers make what ask_for_all() and trials ask for. The queue must be idle or destroyed
    // before this object is.
    void use_workers(CompileQueue& queue) { queue_ = &queue; }

    // Binds the buffers of guest memory for dispatches from now on. To be called before the first one.
    Status set_memory(VkBuffer vram, VkDeviceSize vram_size, VkBuffer fcram, VkDeviceSize fcram_size);
    // The two functions make a descriptor set for an image (a storage image in layout GENERAL) or a buffer.
    // It is the caller's, until it runs releaser().
    Result<VkDescriptorSet> create_image_set(VkImageView view);
    Result<VkDescriptorSet> create_buffer_set(VkBuffer buffer, VkDeviceSize size);
    // A set of planes and their table.
    Result<VkDescriptorSet> create_plane_set(const VkDescriptorBufferInfo& planes,
                                             const VkDescriptorBufferInfo& table);
    // An action for Stream::defer that frees a set, which may be null. Does nothing if this object is
    // destroyed by then.
    std::function<void()> releaser(VkDescriptorSet set);
    // Records a dispatch with one shader invocation for each number in 0..invocations-1; the last workgroup
    // may have more. set: null for shaders that work on guest memory only. The caller records barriers.
    // Compiles the pipeline, and so waits, if it is not ready. An error also goes to Device::fail.
    template <FixedShader shader>
    Status dispatch(VkCommandBuffer cmd, VkDescriptorSet set,
                    const typename ConstantsOf<shader>::Type& constants, u32 invocations)
    {
        using Constants = typename ConstantsOf<shader>::Type;
        const auto specialised = words_of<typename Constants::Specialised>(constants);
        const auto pushed = words_of<typename Constants::Pushed>(constants);
        return dispatch_words(cmd, set, {shader, specialised, pushed, {}}, invocations);
    }
    // The same for a shader that works on planes: with so many invocations for guest memory and for each plane. It needs
    // several dispatches only where a descriptor does not reach all planes. They touch different bytes and pixels.
    template <FixedShader shader>
    Status dispatch_planes(VkCommandBuffer cmd, VkDescriptorSet set, const PlaneSet& planes,
                           typename ConstantsOf<shader>::Type constants, u32 invocations)
    {
        using Constants = typename ConstantsOf<shader>::Type;
        const auto specialised = words_of<typename Constants::Specialised>(constants);
        constexpr bool kMemoryToo = shader != FixedShader::LoadDepthPlanes;
        Status status;
        for (u32 next = kMemoryToo ? 0 : 1; status && next <= planes.count;)
        {
            const PlanePart part = part_from(planes, next);
            constants.first_plane = next;
            constants.plane_word = part.first_word;
            const auto pushed = words_of<typename Constants::Pushed>(constants);
            status = dispatch_words(cmd, set, {shader, specialised, pushed, part}, invocations);
            next += part.count;
        }
        return status;
    }

    // Asks the workers for the modules of all shaders and, where each has one form, for its pipeline; for those of planes
    // only above 1x. What is missing when it is needed is made then.
    void ask_for_all(u32 scale);
    // Is everything there that ask_for_all() asked for?
    bool all_ready() const { return ready_shaders_.load(std::memory_order_acquire) == asked_shaders_; }
    // From begin_trial() to end_trial() dispatches whose pipelines are missing are left out, and the workers
    // are asked for these. For work whose results are discarded. end_trial: was nothing left out?
    void begin_trial();
    bool end_trial();

    // Dispatches recorded since creation; pipelines that dispatches made and waited for.
    u64 dispatches = 0;
    u64 waits = 0;
    double wait_ms = 0.0;
    // The time in which SPIR-V was generated that was not kept, since creation.
    double generate_ms() const { return double(generate_ns_.load(std::memory_order_relaxed)) * 1e-6; }

private:
    FixedPipelines(Device& device, Stream& stream, DriverCache& driver_cache, DiskCache* disk, bool one_form)
        : device_(device), stream_(stream), driver_cache_(driver_cache), disk_(disk), one_form_(one_form)
    {
    }
    Status init();
    void free_set(VkDescriptorSet set);
    Result<VkDescriptorSet> allocate_set(VkDescriptorSetLayout layout);
    // The planes of a dispatch, and where they are bound. The default is for shaders without planes.
    struct PlanePart
    {
        VkDescriptorSet set = VK_NULL_HANDLE;
        u32 offset = 0; // the dynamic one
        u32 first_word = 0;
        u32 count = 1;
    };
    static PlanePart part_from(const PlaneSet& planes, u32 next);
    // A shader and the words of its constants.
    struct Work
    {
        FixedShader shader;
        std::span<const u32> specialised;
        std::span<const u32> pushed;
        PlanePart planes;
    };
    Status dispatch_words(VkCommandBuffer cmd, VkDescriptorSet set, const Work& work, u32 invocations);
    // The words that a form is made for: as many as the shader has specialised, the others are 0.
    using Words = std::array<u32, kMostSpecialised>;
    UniquePipeline* find(FixedShader shader, const Words& words);
    // Null: it was left out of a trial.
    Result<VkPipeline> pipeline(FixedShader shader, std::span<const u32> specialised);
    void keep(FixedShader shader, const Words& words, UniquePipeline pipeline);
    void want(FixedShader shader, const Words& words, u32 count);
    void collect();
    // These may run on any thread.
    Result<UniquePipeline> build(FixedShader shader, const Words& words, u32 count);
    Result<std::vector<u32>> spirv_of(FixedShader shader);
    Result<VkShaderModule> module_of(FixedShader shader);
    std::string text_of(FixedShader shader) const;
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
    DriverCache& driver_cache_;
    DiskCache* const disk_;
    const bool one_form_;
    CompileQueue* queue_ = nullptr;
    bool on_trial_ = false;
    bool left_out_ = false;
    u64 uses_ = 0;
    UniqueDescriptorSetLayout memory_layout_;
    UniqueDescriptorSetLayout image_layout_;
    UniqueDescriptorSetLayout buffer_layout_;
    UniqueDescriptorSetLayout plane_layout_;
    // Of shaders with an image or a buffer; then those of shaders that work on planes.
    UniquePipelineLayout image_pipeline_layout_;
    UniquePipelineLayout buffer_pipeline_layout_;
    UniquePipelineLayout plane_image_pipeline_layout_;
    UniquePipelineLayout plane_buffer_pipeline_layout_;
    std::vector<Pool> pools_;
    std::shared_ptr<char> alive_ = std::make_shared<char>();
    std::unordered_map<VkDescriptorSet, std::size_t> pool_of_;
    VkDescriptorSet memory_set_ = VK_NULL_HANDLE;
    struct Variant
    {
        Words words;
        UniquePipeline pipeline;
        u64 use = 0; // number of its last use
    };
    struct Made
    {
        FixedShader shader;
        Words words;
        Result<UniquePipeline> pipeline;
    };
    std::mutex modules_mutex_;
    std::array<UniqueShaderModule, kFixedShaderCount> modules_; // guarded by modules_mutex_
    std::atomic<u32> ready_shaders_{0};
    u32 asked_shaders_ = kUnscaledShaderCount;
    std::atomic<u64> generate_ns_{0};
    Mailbox<Made> made_;
    std::array<std::vector<Variant>, kFixedShaderCount> pipelines_;
};

} // namespace renderer
