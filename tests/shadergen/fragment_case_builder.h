// SPDX-License-Identifier: MIT
// FragmentCases: collects named fragment keys; and Builder, which makes the keys.
#pragma once

#include "tests/shadergen/fragment_cases.h"

#include <initializer_list>

namespace tests
{

class Builder
{
public:
    Builder()
    {
        for (TexEnvStageKey& stage : key.texenv)
            stage.color_source[0] = stage.alpha_source[0] = CombinerSource::Previous;
        stage(0, CombinerOp::Replace, {CombinerSource::PrimaryColor});
        key.output = OutputClass::Opaque;
    }

    // The same operation and sources for colour and alpha.
    Builder& stage(u32 i, CombinerOp op, std::initializer_list<CombinerSource> sources)
    {
        TexEnvStageKey& s = key.texenv[i];
        s = TexEnvStageKey{};
        s.color_op = op;
        s.alpha_op = op;
        u32 slot = 0;
        for (const CombinerSource source : sources)
        {
            s.color_source[slot] = source;
            s.alpha_source[slot++] = source;
        }
        return *this;
    }
    Builder& texture(u32 unit, TextureWrap s, TextureWrap t, u8 linear, u8 texcoord)
    {
        key.texture[unit].type = TextureType::Texture2D;
        key.texture[unit].wrap_s = s;
        key.texture[unit].wrap_t = t;
        key.texture[unit].linear = linear;
        key.texture[unit].texcoord = texcoord;
        return *this;
    }
    Builder& lod(u32 unit, u8 choice)
    {
        key.texture[unit].lod = static_cast<u8>(TextureUnitKey::kLodUsed | choice);
        return *this;
    }
    Builder& blend(BlendEquation equation, BlendFactor source, BlendFactor destination)
    {
        key.output = OutputClass::Fetch;
        key.fetch.equation_color = key.fetch.equation_alpha = equation;
        key.fetch.source_color = key.fetch.source_alpha = source;
        key.fetch.destination_color = key.fetch.destination_alpha = destination;
        key.fetch.color_mask = 15;
        return *this;
    }
    Builder& target(ColorFormat format, u8 color_mask)
    {
        key.color_format = format;
        key.fetch.color_mask = color_mask;
        return *this;
    }
    Builder& modulate_texture0()
    {
        return stage(0, CombinerOp::Modulate, {CombinerSource::Texture0, CombinerSource::PrimaryColor});
    }

    FragmentKey key;
};

class FragmentCases
{
public:
    void add(const char* name, const Builder& builder, const shadergen::Target& target = {}, u32 scale = 1)
    {
        GeometryConstants screen;
        screen.half_width = 120.0f; // 400x240
        screen.half_height = 200.0f;
        cases.push_back({name, builder.key, record_layout(builder.key, screen, scale), target});
    }

    std::vector<FragmentCase> cases;
};

// The cases of texture units.
void add_texture_cases(FragmentCases& to);

} // namespace tests
