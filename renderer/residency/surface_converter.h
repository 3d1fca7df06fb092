// SPDX-License-Identifier: MIT
// SurfaceConverter: converts between surfaces and the mirror's bytes, and clears surfaces. Depth goes through a linear
// buffer, because shaders cannot write depth images. Depth floats and stencil bytes are copied unchanged. Stencil bytes
// that the image has no place for stay as they are in the mirror. Tests: tests/renderer/render_targets_test.cpp.
#pragma once

#include "renderer/pipelines/fixed_pipelines.h"
#include "renderer/residency/surface.h"
#include "renderer/vulkan/access_tracker.h"

#include <optional>

namespace renderer
{

class DevicePlanes;
class GuestMirror;

// A memory fill: [address, address + size) is filled with a repeated pattern.
struct FillPattern
{
    PhysAddr address = 0;
    u32 size = 0;
    u32 value = 0;
    u32 bytes = 0; // of the pattern: 2, 3 or 4
};

// Records commands and never submits. Host failures are kept in Device::status.
class SurfaceConverter
{
public:
    struct Parts
    {
        Device& device;
        Memory& memory;
        Stream& stream;
        FixedPipelines& pipelines;
        GuestMirror& mirror;
        DevicePlanes* planes = nullptr; // above 1x only
    };
    // scale: pixels of an image per pixel of the guest, at least 1.
    SurfaceConverter(const Parts& parts, u32 scale) : parts_(parts), scale_(scale) {}
    ~SurfaceConverter();
    SurfaceConverter(const SurfaceConverter&) = delete;
    SurfaceConverter& operator=(const SurfaceConverter&) = delete;

    // Fills the surface with the pixels that the mirror and the planes have. The mirror must be current in the surface's
    // range.
    void load(Surface& surface);
    // Writes the surface's pixels to the mirror and to the planes.
    void store(Surface& surface);
    // Clears the surface to the colour or depth of one pixel's raw bytes.
    void clear(Surface& surface, u32 raw);
    // The same value for a render pass that clears its attachment. as_unorm: the attachment's format is
    // R8G8B8A8_UNORM and not R8G8B8A8_UINT. No value: not all devices would clear to exactly this colour.
    static std::optional<VkClearValue> clear_value(const SurfaceKey& key, u32 raw, bool as_unorm);
    // The raw bytes of a pixel if the fill gives all pixels of the surface the same bytes; else no value.
    static std::optional<u32> uniform_pixel(const SurfaceKey& key, const FillPattern& fill);

private:
    SurfaceConstants constants_of(const Surface& surface) const;
    Status reserve_scratch(u32 pixels);
    void load_scratch(const Surface& surface, const PlaneSet& planes);
    void load_depth(Surface& surface, const PlaneSet& planes);
    void store_depth(Surface& surface, const PlaneSet& planes);
    template <FixedShader shader, FixedShader shader_of_planes>
    void dispatch(VkDescriptorSet set, const Surface& surface, const PlaneSet& planes);
    u32 scratch_regions(const Surface& surface, VkBufferImageCopy (&regions)[2]) const;

    Parts parts_;
    u32 scale_;
    Buffer scratch_; // linear depth floats, then stencil bytes
    u32 scratch_pixels_ = 0;
    VkDescriptorSet scratch_set_ = VK_NULL_HANDLE;
    AccessTracker scratch_access_;
};

} // namespace renderer
