// SPDX-License-Identifier: MIT
// Registers -> Draw. decode_draw() does it from scratch; StateBuilder keeps one Draw and decodes again only
// the groups of registers that were written since. Both give the same (tests/pica/state_builder_test.cpp).
#pragma once

#include "pica/state/geometry.h"
#include "pica/state/texenv.h"

namespace pica
{

struct DecodedDraw
{
    // Everything but the programs, uniforms, restart flag, inline values and serial, which registers do not
    // tell.
    Draw draw;
    Findings findings;
    // False: the draw uses something that is not built and would be a wrong picture: it is left out.
    bool is_drawable = true;
};

// Pure.
DecodedDraw decode_draw(const RegisterFile& regs, const FixedAttributes& fixed, DrawKind kind);

class StateBuilder
{
public:
    // Brings the state up to date from the dirty registers, clears their dirty bits, and returns it.
    // fixed_revision changes whenever `fixed` does.
    DecodedDraw& update(RegisterFile& regs, const FixedAttributes& fixed, u64 fixed_revision, DrawKind kind);
    // As above, and tells what was found, each finding once in the builder's life.
    DecodedDraw& update(RegisterFile& regs, const FixedAttributes& fixed, u64 fixed_revision, DrawKind kind,
                        Report& report);
    // Nothing decoded so far holds; what was told stays told.
    void invalidate() { is_valid_ = false; }

private:
    friend DecodedDraw decode_draw(const RegisterFile& regs, const FixedAttributes& fixed, DrawKind kind);

    template <typename IsDirty>
    void decode(const RegisterFile& regs, const FixedAttributes& fixed, DrawKind kind, bool inputs_changed,
                const IsDirty& is_dirty);

    DecodedDraw state_;
    Findings told_;
    CombinerInputs combiner_inputs_;
    u8 used_textures_ = 0; // by the next two
    u8 combiner_textures_ = 0;
    u8 lighting_textures_ = 0;
    u64 fixed_revision_ = 0;
    DrawKind kind_ = DrawKind::Arrays;
    bool is_valid_ = false;
};

} // namespace pica
