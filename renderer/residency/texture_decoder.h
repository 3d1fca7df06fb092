// SPDX-License-Identifier: MIT
// TextureDecoder: fills the image of a texture from guest memory. pica/texture decodes bytes that the CPU wrote last. A
// compute shader decodes from the mirror what the device wrote last. A picture that a surface holds is copied from
// there. Tests: tests/renderer/texture_cache_test.cpp.
#pragma once

#include "pica/memory/guest_memory.h"
#include "renderer/pipelines/fixed_pipelines.h"
#include "renderer/residency/texture_images.h"
#include "renderer/vulkan/access_tracker.h"

#include <array>
#include <vector>

namespace renderer
{

class DevicePlanes;
class GuestMirror;
class RenderTargets;
class Residency;
class UploadRing;
struct Surface;

// What identifies a texture.
struct TextureKey
{
    std::array<PhysAddr, 6> address{}; // one, or the faces of a cube
    u16 width = 0, height = 0;         // texels of level 0
    u8 format = 0;                     // pica::TextureFormat
    u8 levels = 1, layers = 1;
    u8 scale = 1; // N where it is decoded from planes, as N x texels

    bool operator==(const TextureKey&) const = default;
    TextureSize size() const { return {u32{width} * scale, u32{height} * scale, levels, layers}; }
};

// Not thread-safe. Host failures are kept in Device::status.
class TextureDecoder
{
public:
    struct Parts
    {
        Device& device;
        Memory& memory;
        Stream& stream;
        UploadRing& ring;
        FixedPipelines& pipelines;
        GuestMirror& mirror;
        RenderTargets& targets;
        Residency& residency;
        pica::GuestMemory& guest;
        DevicePlanes* planes = nullptr; // above 1x only
    };
    explicit TextureDecoder(const Parts& parts) : parts_(parts) {}

    // Is the texture's newest version on the device, in a form that only the CPU can decode? Then decode() submits
    // and waits, and the open draw batch must be flushed before.
    bool needs_readback(const TextureKey& key, u32 chain_bytes) const
    {
        return choose_source(key, chain_bytes) == Source::Readback;
    }
    // Can a shader decode the texture? Only such textures can be decoded from planes.
    bool is_decodable(const TextureKey& key, u32 chain_bytes) const;
    // Fills all levels and layers of the image, which is then in layout SHADER_READ_ONLY_OPTIMAL. chain_bytes: the
    // size of one layer's levels in guest memory. False: out of memory, or the device failed.
    bool decode(TextureImage& texture, const TextureKey& key, u32 chain_bytes);
    // Fills an image of 8x8 from the first bytes of a region by the shader for this format.
    void warm_up(TextureImage& texture, u32 format, u32 region);
    // Fills the image with opaque black.
    void clear(TextureImage& texture);
    // Records a copy of one level's texels to a buffer, as RGBA8 words.
    void copy_to(TextureImage& texture, VkBuffer buffer, u32 level, u32 layer);

    // device_decodes: by the compute shader. surface_copies: copied from a surface without decoding.
    struct Counters
    {
        u64 device_decodes = 0, surface_copies = 0;
    };
    Counters counters;

private:
    enum class Source
    {
        Cpu,      // guest memory, decoded by the CPU
        Surface,  // a copy of a rendered picture
        Device,   // the mirror, decoded by a compute shader
        Readback, // guest memory, after a readback
    };
    Source choose_source(const TextureKey& key, u32 chain_bytes) const;
    Surface* find_picture(const TextureKey& key) const;
    void copy_picture(TextureImage& texture, const TextureKey& key, Surface& surface);
    bool decode_on_cpu(TextureImage& texture, const TextureKey& key, u32 chain_bytes);
    bool decode_on_device(TextureImage& texture, const TextureKey& key, u32 chain_bytes);
    bool create_sets(TextureImage& texture);
    bool decode_level(VkDescriptorSet image, const TextureConstants& constants, const PlaneSet& planes);
    void begin_shader_write(TextureImage& texture);
    void end_shader_write(TextureImage& texture);
    void transition(TextureImage& texture, VkImageLayout from, VkImageLayout to, const Access& source,
                    const Access& dest);
    void begin_write(TextureImage& texture, VkImageLayout layout, const Access& access);
    void end_write(TextureImage& texture, VkImageLayout layout, const Access& access);

    struct LevelCopy
    {
        VkBuffer buffer;
        VkBufferImageCopy copy;
    };
    Parts parts_;
    std::vector<LevelCopy> copies_;
};

} // namespace renderer
