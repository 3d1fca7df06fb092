// SPDX-License-Identifier: MIT
// Interface checks with SPIRV-Cross. Source of truth: shaders/include/layout.h, uniforms.h. Tests:
// reflect_test.cpp
#include "shadergen/reflect.h"

#include "shadergen/push_graphics.h"
#include "shadergen/uniforms.h"
#include "shaders/include/layout.h"

#include <spirv_cross_c.h>

#include <memory>
#include <span>
#include <string>

namespace shadergen
{

namespace
{

using pica::Error;
using pica::Status;
using pica::u32;

constexpr u32 kNoSet = ~0u;

// The place of a resource. type: the base type of an image's texels or of an interface variable.
struct Place
{
    spvc_resource_type kind;
    u32 set; // kNoSet: inputs and outputs of a stage, whose binding is a location
    u32 first_binding;
    u32 bindings = 1;
    spvc_basetype type = SPVC_BASETYPE_UNKNOWN; // unknown: any
};

constexpr Place kVertexPlaces[] = {
    {SPVC_RESOURCE_TYPE_UNIFORM_BUFFER, SET_DRAW, BINDING_FRAGMENT_BLOCK},
    {SPVC_RESOURCE_TYPE_STAGE_INPUT, kNoSet, 0, LOCATION_RECORD + MAX_FLAT_RECORD_WORDS / 4,
     SPVC_BASETYPE_INT32},
    {SPVC_RESOURCE_TYPE_STAGE_OUTPUT, kNoSet, 0, MAX_VARYING_WORDS / 4, SPVC_BASETYPE_INT32},
};
constexpr Place kFragmentPlaces[] = {
    {SPVC_RESOURCE_TYPE_STAGE_INPUT, kNoSet, 0, MAX_VARYING_WORDS / 4, SPVC_BASETYPE_INT32},
    {SPVC_RESOURCE_TYPE_STAGE_OUTPUT, kNoSet, 0, 1},
    {SPVC_RESOURCE_TYPE_UNIFORM_BUFFER, SET_DRAW, BINDING_FRAGMENT_BLOCK},
    {SPVC_RESOURCE_TYPE_UNIFORM_BUFFER, SET_DRAW, BINDING_LIGHTING_BLOCK},
    {SPVC_RESOURCE_TYPE_SAMPLED_IMAGE, SET_DRAW, BINDING_RECORD_TEXELS, 1, SPVC_BASETYPE_INT32},
    {SPVC_RESOURCE_TYPE_SAMPLED_IMAGE, SET_DRAW, BINDING_LUTS, 1, SPVC_BASETYPE_UINT32},
    {SPVC_RESOURCE_TYPE_SAMPLED_IMAGE, SET_TEXTURES, BINDING_TEXTURE0, 3, SPVC_BASETYPE_UINT32},
    {SPVC_RESOURCE_TYPE_SAMPLED_IMAGE, SET_TEXTURES, BINDING_GAS_DEPTH, 1, SPVC_BASETYPE_UINT32},
    {SPVC_RESOURCE_TYPE_SUBPASS_INPUT, SET_DESTINATION, BINDING_DESTINATION},
    {SPVC_RESOURCE_TYPE_STORAGE_IMAGE, SET_DESTINATION, BINDING_DESTINATION, 1, SPVC_BASETYPE_UINT32},
};
constexpr Place kComputePlaces[] = {
    {SPVC_RESOURCE_TYPE_STORAGE_BUFFER, SET_COMPUTE, BINDING_MIRROR_VRAM, 2},
    {SPVC_RESOURCE_TYPE_UNIFORM_BUFFER, SET_COMPUTE, BINDING_VERTEX_BLOCK},
    {SPVC_RESOURCE_TYPE_STORAGE_BUFFER, SET_COMPUTE, BINDING_SHADED, BINDING_STATUS - BINDING_SHADED + 1},
    {SPVC_RESOURCE_TYPE_UNIFORM_BUFFER, SET_COMPUTE, BINDING_PROGRAM},
    {SPVC_RESOURCE_TYPE_STORAGE_BUFFER, SET_COMPUTE, BINDING_GEOMETRY_STATE, 2},
    {SPVC_RESOURCE_TYPE_STORAGE_BUFFER, SET_COMPUTE, BINDING_VERTEX_BLOCKS},
    {SPVC_RESOURCE_TYPE_UNIFORM_BUFFER, SET_COMPUTE, BINDING_VERTEX_GROUPS},
};

struct Kind
{
    spvc_resource_type type;
    const char* name;
};
constexpr Kind kKinds[] = {
    {SPVC_RESOURCE_TYPE_UNIFORM_BUFFER, "uniform buffer"},
    {SPVC_RESOURCE_TYPE_STORAGE_BUFFER, "storage buffer"},
    {SPVC_RESOURCE_TYPE_STAGE_INPUT, "stage input"},
    {SPVC_RESOURCE_TYPE_STAGE_OUTPUT, "stage output"},
    {SPVC_RESOURCE_TYPE_SUBPASS_INPUT, "input attachment"},
    {SPVC_RESOURCE_TYPE_STORAGE_IMAGE, "storage image"},
    {SPVC_RESOURCE_TYPE_SAMPLED_IMAGE, "sampled image"},
    {SPVC_RESOURCE_TYPE_PUSH_CONSTANT, "push constant"},
    {SPVC_RESOURCE_TYPE_SEPARATE_IMAGE, "separate image"},
    {SPVC_RESOURCE_TYPE_SEPARATE_SAMPLERS, "sampler"},
};

struct Member
{
    const char* name;
    std::size_t offset;
};
#define MEMBER(block, name)                                                                                  \
    {                                                                                                        \
#name, offsetof(block, name)                                                                         \
    }
constexpr Member kFragmentMembers[] = {
    MEMBER(FragmentBlock, texenv_color),  MEMBER(FragmentBlock, texenv_buffer_color),
    MEMBER(FragmentBlock, border_color),  MEMBER(FragmentBlock, blend_color),
    MEMBER(FragmentBlock, texture_size),  MEMBER(FragmentBlock, texture_scale),
    MEMBER(FragmentBlock, scissor),       MEMBER(FragmentBlock, misc),
    MEMBER(FragmentBlock, proctex_noise), MEMBER(FragmentBlock, proctex_scale),
    MEMBER(FragmentBlock, proctex_level), MEMBER(FragmentBlock, gas_planar),
    MEMBER(FragmentBlock, gas_view),      MEMBER(FragmentBlock, gas_misc),
    MEMBER(FragmentBlock, fog_color),     MEMBER(FragmentBlock, lut_base),
    MEMBER(FragmentBlock, state),
};
constexpr Member kLightingMembers[] = {
    MEMBER(LightingBlock, specular0), MEMBER(LightingBlock, specular1),      MEMBER(LightingBlock, diffuse),
    MEMBER(LightingBlock, ambient),   MEMBER(LightingBlock, position),       MEMBER(LightingBlock, spot),
    MEMBER(LightingBlock, direction), MEMBER(LightingBlock, global_ambient), MEMBER(LightingBlock, state),
};
constexpr Member kVertexMembers[] = {
    MEMBER(VertexBlock, constants),    MEMBER(VertexBlock, integers),
    MEMBER(VertexBlock, input_config), MEMBER(VertexBlock, input_fixed),
    MEMBER(VertexBlock, draw),         MEMBER(VertexBlock, index),
    MEMBER(VertexBlock, assembly),     MEMBER(VertexBlock, output_target),
    MEMBER(VertexBlock, geometry),     MEMBER(VertexBlock, geometry_range),
    MEMBER(VertexBlock, limits),
};
constexpr Member kProgramMembers[] = {
    MEMBER(ProgramBlock, info),
    MEMBER(ProgramBlock, output_map),
    MEMBER(ProgramBlock, code),
};
constexpr Member kGroupsMembers[] = {MEMBER(VertexGroups, groups)};
#undef MEMBER
#define MEMBER(type, name) {#name, offsetof(GraphicsPush, name)},
constexpr Member kPushMembers[] = {PUSH_GRAPHICS(MEMBER)};
#undef MEMBER

class Reflection
{
public:
    explicit Reflection(const Spirv& module)
    {
        spvc_context context = nullptr;
        if (spvc_context_create(&context) != SPVC_SUCCESS)
            return;
        context_.reset(context);
        spvc_parsed_ir ir = nullptr;
        if (spvc_context_parse_spirv(context, module.data(), module.size(), &ir) != SPVC_SUCCESS ||
            spvc_context_create_compiler(context, SPVC_BACKEND_NONE, ir, SPVC_CAPTURE_MODE_TAKE_OWNERSHIP,
                                         &compiler_) != SPVC_SUCCESS ||
            spvc_compiler_create_shader_resources(compiler_, &resources_) != SPVC_SUCCESS)
            resources_ = nullptr;
    }

