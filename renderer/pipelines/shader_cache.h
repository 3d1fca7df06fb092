// SPDX-License-Identifier: MIT
// ShaderCache: shader modules by key bytes. It generates, compiles, hardens and checks a shader against the
// layout, and makes the module. Keys hold no pointer and no handle. A module's id is a small integer, which
// pipeline keys hold. Thread-safe: workers and the renderer's thread share it. Modules are made outside of
// the lock, and of two made for one key the first stays.
#pragma once

#include "pica/base/result.h"
#include "pica/state/keys.h"
#include "pica/state/triangle_record.h"
#include "renderer/vulkan/device.h"
#include "renderer/vulkan/handle.h"
#include "shadergen/geometry.h"
#include "shadergen/spirv.h"
#include "shadergen/target.h"
#include "shadergen/ubershader.h"

#include <array>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>

namespace pica
{
class Program;
}

namespace renderer
{

class DiskCache;
struct KeptSpirv;

// A shared shader module, which exists as long as someone holds it. Pipelines need it only while they are
// made.
struct ShaderModule
{
    std::shared_ptr<const UniqueShaderModule> owner;
    pica::u32 id = 0; // from 1 in order of creation; never reused

    VkShaderModule module() const { return owner->get(); }
};

// The empty key of the interpreters: there is one module of each.
struct InterpreterKey
{
    pica::u8 none = 0;
    bool operator==(const InterpreterKey&) const = default;
};

// Where a module may come from.
enum class ShaderSource : pica::u8
{
    Any,
    Kept, // memory or the disk cache: nothing is generated
};

// Counters of the cache. Times are in milliseconds.
struct ShaderStats
{
    pica::u32 modules = 0; // made since creation
    pica::u32 loaded = 0;  // ... from SPIR-V of the disk cache
    pica::u32 held = 0;
    pica::u64 evictions = 0;
    // Of all modules that were not loaded: generation, glslang, hardening, reflection, module creation.
    double compile_ms = 0.0;
    double worst_ms = 0.0;
    double load_ms = 0.0; // of the others: reading, checking, module creation
};

class ShaderCache
{
public:
    // target: what the generator must know of the device. budget: how many modules of each kind are kept;
    // beyond this the least recently used one is evicted. disk: keeps their SPIR-V; may be null.
    ShaderCache(Device& device, const shadergen::Target& target, std::size_t budget, DiskCache* disk);
    ShaderCache(const ShaderCache&) = delete;
    ShaderCache& operator=(const ShaderCache&) = delete;

    const shadergen::Target& target() const { return target_; }

    // How a fragment shader differs from the cache's target: how it writes colour, how it reads the
    // destination, and whether it tests coverage.
    struct FragmentVariant
    {
        shadergen::ColorOutput color_output = shadergen::ColorOutput::Uint;
        shadergen::FetchPath fetch_path = shadergen::FetchPath::InputAttachment;
        pica::u8 coverage_in_shader = 0;
        bool operator==(const FragmentVariant&) const = default;
    };
    // The functions below give a module. If it is missing they compile it on the calling thread. Errors: the
    // shader is too large for drivers (shadergen/module_size.h), does not compile, vkCreateShaderModule
    // failed, or the module is not kept where only kept ones are wanted.
    pica::Result<ShaderModule> fragment(const pica::FragmentKey& key, const pica::RecordLayout& layout,
                                        const FragmentVariant& variant, ShaderSource source);
    pica::Result<ShaderModule> ubershader(const shadergen::UbershaderKey& key,
                                          const pica::RecordLayout& layout, const FragmentVariant& variant,
                                          ShaderSource source);
    // The vertex shader for a fragment shader of these arguments. key: null for an ubershader.
    pica::Result<ShaderModule> raster_vertex(const pica::FragmentKey* key, const pica::RecordLayout& layout,
                                             const FragmentVariant& variant, ShaderSource source);
    pica::Result<ShaderModule> vertex_program(const pica::VertexKey& key, const pica::Program& program,
                                              ShaderSource source);
    // A vertex program whose outputs feed a geometry program.
    pica::Result<ShaderModule> feed_program(const shadergen::FeedKey& key, const pica::Program& program,
                                            ShaderSource source);
    pica::Result<ShaderModule> geometry_program(const shadergen::GeometryKey& key,
                                                const pica::Program& program, ShaderSource source);
    // The interpreters of both shader units. They run any program, so the arguments are ignored.
    pica::Result<ShaderModule> vertex_interpreter(const InterpreterKey&, const pica::Program&,
                                                  ShaderSource source)
    {
        return fixed_stage("vertex_interpreter", source);
    }
    pica::Result<ShaderModule> geometry_interpreter(const InterpreterKey&, const pica::Program&,
                                                    ShaderSource source)
    {
        return fixed_stage("geometry_interpreter", source);
    }
    // A compute stage without a guest program, by name: "shared_rows", "classify", "emit", "clip",
    // "vertex_interpreter", "geometry_interpreter".
    pica::Result<ShaderModule> fixed_stage(std::string_view name, ShaderSource source = ShaderSource::Any);

