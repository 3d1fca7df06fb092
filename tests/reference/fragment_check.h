// SPDX-License-Identifier: MIT
// Compares what the probe of a pixel (pica/soft/pixel_probe.h) shows of a fragment with the scalar reference: every value
// is what the reference computes from the values before it.
#pragma once

#include "pica/soft/pixel_probe.h"

namespace pica
{
class GuestMemory;
class PlaneMemory;
class RegisterFile;
} // namespace pica

namespace tests
{

struct CombinerInputs;

// What was seen, so that a test cannot pass by looking at nothing.
struct SeenValues
{
    pica::u32 pixels = 0, fragments = 0, textures = 0, combiners = 0, blended = 0, failed_tests = 0, lit = 0,
              fogged = 0;
    pica::u32 transfers = 0, fills = 0, procedural = 0, mipmapped = 0, logic = 0, stencils = 0, special = 0,
              tables = 0;
    // Above 1x: textures of N x texels, and transfers of N x pictures, also ones that halve.
    pica::u32 scaled_textures = 0, scaled_transfers = 0, scaled_filters = 0, other_transfers = 0;
};

// Compares each value of a fragment with the scalar reference.
class FragmentCheck
{
public:
    // Counts in seen. planes: null at 1x.
    FragmentCheck(const pica::RegisterFile& registers, pica::GuestMemory& memory,
                  const pica::PlaneMemory* planes, SeenValues& seen)
        : registers_(registers), memory_(memory), planes_(planes), seen_(seen)
    {
    }

    void check(const pica::Draw& draw, const pica::soft::FragmentTrace& fragment);

private:
    void shading(const pica::Draw& draw, const pica::soft::FragmentTrace& fragment);
    void texture_unit(const pica::Draw& draw, const pica::soft::TextureTrace& texture);
    // The texels that are shown are those of their planes. Decoding is slow, so not all are looked at.
    void scaled_texels(const pica::Draw& draw, const pica::soft::TextureTrace& texture);
    void combiners(const pica::Draw& draw, const pica::soft::FragmentTrace& fragment,
                   const CombinerInputs& inputs);
    // The operands that are shown make the result.
    static void stage_from_operands(const pica::TexEnvStageKey& key, const pica::soft::CombinerTrace& stage);
    void tests_and_blending(const pica::Draw& draw, const pica::soft::FragmentTrace& fragment);
    void blending(const pica::Draw& draw, const pica::soft::FragmentTrace& fragment);

    const pica::RegisterFile& registers_;
    pica::GuestMemory& memory_;
    const pica::PlaneMemory* planes_;
    SeenValues& seen_;
};

} // namespace tests
