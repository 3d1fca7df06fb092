// SPDX-License-Identifier: MIT
#include "renderer/backend/common_states.h"

#include "renderer/pipelines/shader_cache.h"

namespace renderer
{

using pica::CompareFunc;
using pica::OutputClass;

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

} // namespace renderer
