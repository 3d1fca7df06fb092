// SPDX-License-Identifier: MIT
#include "renderer/pipelines/shader_cache.h"

#include "pica/base/bytes.h"
#include "pica/shader/program.h"
#include "renderer/pipelines/kept_spirv.h"
#include "renderer/vulkan/debug.h"
#include "shadergen/constant_words.h"
#include "shadergen/fragment.h"
#include "shadergen/geometry_interpreter.h"
#include "shadergen/inline_calls.h"
#include "shadergen/module_size.h"
#include "shadergen/raster_vertex.h"
#include "shadergen/reflect.h"
#include "shadergen/triangle_stages.h"
#include "shadergen/vertex.h"
#include "shadergen/vertex_interpreter.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace renderer
{

using pica::Error;
using pica::Result;
using pica::u32;
using pica::u64;

ShaderCache::ShaderCache(Device& device, const shadergen::Target& target, std::size_t budget, DiskCache* disk)
    : device_(device), target_(
                           [&]
                           {
                               shadergen::Target plain = target;
                               plain.scale = 1;
                               return plain;
                           }()),
      scale_(target.scale), budget_(budget), disk_(disk)
{
}

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

namespace
{

// The bytes of a key, the same in every run. The number of a program is not; its content is a part of its own.
std::vector<pica::u8> portable(const std::string& key)
{
    return {key.begin(), key.end()};
}

template <typename Key>
std::vector<pica::u8> portable(Key key)
{
    static_assert(std::has_unique_object_representations_v<Key>);
    if constexpr (requires { key.program; })
        key.program = 0;
    const auto* const bytes = reinterpret_cast<const pica::u8*>(&key);
    return {bytes, bytes + sizeof key};
}

void append_part(std::vector<pica::u8>& key, const void* bytes, std::size_t size)
{
    pica::append_word(key, static_cast<pica::u32>(size));
    const auto* const first = static_cast<const pica::u8*>(bytes);
    key.insert(key.end(), first, first + size);
}

} // namespace

Result<KeptSpirv> ShaderCache::compile(const Recipe& recipe, const std::string& text)
{
    const std::string name(recipe.name);
    auto spirv = shadergen::compile(recipe.stage, text, recipe.target);
    if (!spirv)
        return Error{"shader " + name + ": " + spirv.error().message};
    if (const u64 size = shadergen::inlined_instructions(*spirv); size > recipe.most_instructions)
        return KeptSpirv{{},
                         std::to_string(size) +
                             " instructions with functions in place of their calls; drivers are given " +
                             std::to_string(recipe.most_instructions) + " at most"};
    if (auto checked = shadergen::check_layout(recipe.stage, *spirv); !checked)
        return Error{"shader " + name + ": " + checked.error().message};
    return KeptSpirv{std::move(*spirv), {}};
}

Result<UniqueShaderModule> ShaderCache::create(const shadergen::Spirv& with_calls, const char* name) const
{
    const shadergen::Spirv spirv =
        device_.features.inlined_calls ? shadergen::inline_calls(with_calls) : with_calls;
    auto info = make<VkShaderModuleCreateInfo>(VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO);
    info.codeSize = spirv.size() * sizeof(pica::u32);
    info.pCode = spirv.data();
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
                                                 const Recipe& recipe, Write write)
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
    std::vector<pica::u8> disk_key;
    std::optional<KeptSpirv> kept;
    if (disk_ != nullptr)
    {
        disk_key = spirv_key(recipe.stage, recipe.target, recipe.name);
        const std::vector<pica::u8> own = portable(key);
        append_part(disk_key, &recipe.most_instructions, sizeof recipe.most_instructions);
        append_part(disk_key, own.data(), own.size());
        append_part(disk_key, recipe.program.data(), recipe.program.size_bytes());
        kept = find_spirv(disk_, disk_key);
    }
    const bool loaded = kept.has_value();
    if (!loaded)
    {
        if (recipe.source == ShaderSource::Kept)
            return Error{std::string(recipe.name) + ": not kept"};
        Result<KeptSpirv> made = compile(recipe, write());
        if (!made)
            return made.error();
        kept = std::move(*made);
        keep_spirv(disk_, disk_key, *kept);
    }
    if (kept->module.empty())
        return Error{kept->refusal};
    Result<UniqueShaderModule> created = create(kept->module, recipe.name);
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
    stats_.loaded += loaded ? 1 : 0;
    (loaded ? stats_.load_ms : stats_.compile_ms) += ms;
    stats_.worst_ms = loaded ? stats_.worst_ms : std::max(stats_.worst_ms, ms);
    return module;
}

