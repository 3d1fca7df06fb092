// SPDX-License-Identifier: MIT
// What is made before the first draw, so that it waits for nothing (design D10): the ubershader in the states
// that most draws are in.
#include "renderer/backend/renderer_impl.h"

#include <vector>

namespace renderer
{

using pica::CompareFunc;
using pica::OutputClass;

namespace
{

// The specialised states whose ubershader forms are made; fragment keys stand for all keys of their class.
std::vector<DrawStateKey> common_states(bool coverage_in_shader)
{
    std::vector<DrawStateKey> states;
    for (const OutputClass output : {OutputClass::Opaque, OutputClass::Fetch})
        for (const bool discards : {false, true})
        {
            DrawStateKey state;
            state.fragment.output = output;
            state.fragment.alpha_func = discards ? CompareFunc::Greater : CompareFunc::Always;
            state.output.blend.color_mask = output == OutputClass::Opaque ? 0xF : 0;
            state.coverage_in_shader = coverage_in_shader ? 1 : 0;
            states.push_back(state); // no depth test, no depth write
            state.fragment.depth = pica::DepthMode::Z;
            state.output.depth_test = 1;
            for (const CompareFunc func : {CompareFunc::Greater, CompareFunc::GreaterOrEqual,
                                           CompareFunc::Less, CompareFunc::LessOrEqual, CompareFunc::Always})
                for (const pica::u8 write : {pica::u8{1}, pica::u8{0}})
                {
                    state.output.depth_func = func;
                    state.output.depth_write = write;
                    states.push_back(state);
                }
        }
    return states;
}

} // namespace

Status Renderer::Impl::prepare_ubershaders()
{
    for (const DrawStateKey& specialised : common_states(coverage_in_shader_))
        for (const u8 has_depth : {u8{1}, u8{0}})
        {
            if (specialised.output.depth_test && !has_depth)
                continue;
            const u32 id = states_->find(ubershader_form(specialised));
            states_->want(id, {shadergen::ColorOutput::Uint, 1, has_depth, blend_path_});
        }
    finish_pipelines();
    return device_->status();
}

} // namespace renderer
