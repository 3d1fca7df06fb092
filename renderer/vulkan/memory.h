// SPDX-License-Identifier: MIT
// Buffers and images with memory sub-allocated from large blocks: few vkAllocateMemory calls, first fit.
#pragma once

#include "renderer/vulkan/device.h"
#include "renderer/vulkan/handle.h"

#include <memory>
#include <span>
#include <vector>

namespace renderer
{

enum class MemoryKind : u8
{
    Device,
    Upload,   // host visible and coherent, mapped
    Readback, // host visible, cached if possible, mapped; Memory::invalidate before reading
};

class Memory;

// A piece of a block; gives it back when dropped.
class Allocation
{
public:
    Allocation() = default;
    Allocation(Memory* owner, u32 block, VkDeviceSize offset, VkDeviceSize size)
        : owner_(owner), block_(block), offset_(offset), size_(size)
    {
    }
    Allocation(Allocation&& other) noexcept { *this = std::move(other); }
    Allocation& operator=(Allocation&& other) noexcept;
    ~Allocation();

private:
    Memory* owner_ = nullptr;
    u32 block_ = 0;
    VkDeviceSize offset_ = 0;
    VkDeviceSize size_ = 0;
};

struct Buffer
{
    Allocation allocation; // freed after the buffer: members are destroyed in reverse order
    UniqueBuffer buffer;
    std::byte* mapped = nullptr; // null for MemoryKind::Device
    VkDeviceSize size = 0;
    bool coherent = true;
    VkDeviceMemory memory = VK_NULL_HANDLE; // block and place in it, for invalidate
    VkDeviceSize memory_offset = 0;
};

struct ImageInfo
{
    VkFormat format = VK_FORMAT_UNDEFINED;
    u32 width = 0;
    u32 height = 0;
    u32 levels = 1;
    u32 layers = 1; // more: the view is an array
    VkImageUsageFlags usage = 0;
    VkImageCreateFlags flags = 0;
    VkImageAspectFlags view_aspect = VK_IMAGE_ASPECT_COLOR_BIT;
    std::span<const u32> queue_families = {}; // more than one: it is concurrent between them
    const char* name = "";
};

struct Image
{
    Allocation allocation;
    UniqueImage image;
    UniqueImageView view;
    VkFormat format = VK_FORMAT_UNDEFINED;
    u32 width = 0;
    u32 height = 0;
    u32 levels = 1;
    u32 layers = 1;
    VkDeviceSize bytes = 0;
};

// Not thread-safe. Everything allocated must be dropped before the Memory.
class Memory
{
public:
    explicit Memory(Device& device) : device_(device) {}
    ~Memory() = default;
    Memory(const Memory&) = delete;
    Memory& operator=(const Memory&) = delete;

    Result<Buffer> create_buffer(VkDeviceSize size, VkBufferUsageFlags usage, MemoryKind kind,
                                 const char* name);
    Result<Image> create_image(const ImageInfo& info);
    Result<UniqueImageView> create_view(VkImage image, VkFormat format, VkImageUsageFlags usage,
                                        const VkImageSubresourceRange& range,
                                        VkImageViewType type = VK_IMAGE_VIEW_TYPE_2D);
    // Makes device writes visible to the host; nothing to do for coherent memory.
    Status invalidate(const Buffer& buffer);

    u32 block_count() const; // vkAllocateMemory calls still alive
    VkDeviceSize bytes_reserved() const;

private:
    friend class Allocation;
    struct Range
    {
        VkDeviceSize offset, size;
    };
    struct Block
    {
        UniqueDeviceMemory memory;
        std::byte* mapped = nullptr;
        VkDeviceSize size = 0;
        u32 type = 0;
        bool for_images = false; // images and buffers never share a block: no granularity rules
        std::vector<Range> free; // sorted by offset
    };
    struct Piece
    {
        Allocation allocation;
        VkDeviceMemory memory;
        VkDeviceSize offset;
        std::byte* mapped;
        bool coherent;
    };
    Result<Piece> allocate(const VkMemoryRequirements& requirements, MemoryKind kind, bool for_images);
    Result<u32> find_type(u32 allowed, MemoryKind kind) const;
    void release(u32 block, VkDeviceSize offset, VkDeviceSize size);
    bool has_empty_like(u32 block) const;

    Device& device_;
    std::vector<std::unique_ptr<Block>> blocks_;
};

} // namespace renderer
