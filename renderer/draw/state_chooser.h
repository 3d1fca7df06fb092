// SPDX-License-Identifier: MIT
// StateChooser: chooses the pipeline state of a draw. The choice is between the draw's own fragment shader
// and the ubershader, within what the device can do exactly.
#pragma once

#include "pica/state/draw.h"
#include "renderer/draw/chosen_state.h"
#include "renderer/pipelines/choices.h"
#include "renderer/pipelines/draw_state_key.h"
#include "renderer/pipelines/pipeline_keys.h"

#include <array>

namespace renderer
{

class Batch;
class Device;
class DrawStates;
struct PreparedDraw;

// Does a draw in this state store its colour with the interlock? States that cannot use it use barrier groups instead.
bool takes_interlock(const DrawStateKey& state, BlendPath path);

class StateChooser
{
public:
    // What is decided once for all draws.
    struct Facts
    {
        BlendPath blend_path = BlendPath::Barrier;
        bool logic_op = false;          // the device has the feature logicOp
        bool fixed_blend_exact = false; // its fixed-function blending passed the self-test
        UbershaderChoice ubershader = UbershaderChoice::First;
        bool ubershader_draws = true; // with First: it may draw until the draw's own pipeline is usable
        bool unorm_passes = false;    // all passes that write colour are UNORM (Batch)
        u32 scale = 1;                // internal resolution
    };
    StateChooser(Device& device, DrawStates& states, const Facts& facts)
        : device_(device), states_(states), facts_(facts)
    {
    }

    BlendPath blend_path() const { return facts_.blend_path; }
    // Fills everything but the viewport, for prepared.scaled_units and prepared.opaque.
    void choose(const pica::Draw& draw, bool coverage_in_shader, const PreparedDraw& prepared,
                ChosenState& state) const;
    // To be called for each draw whose state was chosen for an earlier one: it may have been evicted since.
    void renew(ChosenState& state) const;
    // The kind of render pass of a batch whose only draw has this state.
    PassKey own_pass(const DrawStateKey& state, const pica::RenderTarget& target) const;
    // Can the draw be drawn in a kind of render pass without a wait for a compiler, with its own pipelines or
    // with the ubershader's? Asks the workers for its own, and for the ubershader's where neither are there.
    bool is_drawable(const PreparedDraw& prepared, const PassKey& pass) const;
    // Must the open batch be flushed before the draw, so that no draw waits for a pipeline
    // (Batch::must_close_before)?
    bool must_close(Batch& batch, const PreparedDraw& prepared, const pica::RenderTarget& target) const;
    // The id of the draw's state or of its ubershader form, by UbershaderChoice. With UbershaderChoice::First
    // it is the ubershader until the draw's own pipelines are usable, and the workers are asked for those
    // (design D10). The batch must be open. Waits where the ubershader's pipelines are not made, which
    // is_drawable tells beforehand.
    u32 form(const Batch& batch, const PreparedDraw& prepared);
    // The id of `other`, in the ubershader form if state `chosen` is one.
    u32 same_form(u32 chosen, const DrawStateKey& other);

    struct Counters
    {
        u64 forms = 0; // calls of form()
        u64 ubershader_draws = 0;
        u64 ubershader_waits = 0; // draws that waited while a variant of the ubershader was compiled
        double ubershader_wait_ms = 0.0;
    };
    Counters counters;

private:
    bool is_premultiplied(const DrawStateKey& key) const;
    DrawStateKey specialised_state(const pica::Draw& draw, bool coverage_in_shader,
                                   const PreparedDraw& prepared) const;
    RecordWords record_words(const DrawStateKey& own) const;
    bool takes_own(const Batch& batch, const PreparedDraw& prepared);
    bool own_is_usable(const PreparedDraw& prepared, const PassKey& pass) const;
    bool ubershader_is_ready(const PreparedDraw& prepared, const PassKey& pass) const;
    void want_own(const PreparedDraw& prepared, const PassKey& pass) const;
    void want_shared(const PreparedDraw& prepared, const PassKey& pass) const;

    Device& device_;
    DrawStates& states_;
    const Facts facts_;
};

} // namespace renderer
