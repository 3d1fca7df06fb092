// SPDX-License-Identifier: MIT
#include "renderer/backend/common_states.h"

#include "pica/transfer/scanout.h"
#include "renderer/draw/state_chooser.h"
#include "renderer/pipelines/shader_cache.h"

namespace renderer
{

using pica::CompareFunc;
using pica::OutputClass;

namespace
{

// Of a draw that fills the upper screen.
pica::u8 record_width(pica::u32 scale)
{
    pica::GeometryConstants screen;
    screen.half_width = static_cast<pica::f32>(pica::kScreenHeight) / 2;
    screen.half_height = static_cast<pica::f32>(pica::screen_width(pica::Screen::Top)) / 2;
    return pica::record_layout({}, screen, scale).wide;
}

} // namespace

std::vector<DrawStateKey> common_states(bool coverage_in_shader, pica::u32 scale, BlendPath path)
{
    std::vector<DrawStateKey> states;
    const pica::u8 wide = record_width(scale);
    for (const OutputClass output : {OutputClass::Opaque, OutputClass::Fetch})
        for (const bool discards : {false, true})
        {
            DrawStateKey state;
            state.fragment.output = output;
            state.fragment.alpha_func = discards ? CompareFunc::Greater : CompareFunc::Always;
            state.output.blend.color_mask = output == OutputClass::Opaque ? 0xF : 0;
            state.coverage_in_shader = coverage_in_shader ? 1 : 0;
            state.layout.wide = wide;
            state.interlock = takes_interlock(state, path);
            states.push_back(state); // no depth test, no depth write
            if (scale > 1)
            {
                // Pictures that were drawn are mostly drawn again without depth.
                states.push_back(state);
                states.back().fragment.scaled_units = 1;
            }
            state.fragment.depth = pica::DepthMode::Z;
            state.output.depth_test = 1;
            state.interlock = takes_interlock(state, path);
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
