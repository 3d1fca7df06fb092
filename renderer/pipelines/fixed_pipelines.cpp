// SPDX-License-Identifier: MIT
#include "renderer/pipelines/fixed_pipelines.h"

#include "pica/state/keys.h"
#include "renderer/pipelines/baked_shaders.h"
#include "renderer/pipelines/compile_queue.h"
#include "renderer/pipelines/fixed_layouts.h"
#include "renderer/pipelines/fixed_texts.h"
#include "renderer/pipelines/kept_spirv.h"
#include "renderer/vulkan/debug.h"
#include "shadergen/inline_calls.h"
#include "shadergen/spirv.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace renderer
{

namespace
{

// The first key of the jobs. Those of vertex_programs.cpp have bit 63, those of draw_states.cpp are small.
constexpr CompileQueue::Key kFirstJob = CompileQueue::Key{1} << 62;
constexpr u32 kSetsPerPool = 64;
constexpr u32 kGroup = 64;           // workgroup size of every shader
constexpr u32 kGroupsPerRow = 16384; // below the limit of workgroups in x on every device

} // namespace

Result<std::unique_ptr<FixedPipelines>> FixedPipelines::create(Device& device, Stream& stream,
                                                               DriverCache& driver_cache, DiskCache* disk,
                                                               bool one_form)
{
    std::unique_ptr<FixedPipelines> pipelines(
        new FixedPipelines(device, stream, driver_cache, disk, one_form));
    if (Status status = pipelines->init(); !status)
        return status.error();
    return pipelines;
}

Status FixedPipelines::init()
{
    const auto keep = [](auto&& result, auto& target) -> Status
    {
        if (!result)
            return result.error();
        target = std::move(*result);
        return {};
    };
    constexpr VkDescriptorType kBuffer = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
    if (Status s = keep(make_layout(device_, {kBuffer, kBuffer}), memory_layout_); !s)
        return s;
    if (Status s = keep(make_layout(device_, {VK_DESCRIPTOR_TYPE_STORAGE_IMAGE}), image_layout_); !s)
        return s;
    if (Status s = keep(make_layout(device_, {kBuffer}), buffer_layout_); !s)
        return s;
    if (Status s =
            keep(make_layout(device_, {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC, kBuffer}), plane_layout_);
        !s)
        return s;
    const auto keep_layout = [&](auto& target, auto... layouts)
    { return keep(make_pipeline_layout(device_, {layouts...}), target); };
    const VkDescriptorSetLayout memory = memory_layout_, image = image_layout_, buffer = buffer_layout_,
                                plane = plane_layout_;
    if (Status s = keep_layout(image_pipeline_layout_, memory, image); !s)
        return s;
    if (Status s = keep_layout(buffer_pipeline_layout_, memory, buffer); !s)
        return s;
    if (Status s = keep_layout(plane_image_pipeline_layout_, memory, image, plane); !s)
        return s;
    return keep_layout(plane_buffer_pipeline_layout_, memory, buffer, plane);
}

Result<VkDescriptorSet> FixedPipelines::allocate_set(VkDescriptorSetLayout layout)
{
    std::size_t index = 0;
    while (index < pools_.size() && pools_[index].free == 0)
        ++index;
    if (index == pools_.size())
    {
        const VkDescriptorPoolSize sizes[] = {{VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 2 * kSetsPerPool},
                                              {VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, kSetsPerPool},
                                              {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC, kSetsPerPool}};
        auto info = make<VkDescriptorPoolCreateInfo>(VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO);
        info.flags = VK_DESCRIPTOR_POOL_CREATE_FREE_DESCRIPTOR_SET_BIT;
        info.maxSets = kSetsPerPool;
        info.poolSizeCount = 3;
        info.pPoolSizes = sizes;
        VkDescriptorPool pool = VK_NULL_HANDLE;
        if (Status status =
                device_.check(device_.vk.vkCreateDescriptorPool(device_.handle, &info, nullptr, &pool),
                              "vkCreateDescriptorPool");
            !status)
            return status.error();
        pools_.push_back({UniqueDescriptorPool(device_.handle, device_.vk, pool), kSetsPerPool});
    }
    auto info = make<VkDescriptorSetAllocateInfo>(VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO);
    info.descriptorPool = pools_[index].pool;
    info.descriptorSetCount = 1;
    info.pSetLayouts = &layout;
    VkDescriptorSet set = VK_NULL_HANDLE;
    if (Status status = device_.check(device_.vk.vkAllocateDescriptorSets(device_.handle, &info, &set),
                                      "vkAllocateDescriptorSets");
        !status)
        return status.error();
    --pools_[index].free;
    pool_of_[set] = index;
    return set;
}

void FixedPipelines::free_set(VkDescriptorSet set)
{
    const auto found = pool_of_.find(set);
    if (found == pool_of_.end())
        return;
    Pool& pool = pools_[found->second];
    (void)device_.vk.vkFreeDescriptorSets(device_.handle, pool.pool, 1, &set); // always VK_SUCCESS
    ++pool.free;
    pool_of_.erase(found);
}

std::function<void()> FixedPipelines::releaser(VkDescriptorSet set)
{
    return [this, set, alive = std::weak_ptr<char>(alive_)]
    {
        if (!alive.expired())
            free_set(set);
    };
}

Status FixedPipelines::set_memory(VkBuffer vram, VkDeviceSize vram_size, VkBuffer fcram,
                                  VkDeviceSize fcram_size)
{
    // Recorded dispatches use the set of before.
    const Result<VkDescriptorSet> set = allocate_set(memory_layout_);
    if (!set)
        return set.error();
    stream_.defer(releaser(std::exchange(memory_set_, *set)));
    const VkDescriptorBufferInfo buffers[] = {{vram, 0, vram_size}, {fcram, 0, fcram_size}};
    auto write = make<VkWriteDescriptorSet>(VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET);
    write.dstSet = memory_set_;
    write.descriptorCount = 2;
    write.descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
    write.pBufferInfo = buffers;
    device_.vk.vkUpdateDescriptorSets(device_.handle, 1, &write, 0, nullptr);
    return {};
}

Result<VkDescriptorSet> FixedPipelines::create_image_set(VkImageView view)
{
    const Result<VkDescriptorSet> set = allocate_set(image_layout_);
    if (!set)
        return set;
    const VkDescriptorImageInfo image{VK_NULL_HANDLE, view, VK_IMAGE_LAYOUT_GENERAL};
    auto write = make<VkWriteDescriptorSet>(VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET);
    write.dstSet = *set;
    write.descriptorCount = 1;
    write.descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_IMAGE;
    write.pImageInfo = &image;
    device_.vk.vkUpdateDescriptorSets(device_.handle, 1, &write, 0, nullptr);
    return set;
}

Result<VkDescriptorSet> FixedPipelines::create_buffer_set(VkBuffer buffer, VkDeviceSize size)
{
    const Result<VkDescriptorSet> set = allocate_set(buffer_layout_);
    if (!set)
        return set;
    const VkDescriptorBufferInfo info{buffer, 0, size};
    auto write = make<VkWriteDescriptorSet>(VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET);
    write.dstSet = *set;
    write.descriptorCount = 1;
    write.descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
    write.pBufferInfo = &info;
    device_.vk.vkUpdateDescriptorSets(device_.handle, 1, &write, 0, nullptr);
    return set;
}

Result<VkDescriptorSet> FixedPipelines::create_plane_set(const VkDescriptorBufferInfo& planes,
                                                         const VkDescriptorBufferInfo& table)
{
    const Result<VkDescriptorSet> set = allocate_set(plane_layout_);
    if (!set)
        return set;
    VkWriteDescriptorSet writes[2];
    for (u32 i = 0; i < 2; ++i)
    {
        writes[i] = make<VkWriteDescriptorSet>(VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET);
        writes[i].dstSet = *set;
        writes[i].dstBinding = i;
        writes[i].descriptorCount = 1;
        writes[i].descriptorType =
            i == 0 ? VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC : VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
        writes[i].pBufferInfo = i == 0 ? &planes : &table;
    }
    device_.vk.vkUpdateDescriptorSets(device_.handle, 2, writes, 0, nullptr);
    return set;
}

VkPipelineLayout FixedPipelines::layout_of(FixedShader shader) const
{
    const FixedShaderFacts facts = facts_of(shader);
    if (facts.has_planes)
        return facts.has_image ? plane_image_pipeline_layout_ : plane_buffer_pipeline_layout_;
    return facts.has_image ? image_pipeline_layout_ : buffer_pipeline_layout_;
}

UniquePipeline* FixedPipelines::find(FixedShader shader, const Words& words)
{
    for (Variant& variant : pipelines_[static_cast<u32>(shader)])
    {
        if (variant.words != words)
            continue;
        variant.use = ++uses_;
        return &variant.pipeline;
    }
    return nullptr;
}

Result<VkPipeline> FixedPipelines::pipeline(FixedShader shader, std::span<const u32> specialised)
{
    Words words{};
    const u32 count = one_form_ ? 0 : static_cast<u32>(specialised.size());
    std::copy_n(specialised.begin(), count, words.begin());
    if (const UniquePipeline* known = find(shader, words))
        return known->get();
    collect();
    if (const UniquePipeline* known = find(shader, words))
        return known->get();
    if (on_trial_)
    {
        left_out_ = true;
        want(shader, words, count);
        return VkPipeline{VK_NULL_HANDLE};
    }
    const auto start = std::chrono::steady_clock::now();
    Result<UniquePipeline> made = build(shader, words, count);
    ++waits;
    wait_ms += std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
    if (!made)
    {
        device_.fail(made.error().message);
        return made.error();
    }
    const VkPipeline handle = made->get();
    keep(shader, words, std::move(*made));
    return handle;
}

void FixedPipelines::keep(FixedShader shader, const Words& words, UniquePipeline pipeline)
{
    auto& variants = pipelines_[static_cast<u32>(shader)];
    if (variants.size() >= kVariantsKept)
    {
        const auto oldest =
            std::min_element(variants.begin(), variants.end(),
                             [](const Variant& a, const Variant& b) { return a.use < b.use; });
        stream_.retire(std::move(oldest->pipeline));
        variants.erase(oldest);
    }
    variants.push_back({words, std::move(pipeline), ++uses_});
}

void FixedPipelines::want(FixedShader shader, const Words& words, u32 count)
{
    const CompileQueue::Key key =
        kFirstJob | (pica::hash_bytes(words.data(), sizeof words) ^ static_cast<u32>(shader)) >> 8;
    if (!queue_->want(key))
        queue_->add(key,
                    [this, shader, words, count] {
                        made_.post({shader, words, build(shader, words, count)});
                    });
}

void FixedPipelines::collect()
{
    made_.collect(
        [&](Made& made)
        {
            // What fails is made again when it is needed, and fails there.
            if (made.pipeline && !find(made.shader, made.words))
                keep(made.shader, made.words, std::move(*made.pipeline));
        });
}

void FixedPipelines::begin_trial()
{
    on_trial_ = queue_ != nullptr;
    left_out_ = false;
}

bool FixedPipelines::end_trial()
{
    on_trial_ = false;
    return !left_out_;
}

void FixedPipelines::ask_for_all(u32 scale)
{
    asked_shaders_ = scale == 1 ? kUnscaledShaderCount : kFixedShaderCount;
    for (u32 index = 0; index < asked_shaders_; ++index)
        queue_->add(kFirstJob | 1 << 16 | index,
                    [this, shader = static_cast<FixedShader>(index)]
                    {
                        if (one_form_)
                            made_.post({shader, {}, build(shader, {}, 0)});
                        else
                            (void)module_of(shader);
                        ready_shaders_.fetch_add(1, std::memory_order_release);
                    });
}

std::string FixedPipelines::text_of(FixedShader shader) const
{
    return renderer::text_of(shader, one_form_);
}

Result<shadergen::Spirv> FixedPipelines::spirv_of(FixedShader shader)
{
    if (shadergen::Spirv baked = baked_spirv(shader, one_form_); !baked.empty())
        return baked;
    const FixedShaderFacts facts = facts_of(shader);
    const std::vector<u8> key =
        spirv_key(shadergen::Stage::Compute, {},
                  std::string(one_form_ ? "fixed, one form " : "fixed ") + facts.file + facts.define);
    if (auto kept = find_spirv(disk_, key); kept && !kept->module.empty())
        return std::move(kept->module);
    const auto start = std::chrono::steady_clock::now();
    Result<shadergen::Spirv> spirv = shadergen::compile(shadergen::Stage::Compute, text_of(shader), {});
    generate_ns_ +=
        static_cast<u64>(std::chrono::nanoseconds(std::chrono::steady_clock::now() - start).count());
    if (!spirv)
        return Error{std::string(facts.file) + ": " + spirv.error().message};
    keep_spirv(disk_, key, {*spirv, {}});
    return spirv;
}

Result<VkShaderModule> FixedPipelines::module_of(FixedShader shader)
{
    UniqueShaderModule& module = modules_[static_cast<u32>(shader)];
    {
        const std::lock_guard lock(modules_mutex_);
        if (module)
            return module.get();
    }
    const char* name = facts_of(shader).file;
    const Result<shadergen::Spirv> with_calls = spirv_of(shader);
    if (!with_calls)
        return with_calls.error();
    const shadergen::Spirv spirv =
        device_.features.inlined_calls ? shadergen::inline_calls(*with_calls) : *with_calls;
    auto info = make<VkShaderModuleCreateInfo>(VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO);
    info.codeSize = spirv.size() * sizeof(u32);
    info.pCode = spirv.data();
    VkShaderModule object = VK_NULL_HANDLE;
    if (const VkResult result = device_.vk.vkCreateShaderModule(device_.handle, &info, nullptr, &object);
        result != VK_SUCCESS)
        return Error{std::string("vkCreateShaderModule failed for ") + name + " (VkResult " +
                     std::to_string(result) + ")"};
    set_name(device_, VK_OBJECT_TYPE_SHADER_MODULE, object, name);
    UniqueShaderModule made(device_.handle, device_.vk, object);
    const std::lock_guard lock(modules_mutex_);
    if (!module) // no other thread was faster
        module = std::move(made);
    return module.get();
}

Result<UniquePipeline> FixedPipelines::build(FixedShader shader, const Words& words, u32 count)
{
    const Result<VkShaderModule> module = module_of(shader);
    if (!module)
        return module.error();

    // The ids of the constants count from zero.
    std::array<VkSpecializationMapEntry, kMostSpecialised> entries;
    for (u32 i = 0; i < count; ++i)
        entries[i] = {i, i * 4, 4};
    const VkSpecializationInfo specialization{count, entries.data(), count * sizeof(u32), words.data()};
    auto info = make<VkComputePipelineCreateInfo>(VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO);
    info.stage.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO;
    info.stage.stage = VK_SHADER_STAGE_COMPUTE_BIT;
    info.stage.module = *module;
    info.stage.pName = "main";
    info.stage.pSpecializationInfo = &specialization;
    info.layout = layout_of(shader);
    DriverCache::Use use(driver_cache_, 1);
    info.pNext = use.chain();
    VkPipeline pipeline = VK_NULL_HANDLE;
    if (const VkResult result =
            device_.vk.vkCreateComputePipelines(device_.handle, use.cache(), 1, &info, nullptr, &pipeline);
        result != VK_SUCCESS)
        return Error{std::string("vkCreateComputePipelines failed for ") + facts_of(shader).file +
                     " (VkResult " + std::to_string(result) + ")"};
    use.made();
    set_name(device_, VK_OBJECT_TYPE_PIPELINE, pipeline, facts_of(shader).file);
    return UniquePipeline(device_.handle, device_.vk, pipeline);
}

// Plane 0 is guest memory, which is not in the buffer. The last planes are bound together with some before them, because
// what is bound must lie in the buffer.
FixedPipelines::PlanePart FixedPipelines::part_from(const PlaneSet& planes, u32 next)
{
    const u32 first = std::max(next, 1u) - 1; // in the buffer
    const u32 bound = std::min(first, planes.count - planes.at_once);
    const u32 words = planes.bytes / 4;
    const u32 first_word = next == 0 ? 0 - words : (first - bound) * words;
    return {planes.set, bound * planes.bytes, first_word, bound + planes.at_once + 1 - next};
}

Status FixedPipelines::dispatch_words(VkCommandBuffer cmd, VkDescriptorSet set, const Work& work,
                                      u32 invocations)
{
    if (invocations == 0)
        return {};
    const Result<VkPipeline> found = pipeline(work.shader, work.specialised);
    if (!found)
        return found.error();
    if (*found == VK_NULL_HANDLE)
        return {};
    const LabelScope label(device_, cmd, "%s", facts_of(work.shader).file);
    const VkPipelineLayout layout = layout_of(work.shader);
    const VkDescriptorSet sets[] = {memory_set_, set};
    device_.vk.vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, *found);
    device_.vk.vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, set ? 2 : 1, sets, 0,
                                       nullptr);
    if (work.planes.set != VK_NULL_HANDLE)
        device_.vk.vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 2, 1,
                                           &work.planes.set, 1, &work.planes.offset);
    u32 offset = 0;
    if (one_form_)
    {
        device_.vk.vkCmdPushConstants(cmd, layout, VK_SHADER_STAGE_COMPUTE_BIT, 0,
                                      static_cast<u32>(work.specialised.size_bytes()),
                                      work.specialised.data());
        offset = static_cast<u32>(work.specialised.size_bytes());
    }
    device_.vk.vkCmdPushConstants(cmd, layout, VK_SHADER_STAGE_COMPUTE_BIT, offset,
                                  static_cast<u32>(work.pushed.size_bytes()), work.pushed.data());
    const u32 groups = (invocations - 1) / kGroup + 1;
    const u32 rows = (groups - 1) / kGroupsPerRow + 1;
    device_.vk.vkCmdDispatch(cmd, rows == 1 ? groups : kGroupsPerRow, rows, work.planes.count);
    ++dispatches;
    return {};
}

} // namespace renderer
