// SPDX-License-Identifier: MIT
// DrawAccesses: the guest memory that a draw reads and writes, as a plain list. Addresses are physical and sizes are
// bytes. A range may reach beyond memory; the user of the range clips it.
#pragma once

#include "renderer/draw/attribute_ranges.h"

#include <array>

namespace renderer
{

struct DrawAccess
{
    enum class Use : pica::u8
    {
        Vertices, // indices and attributes
        Texture,
        Target, // colour or depth buffer, read or written
    };
    // Without initial values: a list of them is mostly unused.
    Use use;
    pica::PhysAddr address;
    pica::u64 size;
};

class DrawAccesses
{
public:
    // attributes: of the draw. vertices: its vertex numbers.
    void add_vertices(const pica::VertexSource& source, const AttributeRanges& attributes,
                      pica::IndexRange vertices);
    void add_targets_and_textures(const pica::Draw& draw);

    const DrawAccess* begin() const { return list_.data(); }
    const DrawAccess* end() const { return list_.data() + count_; }

private:
    void add(DrawAccess::Use use, pica::PhysAddr address, pica::u64 size);

    // Two buffers; six faces of a cube map, two textures, the depth of gas; indices, 16 attributes.
    static constexpr std::size_t kMost = 2 + 9 + 17;
    std::array<DrawAccess, kMost> list_; // as far as count_
    std::size_t count_ = 0;
};

} // namespace renderer