    Status check(Stage stage) const
    {
        if (!resources_)
            return Error{
                "SPIR-V cannot be reflected: " +
                std::string(context_ ? spvc_context_get_last_error_string(context_.get()) : "no memory")};
        const std::span<const Place> places = stage == Stage::Vertex ? std::span<const Place>(kVertexPlaces)
                                              : stage == Stage::Fragment
                                                  ? std::span<const Place>(kFragmentPlaces)
                                                  : std::span<const Place>(kComputePlaces);
        for (const Kind& kind : kKinds)
        {
            const spvc_reflected_resource* list = nullptr;
            std::size_t count = 0;
            if (spvc_resources_get_resource_list_for_type(resources_, kind.type, &list, &count) !=
                SPVC_SUCCESS)
                return Error{std::string("SPIR-V cannot be reflected: ") +
                             spvc_context_get_last_error_string(context_.get())};
            for (const spvc_reflected_resource& resource : std::span(list, count))
                if (auto status = check_resource(stage, kind, resource, places); !status)
                    return status;
        }
        return {};
    }

private:
    struct Destroy
    {
        void operator()(spvc_context_s* context) const { spvc_context_destroy(context); }
    };

    Status check_resource(Stage stage, const Kind& kind, const spvc_reflected_resource& resource,
                          std::span<const Place> places) const
    {
        if (kind.type == SPVC_RESOURCE_TYPE_PUSH_CONSTANT)
        {
            if (stage != Stage::Vertex)
                return Error{described(kind, resource) + ": only the vertex stage has push constants"};
            return check_block(described(kind, resource), resource.base_type_id, kPushMembers,
                               sizeof(GraphicsPush));
        }
        const bool is_interface =
            kind.type == SPVC_RESOURCE_TYPE_STAGE_INPUT || kind.type == SPVC_RESOURCE_TYPE_STAGE_OUTPUT;
        const u32 set = is_interface ? kNoSet : decoration(resource, SpvDecorationDescriptorSet);
        const u32 binding = decoration(resource, is_interface ? SpvDecorationLocation : SpvDecorationBinding);
        for (const Place& place : places)
        {
            if (place.kind != kind.type || place.set != set || binding < place.first_binding ||
                binding >= place.first_binding + place.bindings)
                continue;
            if (place.type != SPVC_BASETYPE_UNKNOWN && base_type(kind, resource) != place.type)
                return Error{described(kind, resource) + ": wrong component type"};
            if (kind.type != SPVC_RESOURCE_TYPE_UNIFORM_BUFFER)
                return {};
            const std::string what = described(kind, resource);
            const auto check = [&](const auto& members, std::size_t size)
            { return check_block(what, resource.base_type_id, members, size); };
            if (stage == Stage::Compute)
                return binding == BINDING_PROGRAM         ? check(kProgramMembers, sizeof(ProgramBlock))
                       : binding == BINDING_VERTEX_GROUPS ? check(kGroupsMembers, sizeof(VertexGroups))
                                                          : check(kVertexMembers, sizeof(VertexBlock));
            return binding == BINDING_LIGHTING_BLOCK ? check(kLightingMembers, sizeof(LightingBlock))
                                                     : check(kFragmentMembers, sizeof(FragmentBlock));
        }
        return Error{described(kind, resource) + " is not in shaders/include/layout.h: " +
                     (is_interface ? "location " : "set " + std::to_string(set) + ", binding ") +
                     std::to_string(binding)};
    }

