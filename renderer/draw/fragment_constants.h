// SPDX-License-Identifier: MIT
// FragmentConstants: uploads the uniform blocks of fragment shaders, which are FragmentBlock and, for lit
// draws, LightingBlock. A draw whose blocks equal those of the last such draw in the same submission shares its
// upload, and common rows are shared with the last few draws. Of most draws only the common rows are uploaded
// (shadergen::reads_common_rows_only).
#pragma once

#include "pica/state/draw.h"
#include "renderer/draw/lut_buffer.h"
#include "renderer/vulkan/device.h"
#include "renderer/vulkan/upload_ring.h"
#include "shadergen/uniforms.h"

#include <array>
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
        // At its start is the FragmentBlock, or for a draw that reads no others its common rows only: what is behind these
        // belongs to other slices.
        Slice slice;
        // Place of the LightingBlock, in bytes from the start of the slice's buffer. If the draw is not lit, a place
        // that may be bound.
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
    // What the common rows are packed from.
    struct CommonInputs
    {
        pica::FragmentConstants constants;
        std::array<std::array<pica::u16, 2>, 3> texture_size{};
        u32 scaled_units = 0;
        // As bytes, since 0 and -0 differ. Padding may make equal ones unequal; then they are uploaded again.
        bool are_of(const pica::Draw& draw, u32 units) const;
    };
    // Common rows that were uploaded.
    struct Common
    {
        CommonInputs inputs;
        u64 revision = 0; // Draw::constants_revision of them
        u64 serial = 0;   // submission in which place is valid
        Place place;      // the rows behind the common ones may be missing there
    };
    bool find_common(const pica::Draw& draw, u32 scaled_units);
    bool are_of(Common& common, const pica::Draw& draw, u32 scaled_units) const;
    std::optional<Place> place_common_rows(const pica::Draw& draw, u32 scaled_units);
    void remember_common_rows(const pica::Draw& draw, u32 scaled_units, const Place& place);
    bool pack(const pica::Draw& draw, const pica::FragmentKey& key, bool ubershader, Blocks& blocks);
    bool upload(const Blocks& blocks);
    bool equals_last(const Blocks& blocks) const;
    VkDeviceSize alignment() const;

    Parts parts_;
    u32 scale_;
    // Of the last draws, each with others. Programs go back and forth between a few.
    std::array<Common, 4> commons_;
    std::size_t common_ = 0; // that of the last draw
    // The last draw that reads all rows. Its blocks are blocks_[last_]; the other one is room for the next.
    std::array<Blocks, 2> blocks_{};
    std::size_t last_ = 0;
    u64 last_serial_ = 0; // submission in which last_place_ is valid
    Place last_place_;
};

} // namespace renderer
