// SPDX-License-Identifier: MIT
#include "renderer/pipelines/shader_cache.h"

#include "renderer/vulkan/debug.h"
#include "shadergen/fragment.h"
#include "shadergen/geometry_interpreter.h"
#include "shadergen/module_size.h"
#include "shadergen/raster_vertex.h"
#include "shadergen/reflect.h"
#include "shadergen/triangle_stages.h"
#include "shadergen/vertex.h"
#include "shadergen/vertex_interpreter.h"

#include <algorithm>
#include <chrono>

namespace renderer
{

using pica::Error;
using pica::Result;

shadergen::Target ShaderCache::variant_target(const FragmentVariant& variant) const
{
    shadergen::Target target = target_;
    target.color_output = variant.color_output;
    target.fetch_path = variant.fetch_path;
    target.coverage_in_shader = variant.coverage_in_shader != 0;
    return target;
}

ShaderStats ShaderCache::stats() const
{
    const std::lock_guard lock(mutex_);
    return stats_;
}

Result<UniqueShaderModule> ShaderCache::create(shadergen::Stage stage, const std::string& text,
                                               const shadergen::Target& target, const char* name,
                                               pica::u64 most_instructions) const
{
    auto spirv = shadergen::compile(stage, text, target);
    if (!spirv)
        return Error{"shader " + std::string(name) + ": " + spirv.error().message};
    if (const pica::u64 size = shadergen::inlined_instructions(*spirv); size > most_instructions)
        return Error{std::to_string(size) +
                     " instructions with functions in place of their calls; drivers are given " +
                     std::to_string(most_instructions) + " at most"};
    if (auto checked = shadergen::check_layout(stage, *spirv); !checked)
        return Error{"shader " + std::string(name) + ": " + checked.error().message};

    auto info = make<VkShaderModuleCreateInfo>(VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO);
    info.codeSize = spirv->size() * sizeof(pica::u32);
    info.pCode = spirv->data();
    VkShaderModule module = VK_NULL_HANDLE;
    if (const VkResult result = device_.vk.vkCreateShaderModule(device_.handle, &info, nullptr, &module);
        result != VK_SUCCESS)
        return Error{"vkCreateShaderModule failed for " + std::string(name) + " (VkResult " +
                     std::to_string(result) + ")"};
    set_name(device_, VK_OBJECT_TYPE_SHADER_MODULE, module, name);
    return UniqueShaderModule(device_.handle, device_.vk, module);
}

template <typename Key, typename Hasher, typename Write>
Result<ShaderModule> ShaderCache::find_or_create(Modules<Key, Hasher>& modules, const Key& key,
                                                 shadergen::Stage stage, const shadergen::Target& target,
                                                 const char* name, pica::u64 most_instructions, Write write)
{
    {
        const std::lock_guard lock(mutex_);
        if (const auto it = modules.find(key); it != modules.end())
        {
            it->second.use = ++uses_;
            return it->second.module;
        }
    }
    const auto start = std::chrono::steady_clock::now();
    Result<UniqueShaderModule> created = create(stage, write(), target, name, most_instructions);
    if (!created)
        return created.error();
    const double ms =
        std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();

    const std::lock_guard lock(mutex_);
    if (const auto it = modules.find(key); it != modules.end())
        return it->second.module;
    if (modules.size() >= budget_)
    {
        modules.erase(std::min_element(modules.begin(), modules.end(),
                                       [](const auto& a, const auto& b)
                                       { return a.second.use < b.second.use; }));
        stats_.evictions++;
        stats_.held--;
    }
    stats_.modules++;
    stats_.held++;
    const ShaderModule module{std::make_shared<const UniqueShaderModule>(std::move(*created)),
                              stats_.modules};
    modules.emplace(key, Kept{module, ++uses_});
    stats_.compile_ms += ms;
    stats_.worst_ms = std::max(stats_.worst_ms, ms);
    return module;
}

Result<ShaderModule> ShaderCache::fragment(const pica::FragmentKey& key, const pica::RecordLayout& layout,
                                           const FragmentVariant& variant)
{
    const shadergen::Target target = variant_target(variant);
    return find_or_create(fragments_, FragmentShaderKey{key, layout, variant}, shadergen::Stage::Fragment,
                          target, "fragment", shadergen::kMostInstructions,
                          [&] { return shadergen::generate_fragment(key, layout, target); });
}

Result<ShaderModule> ShaderCache::ubershader(const shadergen::UbershaderKey& key,
                                             const pica::RecordLayout& layout, const FragmentVariant& variant)
{
    const shadergen::Target target = variant_target(variant);
    return find_or_create(ubershaders_, UbershaderFullKey{key, layout.wide, variant},
                          shadergen::Stage::Fragment, target, "ubershader", shadergen::kMostInstructions,
                          [&] { return shadergen::generate_ubershader(key, layout.wide, target); });
}

Result<ShaderModule> ShaderCache::raster_vertex(pica::u8 record_words, bool coverage_in_shader)
{
    const pica::u32 key = record_words | (coverage_in_shader ? 0x100u : 0u);
    shadergen::Target target = target_;
    target.coverage_in_shader = coverage_in_shader;
    return find_or_create(raster_vertices_, key, shadergen::Stage::Vertex, target, "raster vertex",
                          shadergen::kMostInstructions,
                          [&] { return shadergen::generate_raster_vertex(record_words, target); });
}

Result<ShaderModule> ShaderCache::vertex_program(const pica::VertexKey& key, const pica::Program& program)
{
    return find_or_create(programs_, key, shadergen::Stage::Compute, target_, "vertex program",
                          shadergen::kMostInstructions,
                          [&] { return shadergen::generate_vertex(key, program, target_); });
}

Result<ShaderModule> ShaderCache::feed_program(const shadergen::FeedKey& key, const pica::Program& program)
{
    return find_or_create(feeds_, key, shadergen::Stage::Compute, target_, "vertex program, feeding",
                          shadergen::kMostInstructions,
                          [&] { return shadergen::generate_feed(key, program, target_); });
}

Result<ShaderModule> ShaderCache::geometry_program(const shadergen::GeometryKey& key,
                                                   const pica::Program& program)
{
    return find_or_create(geometry_, key, shadergen::Stage::Compute, target_, "geometry program",
                          shadergen::kMostGeometryInstructions,
                          [&] { return shadergen::generate_geometry(key, program, target_); });
}

Result<ShaderModule> ShaderCache::fixed_stage(std::string_view name)
{
    const std::string key(name);
    return find_or_create(
        fixed_, key, shadergen::Stage::Compute, target_, key.c_str(), shadergen::kMostInstructions,
        [&]
        {
            return name == "classify"               ? shadergen::classify_shader(target_)
                   : name == "clip_count"           ? shadergen::clip_count_shader(target_)
                   : name == "clip_emit"            ? shadergen::clip_emit_shader(target_)
                   : name == "scan"                 ? shadergen::scan_shader(target_)
                   : name == "vertex_interpreter"   ? shadergen::vertex_interpreter_shader(target_)
                   : name == "shared_rows"          ? shadergen::shared_rows_shader(target_)
                   : name == "geometry_interpreter" ? shadergen::geometry_interpreter_shader(target_)
                                                    : shadergen::emit_shader(target_);
        });
}

} // namespace renderer
