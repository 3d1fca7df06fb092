// SPDX-License-Identifier: MIT
// VertexBuffers: the device's memory for the results of vertex work: shaded vertices, triangle records, and snapped positions.
// Behind the records lie the words of the slots of input triangles, with the indirect draw commands. Draws of a batch lie one behind the other. Before the number of their
// triangles is known, memory is reserved for the worst case.
#pragma once

#include "renderer/vertex/vertex_work.h"
#include "renderer/vulkan/memory.h"
#include "shadergen/uniforms.h"

namespace renderer
{

class Stream;

// Bytes of a shaded vertex: SHADED_FLOATS floats.
inline constexpr VkDeviceSize kShadedBytes = SHADED_FLOATS * 4;

// Not thread-safe. Host failures are kept in Device::status.
class VertexBuffers
{
public:
    VertexBuffers(Device& device, Stream& stream, Memory& memory)
        : device_(device), stream_(stream), memory_(memory)
    {
    }
    Status create();

    // Does the draw fit beside those that are placed? If not, its batch must be recorded before reserve().
    bool has_room(const VertexNeed& need);
    // Makes the buffers large enough for place(). Replaces buffers where nothing is placed or has_room() was false.
    void reserve(const VertexNeed& need);
    // Where the results of a draw go. Numbers count from the beginning of their buffers.
    struct Place
    {
        u32 first_vertex = 0;
        u64 first_record = 0;
        u64 records = 0; // reserved
        // The number to add to record numbers to get indices in texels().
        s32 first_texel_record = 0;
    };
    // Takes memory for the draw. record_words: size of its records, within the bounds of `need`. with_texels: they are
    // read through texels().
    Place place(const VertexNeed& need, u32 record_words, bool with_texels);
    // The batch was recorded: the next one begins at the beginning.
    void reset();
    // Frees buffers of which batches have used a small part only for some seconds. Does nothing while something is
    // placed.
    void end_frame();
    // Bytes of all buffers, now.
    VkDeviceSize bytes() const;

    VkBuffer shaded() const { return shaded_.buffer; }
    VkBuffer records() const { return records_.buffer; }
    VkBuffer positions() const { return positions_.buffer; }
    // Where the words of the slots begin in records(): SlotsHeader of shaders/include/uniforms.h. The indirect draw commands
    // come first.
    VkDeviceSize slots_offset() const { return record_bytes_; }
    // View of the records of the last draw that was placed with_texels. Valid for the submission being recorded.
    VkBufferView texels() const { return texels_.get(); }
    // The most triangles before clipping whose records fit into a texel buffer, whatever clipping makes of them. The
    // number is even.
    u32 texel_triangles() const;

    // Draws of a batch, as the words of the slots and of the status have place for.
    static constexpr u32 kMostDraws = MAX_BATCH_DRAWS;
    // The most records of an input triangle.
    static constexpr u32 kTrianglesPerInput = CLIPPED_RECORDS;

private:
    // Ends of what would be in use: bytes, and a number of slots.
    struct Ends
    {
        VkDeviceSize shaded = 0;
        VkDeviceSize records = 0;
        VkDeviceSize positions = 0;
        u64 slots = 0;
    };
    static Ends first_ends();
    Ends ends_with(const VertexNeed& need) const;
    u64 records_before(u64 record_bytes) const;
    bool fit(const Ends& ends) const;
    Status grow(Buffer& buffer, VkDeviceSize size, VkBufferUsageFlags usage, const char* name);
    Status ensure(const Ends& ends);
    Status grow_records(const Ends& ends);
    s32 place_texels(u32 record_bytes, u64 capacity, u64& first_record);

    Device& device_;
    Stream& stream_;
    Memory& memory_;
    Buffer shaded_;
    Buffer records_;
    VkDeviceSize record_bytes_ = 0; // of records_, without the words of the slots
    Buffer positions_;
    UniqueBufferView texels_; // of records_, beginning at byte texels_from_
    u64 texels_from_ = 0;
    u64 texels_size_ = 0;
    Ends wanted_; // what a batch would have held that had to end early
    Ends used_;   // the most that batches held since frames_ was 0
    u32 frames_ = 0;
    bool in_use_ = false;
    u32 next_vertex_ = 0;
    u32 next_slot_ = 0;
    u64 next_record_ = 0; // number of the first free record
    u64 next_byte_ = 0;   // ... and its byte offset
};

} // namespace renderer