    // Checks a block whose members, or whose only member's members, must be the given ones in this order.
    Status check_block(const std::string& what, spvc_type_id id, std::span<const Member> members,
                       std::size_t size) const
    {
        std::size_t declared = 0;
        spvc_compiler_get_declared_struct_size(compiler_, spvc_compiler_get_type_handle(compiler_, id),
                                               &declared);
        if (declared != size)
            return Error{what + ": " + std::to_string(declared) + " bytes, expected " + std::to_string(size)};
        spvc_type type = spvc_compiler_get_type_handle(compiler_, id);
        if (spvc_type_get_num_member_types(type) == 1)
        {
            const spvc_type_id only = spvc_type_get_member_type(type, 0);
            const spvc_type only_type = spvc_compiler_get_type_handle(compiler_, only);
            if (spvc_type_get_basetype(only_type) == SPVC_BASETYPE_STRUCT)
                type = only_type;
        }
        if (spvc_type_get_num_member_types(type) != members.size())
            return Error{what + ": " + std::to_string(spvc_type_get_num_member_types(type)) +
                         " members, expected " + std::to_string(members.size())};
        const spvc_type_id struct_id = spvc_type_get_base_type_id(type);
        for (u32 i = 0; i < members.size(); i++)
        {
            unsigned offset = 0;
            spvc_compiler_type_struct_member_offset(compiler_, type, i, &offset);
            const std::string name = spvc_compiler_get_member_name(compiler_, struct_id, i);
            if (offset != members[i].offset || name != members[i].name)
                return Error{what + ": member " + std::to_string(i) + " is " + name + " at " +
                             std::to_string(offset) + ", expected " + members[i].name + " at " +
                             std::to_string(members[i].offset)};
        }
        return {};
    }

    u32 decoration(const spvc_reflected_resource& resource, SpvDecoration decoration) const
    {
        return spvc_compiler_get_decoration(compiler_, resource.id, decoration);
    }

    spvc_basetype base_type(const Kind& kind, const spvc_reflected_resource& resource) const
    {
        spvc_type type = spvc_compiler_get_type_handle(compiler_, resource.base_type_id);
        if (kind.type == SPVC_RESOURCE_TYPE_SAMPLED_IMAGE || kind.type == SPVC_RESOURCE_TYPE_STORAGE_IMAGE)
            type = spvc_compiler_get_type_handle(compiler_, spvc_type_get_image_sampled_type(type));
        return spvc_type_get_basetype(type);
    }

    static std::string described(const Kind& kind, const spvc_reflected_resource& resource)
    {
        return std::string(kind.name) + " '" + resource.name + "'";
    }

    std::unique_ptr<spvc_context_s, Destroy> context_; // owns everything below
    spvc_compiler compiler_ = nullptr;
    spvc_resources resources_ = nullptr;
};

} // namespace

Status check_layout(Stage stage, const Spirv& module)
{
    return Reflection(module).check(stage);
}

} // namespace shadergen
