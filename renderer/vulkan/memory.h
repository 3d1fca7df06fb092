// SPDX-License-Identifier: MIT
// Buffers and images, with memory sub-allocated from large blocks, so that there are few vkAllocateMemory
// calls.
#pragma once

#include "renderer/vulkan/device.h"
#include "renderer/vulkan/handle.h"

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace renderer
{

// What the memory of a buffer is for.
enum class MemoryKind : u8
{
    Device,
    Upload,   // mapped, host visible and coherent
    Readback, // mapped, host visible, cached if possible; call Memory::invalidate before reading
};

class Memory;

// Allocation: owns a range of a block, and frees it when destroyed.
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

// A buffer with its memory. The holder owns it and must not destroy it while a submission may use it
// (Stream::retire).
struct Buffer
{
    Allocation allocation; // declared first, so that it is freed after the buffer
    UniqueBuffer buffer;
    std::byte* mapped = nullptr; // null for MemoryKind::Device
    VkDeviceSize size = 0;
    bool coherent = true;
    VkDeviceMemory memory = VK_NULL_HANDLE; // block and offset in it, for invalidate
    VkDeviceSize memory_offset = 0;
};

// What to create an image with.
struct ImageInfo
{
    VkFormat format = VK_FORMAT_UNDEFINED;
    u32 width = 0;
    u32 height = 0;
    u32 levels = 1;
    u32 layers = 1; // more than 1: the view is an array
    VkImageUsageFlags usage = 0;
    VkImageCreateFlags flags = 0;
    VkImageAspectFlags view_aspect = VK_IMAGE_ASPECT_COLOR_BIT;
    std::span<const u32> queue_families = {}; // more than one: the image is concurrent between them
    const char* name = "";
};

// An image with its memory and a view of all of it. Owned like Buffer.
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
    VkDeviceSize bytes = 0; // device memory
};

// The memory types that a resource of this kind may have, best first. allowed: memoryTypeBits of the resource.
// Types with properties that need a feature (protected, lazily allocated, AMD's uncached) are left out.
std::vector<u32> memory_types(const VkPhysicalDeviceMemoryProperties& memory, u32 allowed, MemoryKind kind);

// Memory: allocates buffers and images. The method is first fit. Where the device has no memory for a usual
// block, it tries one as large as the resource, then the same with the other memory types, then again after
// `relieve`; only then it fails. Not thread-safe. Everything that it allocated must be destroyed before it.
class Memory
{
public:
    explicit Memory(Device& device) : device_(device) {}
    ~Memory() = default;
    Memory(const Memory&) = delete;
    Memory& operator=(const Memory&) = delete;

    // Called where the device has no memory left. Frees what can be made again, for instance textures, and waits
    // for submitted work that keeps such things. False: nothing is left to free. It must not allocate, record or
    // submit. Empty: there is nothing to free.
    std::function<bool()> relieve;
    // What the user can do about it, for the message where nothing is left.
    std::string advice;

    // Creates a buffer of `size` bytes. The three functions wait only inside of `relieve`. Errors of Vulkan
    // functions are also kept in Device::status. name: for captures.
    Result<Buffer> create_buffer(VkDeviceSize size, VkBufferUsageFlags usage, MemoryKind kind,
                                 const char* name);
    // The same for callers that can go on without: nothing where the device has no memory left, which is no failure of the
    // device.
    Result<std::optional<Buffer>> try_create_buffer(VkDeviceSize size, VkBufferUsageFlags usage,
                                                    MemoryKind kind, const char* name);
    // Creates an image in device memory, in layout UNDEFINED.
    Result<Image> create_image(const ImageInfo& info);
    // Creates a view. usage: a subset of the image's.
    Result<UniqueImageView> create_view(VkImage image, VkFormat format, VkImageUsageFlags usage,
                                        const VkImageSubresourceRange& range,
                                        VkImageViewType type = VK_IMAGE_VIEW_TYPE_2D);
    // Is there room for so many bytes of images like the last one, without giving anything back? Adds a block where that
    // takes one. Never waits.
    bool reserve_images(VkDeviceSize bytes);
    // Makes device writes that are done visible to the CPU. Coherent memory needs nothing.
    Status invalidate(const Buffer& buffer);

    // Gives a piece of a block back. For Allocation, which does so at its end.
    void release(u32 block, VkDeviceSize offset, VkDeviceSize size);

    // Frees the blocks that nothing uses. False: there was none.
    bool trim();

    u32 block_count() const; // blocks that exist
    // Bytes of all blocks.
    VkDeviceSize bytes_reserved() const;
    struct Counters
    {
        u64 refused = 0; // allocations that the driver refused for lack of memory
    };
    Counters counters;

private:
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
        bool dedicated = false; // made for one large resource
        // Images and buffers never share a block, so bufferImageGranularity does not matter.
        bool for_images = false;
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
    // What a piece must be like.
    struct Request
    {
        VkDeviceSize size = 0, alignment = 1;
        u32 type = 0; // of memory
        bool mapped = false;
        bool for_images = false;
    };
    Request request_of(const VkMemoryRequirements& requirements, u32 type, MemoryKind kind,
                       bool for_images) const;
    Result<Piece> allocate(const VkMemoryRequirements& requirements, MemoryKind kind, bool for_images);
    // A piece, after giving back what can be given back. VkResult: the driver's last answer.
    VkResult find_piece(const VkMemoryRequirements& requirements, MemoryKind kind, bool for_images,
                        std::optional<Piece>& piece);
    Result<UniqueBuffer> create_unbound(VkDeviceSize size, VkBufferUsageFlags usage, const char* name);
    Result<Buffer> bind(UniqueBuffer object, VkDeviceSize size, Piece piece);
    // A piece of a block that exists, if one has room.
    std::optional<Piece> take_free(const Request& request);
    Piece take(u32 block, std::size_t range, VkDeviceSize at, const Request& request);
    // Adds a block of `size` bytes and takes the piece from it. VkResult: what the driver said.
    VkResult add_block(const Request& request, VkDeviceSize size, bool dedicated,
                       std::optional<Piece>& piece);
    VkDeviceSize usual_size(const Request& request) const;
    // A piece in one of these types, from what exists or from a new block. VkResult: the driver's last answer.
    VkResult try_types(const VkMemoryRequirements& requirements, std::span<const u32> types, MemoryKind kind,
                       bool for_images, std::optional<Piece>& piece);
    bool give_back();
    bool matches(const Block& block, const Request& request) const;
    bool has_empty_like(u32 block) const;

    Device& device_;
    std::vector<std::unique_ptr<Block>> blocks_;
    bool relieving_ = false; // inside of relieve
    u32 image_types_ = ~0u;  // memoryTypeBits of the last image
    const char* asked_ = ""; // function of the last VkResult
};

} // namespace renderer