shadergen::Target ShaderCache::fragment_target(const pica::FragmentKey& key,
                                               const FragmentVariant& variant) const
{
    shadergen::Target target = variant_target(variant);
    if (key.gas.block32 != 0)
        target.scale = scale_;
    return target;
}

Result<ShaderModule> ShaderCache::fragment(const pica::FragmentKey& key, const pica::RecordLayout& layout,
                                           const FragmentVariant& variant, ShaderSource source)
{
    const shadergen::Target target = fragment_target(key, variant);
    return find_or_create(
        fragments_, FragmentShaderKey{key, layout, variant},
        {shadergen::Stage::Fragment, target, "fragment", shadergen::kMostInstructions, {}, source},
        [&] { return shadergen::generate_fragment(key, layout, target); });
}

Result<ShaderModule> ShaderCache::ubershader(const shadergen::UbershaderKey& key,
                                             const pica::RecordLayout& layout, const FragmentVariant& variant,
                                             ShaderSource source)
{
    shadergen::Target target = variant_target(variant);
    if (key.gas != 0)
        target.scale = scale_;
    return find_or_create(
        ubershaders_, UbershaderFullKey{key, layout.wide, variant},
        {shadergen::Stage::Fragment, target, "ubershader", shadergen::kMostInstructions, {}, source},
        [&] { return shadergen::generate_ubershader(key, layout.wide, target); });
}

Result<ShaderModule> ShaderCache::raster_vertex(const pica::FragmentKey* key,
                                                const pica::RecordLayout& layout,
                                                const FragmentVariant& variant, ShaderSource source)
{
    u64 record = layout.words | u64{variant.coverage_in_shader} << 8 | u64{layout.wide != 0} << 9 |
                 u64{shadergen::real_tail_word(layout)} << 10;
    for (u32 set = 0; set < 3; set++)
        record |= u64{layout.texcoord[set]} << (24 + 8 * set);
    shadergen::Target target = target_;
    target.coverage_in_shader = variant.coverage_in_shader != 0;
    const shadergen::ConstantWords constants =
        key != nullptr ? shadergen::flat_constants(*key, layout, fragment_target(*key, variant))
                       : shadergen::ConstantWords();
    const RasterVertexKey own = {record, constants.bits[0], constants.bits[1], constants.bits[2]};
    return find_or_create(
        raster_vertices_, own,
        {shadergen::Stage::Vertex, target, "raster vertex", shadergen::kMostInstructions, {}, source},
        [&] { return shadergen::generate_raster_vertex(layout, target, constants); });
}

Result<ShaderModule> ShaderCache::vertex_program(const pica::VertexKey& key, const pica::Program& program,
                                                 ShaderSource source)
{
    return find_or_create(programs_, key,
                          {shadergen::Stage::Compute, target_, "vertex program", shadergen::kMostInstructions,
                           program.content(), source},
                          [&] { return shadergen::generate_vertex(key, program, target_); });
}

Result<ShaderModule> ShaderCache::feed_program(const shadergen::FeedKey& key, const pica::Program& program,
                                               ShaderSource source)
{
    return find_or_create(feeds_, key,
                          {shadergen::Stage::Compute, target_, "vertex program, feeding",
                           shadergen::kMostInstructions, program.content(), source},
                          [&] { return shadergen::generate_feed(key, program, target_); });
}

Result<ShaderModule> ShaderCache::geometry_program(const shadergen::GeometryKey& key,
                                                   const pica::Program& program, ShaderSource source)
{
    return find_or_create(geometry_, key,
                          {shadergen::Stage::Compute, target_, "geometry program",
                           shadergen::kMostGeometryInstructions, program.content(), source},
                          [&] { return shadergen::generate_geometry(key, program, target_); });
}

Result<ShaderModule> ShaderCache::fixed_stage(std::string_view name, ShaderSource source)
{
    const std::string key(name);
    return find_or_create(
        fixed_, key,
        {shadergen::Stage::Compute, target_, key.c_str(), shadergen::kMostInstructions, {}, source},
        [&]
        {
            return name == "classify"               ? shadergen::classify_shader(target_)
                   : name == "clip"                 ? shadergen::clip_shader(target_)
                   : name == "vertex_interpreter"   ? shadergen::vertex_interpreter_shader(target_)
                   : name == "shared_rows"          ? shadergen::shared_rows_shader(target_)
                   : name == "geometry_interpreter" ? shadergen::geometry_interpreter_shader(target_)
                                                    : shadergen::emit_shader(target_);
        });
}

} // namespace renderer
