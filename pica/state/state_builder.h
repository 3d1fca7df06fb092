// SPDX-License-Identifier: MIT
// Decodes registers into a Draw. decode_draw() decodes everything; StateBuilder keeps one Draw and decodes
// only the groups of registers that were written since. Both give the same result
// (tests/pica/state_builder_test.cpp).
#pragma once

#include "pica/state/geometry.h"
#include "pica/state/texenv.h"

#include <array>

namespace pica
{

struct DecodedDraw
{
    // Everything except programs, uniforms, restart flag, inline values and serial, which do not come from
    // registers.
    Draw draw;
    Findings findings;
    // False: the draw uses a feature that does not exist here and would give a wrong picture, so it is left
    // out.
    bool is_drawable = true;
};

// Pure: depends on the arguments alone. Revisions are 0.
DecodedDraw decode_draw(const RegisterFile& regs, const FixedAttributes& fixed, DrawKind kind);

class StateBuilder
{
public:
    // Updates the state from the dirty registers, clears their dirty bits, and returns it. fixed_revision
    // changes whenever `fixed` does.
    DecodedDraw& update(RegisterFile& regs, const FixedAttributes& fixed, u64 fixed_revision, DrawKind kind);
    // As above, and reports what was found, each finding once in the builder's life.
    DecodedDraw& update(RegisterFile& regs, const FixedAttributes& fixed, u64 fixed_revision, DrawKind kind,
                        Report& report);
    // Decodes everything again at the next update. What was reported is not reported again.
    void invalidate() { is_valid_ = false; }

private:
    // What Draw::keys_revision is the number of.
    struct Keys
    {
        FragmentKey fragment;
        OutputState output;
        RenderTarget target;
        PixelRect scissor;
        GeometryConstants geometry;

        bool are_of(const Draw& draw) const
        {
            return fragment == draw.fragment && output == draw.output && target == draw.target &&
                   scissor == draw.scissor && geometry == draw.geometry;
        }
    };

    void decode_dirty(const RegisterFile& regs, const FixedAttributes& fixed, DrawKind kind,
                      bool inputs_changed);
    void revise(bool others, bool constants, bool inputs);

    DecodedDraw state_;
    // The latest ones with their revisions. Programs go back and forth between a few.
    struct Revised
    {
        Keys keys;
        u64 revision = 0; // 0: none
    };
    std::array<Revised, 4> revised_;
    u32 next_revised_ = 0;
    Findings told_;
    CombinerInputs combiner_inputs_;
    CombinerReads combiner_reads_;
    u8 lighting_textures_ = 0;
    u8 used_textures_ = 0;              // by both
    ColorChannels procedural_channels_; // of unit 3
    u64 fixed_revision_ = 0;
    DrawKind kind_ = DrawKind::Arrays;
    bool is_valid_ = false;
};

} // namespace pica
