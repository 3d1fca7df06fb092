// SPDX-License-Identifier: MIT
#include "renderer/draw/state_chooser.h"

#include "renderer/draw/batch.h"
#include "renderer/draw/premultiplied_blend.h"
#include "renderer/draw/prepared_draw.h"
#include "renderer/draw/source_alpha.h"
#include "renderer/pipelines/draw_states.h"
#include "shadergen/fragment.h"

#include <algorithm>
#include <chrono>
#include <vector>

namespace renderer
{

using pica::OutputClass;

namespace
{

// Rewrites the depth test of a draw with a special case at depth 0, so that fixed-function tests can do it.
void split_depth_zero(ChosenState& state)
{
    using pica::DepthZero;
    pica::FragmentKey& fragment = state.specialised.fragment;
    pica::OutputState& output = state.specialised.output;
    if (fragment.depth_zero == DepthZero::None)
        return;
    output.depth_func = pica::CompareFunc::LessOrEqual;
    // Nothing passes the stencil test, so no depth is written. Fragments that fail it change the stencil at
    // any depth.
    if (output.stencil_test && output.stencil_func == pica::CompareFunc::Never)
        output.depth_write = 0;
    if (fragment.depth_zero != DepthZero::Nonzero || !output.depth_write)
        return;
    fragment.depth_zero = DepthZero::KeepNonzero;
    if (output.stencil_test && output.stencil_depth_fail != pica::StencilOp::Keep)
    {
        state.failing = state.specialised;
        state.failing->fragment.depth_zero = DepthZero::KeepZero;
        state.failing->output.depth_func = pica::CompareFunc::Never;
        state.failing->output.depth_write = 0;
    }
    output.depth_func = pica::CompareFunc::Always;
    output.depth_test = 0;
    output.stencil_depth_fail = pica::StencilOp::Keep;
}

} // namespace

bool takes_interlock(const DrawStateKey& state, BlendPath path)
{
    return path == BlendPath::Interlock && state.fragment.output == OutputClass::Fetch &&
           shadergen::can_interlock(state.fragment, state.output);
}

bool StateChooser::is_premultiplied(const DrawStateKey& key) const
{
    switch (premultiplied_form(key.fragment))
    {
    case PremultipliedForm::None:
        return false;
    case PremultipliedForm::Stored:
        return true;
    // The interlock needs no groups, and passes with it have no fixed function.
    case PremultipliedForm::Blended:
        return facts_.fixed_blend_exact && !takes_interlock(key, facts_.blend_path);
    }
    return false;
}

DrawStateKey StateChooser::specialised_state(const pica::Draw& draw, bool coverage_in_shader,
                                             const PreparedDraw& prepared) const
{
    DrawStateKey key;
    key.fragment = draw.fragment;
    pica::set_scaled_units(key.fragment, prepared.scaled_units);
    key.output = draw.output;
    if (prepared.opaque)
        make_opaque(key.fragment, key.output);
    else if (is_premultiplied(key))
        premultiply(key.fragment, key.output);
    const bool fixed_function_missing =
        (key.fragment.output == OutputClass::LogicOp && !facts_.logic_op) ||
        (key.fragment.output == OutputClass::FixedBlend && !facts_.fixed_blend_exact);
    if (fixed_function_missing)
        pica::force_fetch(key.fragment, key.output);
    key.layout = pica::record_layout(key.fragment, draw.geometry, facts_.scale);
    key.coverage_in_shader = coverage_in_shader ? 1 : 0;
    key.interlock = takes_interlock(key, facts_.blend_path);
    return key;
}

void StateChooser::choose(const pica::Draw& draw, bool coverage_in_shader, const PreparedDraw& prepared,
                          ChosenState& state) const
{
    state.specialised = specialised_state(draw, coverage_in_shader, prepared);
    state.failing.reset();
    split_depth_zero(state);
    const DrawStateKey& own = state.specialised;
    state.words = record_words(own);
    state.needs_groups = facts_.blend_path != BlendPath::RasterOrder &&
                         own.fragment.output == OutputClass::Fetch && !own.interlock;
    state.flat_records = states_.flat_records(own);
    state.id = states_.find(own);
    state.serial = states_.serial(state.id);
}

void StateChooser::renew(ChosenState& state) const
{
    state.id = states_.find_again(state.specialised, state.id, state.serial);
    state.serial = states_.serial(state.id);
}

PassKey StateChooser::own_pass(const DrawStateKey& state, const pica::RenderTarget& target) const
{
    const OutputClass output = state.fragment.output;
    if (state.interlock)
        return {shadergen::ColorOutput::Uint, 0, 0, facts_.blend_path};
    const bool unorm =
        output == OutputClass::FixedBlend || (facts_.unorm_passes && output != OutputClass::None);
    return {unorm ? shadergen::ColorOutput::Unorm : shadergen::ColorOutput::Uint,
            static_cast<u8>(output != OutputClass::None ? 1 : 0), static_cast<u8>(target.has_depth ? 1 : 0),
            facts_.blend_path};
}

bool StateChooser::own_is_usable(const PreparedDraw& prepared, const PassKey& pass) const
{
    return states_.usable(prepared.state->id, pass) &&
           (!prepared.state->failing || states_.usable(states_.find(*prepared.state->failing), pass));
}

bool StateChooser::ubershader_is_ready(const PreparedDraw& prepared, const PassKey& pass) const
{
    return states_.ready(states_.find(ubershader_form(prepared.state->specialised)), pass) &&
           (!prepared.state->failing ||
            states_.ready(states_.find(ubershader_form(*prepared.state->failing)), pass));
}

void StateChooser::want_own(const PreparedDraw& prepared, const PassKey& pass) const
{
    if (prepared.state->failing)
        states_.want(states_.find(*prepared.state->failing), pass);
    states_.want(prepared.state->id, pass);
}

void StateChooser::want_shared(const PreparedDraw& prepared, const PassKey& pass) const
{
    if (prepared.state->failing)
        states_.want_shared(states_.find(*prepared.state->failing), pass);
    states_.want_shared(prepared.state->id, pass);
}

bool StateChooser::is_drawable(const PreparedDraw& prepared, const PassKey& pass) const
{
    if (own_is_usable(prepared, pass))
        return true;
    want_own(prepared, pass);
    if (!facts_.ubershader_draws)
        return false;
    if (ubershader_is_ready(prepared, pass))
        return true;
    // The draw's own pipelines are small, so they are made first.
    states_.want_later(states_.find(ubershader_form(prepared.state->specialised)), pass);
    if (prepared.state->failing)
        states_.want_later(states_.find(ubershader_form(*prepared.state->failing)), pass);
    return false;
}

bool StateChooser::must_close(Batch& batch, const PreparedDraw& prepared,
                              const pica::RenderTarget& target) const
{
    if (facts_.ubershader != UbershaderChoice::First || batch.empty())
        return false;
    const PassKey pass = batch.pass_with(prepared.state->specialised);
    const PassKey own = own_pass(prepared.state->specialised, target);
    if (!(pass == own) && !own_is_usable(prepared, pass))
    {
        const bool better_alone = own_is_usable(prepared, own) ||
                                  (!is_drawable(prepared, pass) && ubershader_is_ready(prepared, own));
        want_shared(prepared, pass);
        if (better_alone)
            return true;
    }
    return batch.must_close_before(prepared.state->specialised);
}

RecordWords StateChooser::record_words(const DrawStateKey& own) const
{
    const u32 words = own.layout.words;
    if (facts_.ubershader == UbershaderChoice::Never)
        return {words, words};
    const u32 ubershader =
        shadergen::ubershader_layout(shadergen::ubershader_key(own.fragment), own.layout.wide).words;
    return {std::min(words, ubershader), std::max(words, ubershader)};
}

bool StateChooser::takes_own(const Batch& batch, const PreparedDraw& prepared)
{
    switch (facts_.ubershader)
    {
    case UbershaderChoice::Always:
        return false;
    case UbershaderChoice::Never:
        return true;
    case UbershaderChoice::Mixed:
        return (counters.forms >> 1 & 1) == 0; // pairs, because draws of one form may become one command
    case UbershaderChoice::First:
        break;
    }
    const PassKey pass = batch.pass_with(prepared.state->specialised);
    if (own_is_usable(prepared, pass))
        return true;
    want_own(prepared, pass);
    return false;
}

u32 StateChooser::form(const Batch& batch, const PreparedDraw& prepared)
{
    ++counters.forms;
    if (takes_own(batch, prepared))
        return prepared.state->id;
    ++counters.ubershader_draws;
    const u32 id = states_.find(ubershader_form(prepared.state->specialised));
    if (const PassKey pass = batch.pass_with(prepared.state->specialised);
        !ubershader_is_ready(prepared, pass))
    {
        const auto start = std::chrono::steady_clock::now();
        std::vector<u32> forms = {id};
        if (prepared.state->failing)
            forms.push_back(states_.find(ubershader_form(*prepared.state->failing)));
        for (const u32 form : forms)
            if (auto pipeline = states_.pipeline(form, pass); !pipeline)
                device_.fail(pipeline.error().message);
        ++counters.ubershader_waits;
        counters.ubershader_wait_ms +=
            std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
    }
    return id;
}

u32 StateChooser::same_form(u32 chosen, const DrawStateKey& other)
{
    return states_.find(states_.key(chosen).ubershader != 0 ? ubershader_form(other) : other);
}

} // namespace renderer
