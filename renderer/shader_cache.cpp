// SPDX-License-Identifier: MIT
#include "renderer/shader_cache.h"

#include "renderer/debug.h"
#include "shadergen/fragment.h"
#include "shadergen/reflect.h"
#include "shadergen/vertex.h"
#include "shadergen/vertex_interpreter.h"

#include <algorithm>
#include <chrono>

namespace renderer
{

using pica::Error;
using pica::Result;

ShaderCache::~ShaderCache()
{
    for (VkShaderModule module : modules_)
        device_.vk.vkDestroyShaderModule(device_.handle, module, nullptr);
}

shadergen::Target ShaderCache::variant_target(const FragmentVariant& variant) const
{
    shadergen::Target target = target_;
    target.color_output = variant.color_output;
    target.fetch_path = variant.fetch_path;
    target.coverage_in_shader = variant.coverage_in_shader != 0;
    return target;
}

Result<ShaderModule> ShaderCache::create(shadergen::Stage stage, const std::string& text,
                                         const shadergen::Target& target, const char* name)
{
    const auto start = std::chrono::steady_clock::now();
    auto spirv = shadergen::compile(stage, text, target);
    if (!spirv)
        return Error{"shader " + std::string(name) + ": " + spirv.error().message};
    if (auto checked = shadergen::check_layout(stage, *spirv); !checked)
        return Error{"shader " + std::string(name) + ": " + checked.error().message};

    auto info = make<VkShaderModuleCreateInfo>(VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO);
    info.codeSize = spirv->size() * sizeof(pica::u32);
    info.pCode = spirv->data();
    ShaderModule module;
    if (const VkResult result =
            device_.vk.vkCreateShaderModule(device_.handle, &info, nullptr, &module.module);
        result != VK_SUCCESS)
        return Error{"vkCreateShaderModule failed for " + std::string(name) + " (VkResult " +
                     std::to_string(result) + ")"};
    modules_.push_back(module.module);
    module.id = static_cast<pica::u32>(modules_.size());
    set_name(device_, VK_OBJECT_TYPE_SHADER_MODULE, module.module, name);

    const double ms =
        std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
    stats_.modules++;
    stats_.compile_ms += ms;
    stats_.worst_ms = std::max(stats_.worst_ms, ms);
    return module;
}

Result<ShaderModule> ShaderCache::fragment(const pica::FragmentKey& key, const pica::RecordLayout& layout,
                                           const FragmentVariant& variant)
{
    const FragmentShaderKey full{key, layout, variant};
    if (const auto it = fragments_.find(full); it != fragments_.end())
        return it->second;
    const shadergen::Target target = variant_target(variant);
    auto module = create(shadergen::Stage::Fragment, shadergen::generate_fragment(key, layout, target),
                         target, "fragment");
    if (module)
        fragments_.emplace(full, *module);
    return module;
}

Result<ShaderModule> ShaderCache::ubershader(const shadergen::UbershaderKey& key,
                                             const pica::RecordLayout& layout, const FragmentVariant& variant)
{
    const UbershaderFullKey full{key, layout.wide, variant};
    if (const auto it = ubershaders_.find(full); it != ubershaders_.end())
        return it->second;
    const shadergen::Target target = variant_target(variant);
    auto module = create(shadergen::Stage::Fragment, shadergen::generate_ubershader(key, layout.wide, target),
                         target, "ubershader");
    if (module)
        ubershaders_.emplace(full, *module);
    return module;
}

Result<ShaderModule> ShaderCache::raster_vertex(pica::u8 record_words, bool coverage_in_shader)
{
    const pica::u32 key = record_words | (coverage_in_shader ? 0x100u : 0u);
    if (const auto it = raster_vertices_.find(key); it != raster_vertices_.end())
        return it->second;
    shadergen::Target target = target_;
    target.coverage_in_shader = coverage_in_shader;
    auto module = create(shadergen::Stage::Vertex, shadergen::generate_raster_vertex(record_words, target),
                         target, "raster vertex");
    if (module)
        raster_vertices_.emplace(key, *module);
    return module;
}

Result<ShaderModule> ShaderCache::vertex_program(const pica::VertexKey& key, const pica::Program& program)
{
    if (const auto it = programs_.find(key); it != programs_.end())
        return it->second;
    auto module = create(shadergen::Stage::Compute, shadergen::generate_vertex(key, program, target_),
                         target_, "vertex program");
    if (module)
        programs_.emplace(key, *module);
    return module;
}

Result<ShaderModule> ShaderCache::fixed_stage(std::string_view name)
{
    if (const auto it = fixed_.find(std::string(name)); it != fixed_.end())
        return it->second;
    const std::string text = name == "clip_count"           ? shadergen::clip_count_shader(target_)
                             : name == "scan"               ? shadergen::scan_shader(target_)
                             : name == "vertex_interpreter" ? shadergen::vertex_interpreter_shader(target_)
                                                            : shadergen::emit_shader(target_);
    auto module = create(shadergen::Stage::Compute, text, target_, std::string(name).c_str());
    if (module)
        fixed_.emplace(std::string(name), *module);
    return module;
}

} // namespace renderer
