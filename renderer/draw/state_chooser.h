// SPDX-License-Identifier: MIT
// Chooses the state in which a draw is drawn: its own fragment shader or the ubershader, with what the device can do.
#pragma once

#include "renderer/draw/batch.h"
#include "renderer/draw/prepared_draw.h"
#include "renderer/pipelines/choices.h"

namespace renderer
{

class StateChooser
{
public:
    struct Facts
    {
        BlendPath blend_path = BlendPath::Barrier;
        bool logic_op = false;          // the device has logic operations
        bool fixed_blend_exact = false; // its fixed-function blending passed the self-test
        UbershaderChoice ubershader = UbershaderChoice::First;
        u32 scale = 1; // internal resolution
    };
    StateChooser(Device& device, DrawStates& states, const Facts& facts)
        : device_(device), states_(states), facts_(facts)
    {
    }

    BlendPath blend_path() const { return facts_.blend_path; }
    // The draw's own state, into `prepared`: specialised and, where the depth test against 0 needs a second
    // pipeline, failing.
    void choose(const pica::Draw& draw, bool coverage_in_shader, PreparedDraw& prepared) const;
    // Do its overlapping triangles need barriers between them?
    bool needs_groups(const DrawStateKey& specialised) const;
    // The kind of render pass of a batch that begins with a draw of this state.
    PassKey own_pass(const DrawStateKey& state, const pica::RenderTarget& target) const;
    // Must an open batch end before the draw, so that no draw waits for a pipeline?
    bool must_close(Batch& batch, const DrawStateKey& specialised, const pica::RenderTarget& target) const;
    // The id of the state or of its ubershader form (design D10). The batch must be open. May wait for one variant
    // of the ubershader that start-up did not make.
    u32 form(const Batch& batch, const DrawStateKey& specialised);
    // The id of `other` in the form that was chosen for state `chosen`.
    u32 same_form(u32 chosen, const DrawStateKey& other);

    struct Counters
    {
        u64 forms = 0; // chosen
        u64 ubershader_draws = 0;
        u64 ubershader_waits = 0; // draws that waited for a variant of the ubershader
        double ubershader_wait_ms = 0.0;
    };
    Counters counters;

private:
    DrawStateKey specialised_state(const pica::Draw& draw, bool coverage_in_shader) const;
    bool takes_own(const Batch& batch, const DrawStateKey& specialised, u32& id);

    Device& device_;
    DrawStates& states_;
    const Facts facts_;
};

} // namespace renderer
