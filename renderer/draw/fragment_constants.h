// SPDX-License-Identifier: MIT
// FragmentConstants: uploads the uniform blocks of fragment shaders, which are FragmentBlock and, for lit
// draws, LightingBlock. A draw whose blocks equal those of the draw before it in the same submission shares
// its upload.
#pragma once

#include "pica/state/draw.h"
#include "renderer/draw/lut_buffer.h"
#include "renderer/vulkan/device.h"
#include "renderer/vulkan/upload_ring.h"
#include "shadergen/uniforms.h"

#include <cstring>
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
    // scale: internal resolution, pixels of the image per pixel of the guest.
    FragmentConstants(const Parts& parts, u32 scale) : parts_(parts), scale_(scale) {}

    // Where the blocks of a draw are. Both are in the same buffer.
    struct Place
    {
        Slice slice; // the FragmentBlock is at its start
        // Place of the LightingBlock, in bytes from the start of the slice's buffer. 0 if the draw is not
        // lit.
        u32 lighting_offset = 0;
    };
    // Uploads the blocks of a draw, and the lookup tables that its shader reads. key: that of the shader that
    // draws, which need not be the draw's own. ubershader: the shader reads the key from the blocks, so it is
    // packed too. The place is valid for the submission being recorded. Does not wait. No value: memory ran
    // out (Device::status).
    std::optional<Place> place(const pica::Draw& draw, const pica::FragmentKey& key, bool ubershader);

private:
    struct Blocks
    {
        shadergen::FragmentBlock fragment;
        shadergen::LightingBlock lighting; // valid if lit
        bool lit = false;
    };
    // What the blocks are packed from in a draw that is plain: no tables, no lights, no gas, its own shader.
    struct PlainInputs
    {
        pica::FragmentConstants constants;
        std::array<std::array<pica::u16, 2>, 3> texture_size{};
        pica::u32 scaled_units = 0;
        // As bytes, since 0 and -0 differ. Padding may make equal ones unequal; then the blocks are compared.
        bool operator==(const PlainInputs& o) const { return std::memcmp(this, &o, sizeof *this) == 0; }
    };
    bool pack(const pica::Draw& draw, const pica::FragmentKey& key, bool ubershader, Blocks& blocks);
    bool upload(const Blocks& blocks);
    bool equals_last(const Blocks& blocks) const;
    bool last_is_plain() const;

    Parts parts_;
    u32 scale_;
    Blocks last_{};
    PlainInputs last_inputs_;
    bool last_is_plain_ = false; // last_ was packed from last_inputs_
    u64 last_revision_ = 0;      // Draw::constants_revision of last_inputs_
    u64 last_serial_ = 0;        // submission in which last_place_ is valid
    Place last_place_;
};

} // namespace renderer