    // The counters since creation.
    ShaderStats stats() const;

private:
    struct FragmentShaderKey
    {
        pica::FragmentKey fragment;
        pica::RecordLayout layout;
        FragmentVariant variant;
        bool operator==(const FragmentShaderKey&) const = default;
    };
    static_assert(std::has_unique_object_representations_v<FragmentShaderKey>);
    struct UbershaderFullKey
    {
        shadergen::UbershaderKey key;
        pica::u8 wide = 0;
        FragmentVariant variant;
        bool operator==(const UbershaderFullKey&) const = default;
    };
    static_assert(std::has_unique_object_representations_v<UbershaderFullKey>);
    // What generate_raster_vertex depends on: the record, then words of the uniform block.
    using RasterVertexKey = std::array<pica::u64, 4>;
    struct Hash
    {
        template <typename Key>
        std::size_t operator()(const Key& key) const
        {
            return static_cast<std::size_t>(pica::hash_key(key));
        }
    };
    shadergen::Target variant_target(const FragmentVariant& variant) const;
    shadergen::Target fragment_target(const pica::FragmentKey& key, const FragmentVariant& variant) const;
    // What a module is made from, besides its key.
    struct Recipe
    {
        shadergen::Stage stage;
        shadergen::Target target;
        const char* name;
        // An error if the compiled shader has more than these (shadergen/module_size.h).
        pica::u64 most_instructions;
        std::span<const pica::u32> program; // content of the guest's program; empty: there is none
        ShaderSource source;
    };
    static pica::Result<KeptSpirv> compile(const Recipe& recipe, const std::string& text);
    pica::Result<UniqueShaderModule> create(const shadergen::Spirv& spirv, const char* name) const;
    struct Kept
    {
        ShaderModule module;
        pica::u64 use = 0; // number of its last use
    };
    template <typename Key, typename Hasher = Hash>
    using Modules = std::unordered_map<Key, Kept, Hasher>;
    // Finds the module of `key`, or makes it from SPIR-V of the disk cache or else from the text that write()
    // gives.
    template <typename Key, typename Hasher, typename Write>
    pica::Result<ShaderModule> find_or_create(Modules<Key, Hasher>& modules, const Key& key,
                                              const Recipe& recipe, Write write);

    Device& device_;
    const shadergen::Target target_; // at 1x, so that modules are found whatever the resolution
    const pica::u8 scale_;           // for shaders of gas, which alone depend on it
    const std::size_t budget_;
    DiskCache* const disk_;
    mutable std::mutex mutex_; // guards everything below
    ShaderStats stats_;
    pica::u64 uses_ = 0;
    Modules<FragmentShaderKey> fragments_;
    Modules<UbershaderFullKey> ubershaders_;
    Modules<RasterVertexKey> raster_vertices_;
    Modules<pica::VertexKey> programs_;
    Modules<shadergen::FeedKey> feeds_;
    Modules<shadergen::GeometryKey> geometry_;
    Modules<std::string, std::hash<std::string>> fixed_;
};

} // namespace renderer
