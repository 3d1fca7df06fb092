// SPDX-License-Identifier: MIT
// Uploads the uniform blocks of fragment shaders: FragmentBlock, and LightingBlock for lit draws. A draw whose blocks
// equal those of the draw before it in the same submission uses them again.
#pragma once

#include "pica/state/draw.h"
#include "renderer/draw/lut_buffer.h"
#include "renderer/vulkan/device.h"
#include "renderer/vulkan/upload_ring.h"
#include "shadergen/uniforms.h"

#include <optional>

namespace renderer
{

class FragmentConstants
{
public:
    struct Parts
    {
        const Device& device;
        Stream& stream;
        UploadRing& ring;
        LutBuffer& luts;
    };
    // scale: internal resolution.
    FragmentConstants(const Parts& parts, u32 scale) : parts_(parts), scale_(scale) {}

    // Where the blocks of a draw are, both in one buffer.
    struct Place
    {
        Slice slice;             // begins with the FragmentBlock
        u32 lighting_offset = 0; // of the LightingBlock in the slice's buffer; 0 where the draw is not lit
    };
    // key: of the shader that draws, which may be another than the draw's own. ubershader: that shader reads the key
    // from the blocks. Nothing where memory ran out (Device::status).
    std::optional<Place> place(const pica::Draw& draw, const pica::FragmentKey& key, bool ubershader);

private:
    struct Blocks
    {
        shadergen::FragmentBlock fragment;
        shadergen::LightingBlock lighting; // where lit
        bool lit = false;
    };
    bool pack(const pica::Draw& draw, const pica::FragmentKey& key, bool ubershader, Blocks& blocks);
    bool equals_last(const Blocks& blocks) const;

    Parts parts_;
    u32 scale_;
    Blocks last_{};
    u64 last_serial_ = 0; // submission in which last_place_ is valid
    Place last_place_;
};

} // namespace renderer
