// SPDX-License-Identifier: MIT
// First-fit sub-allocation. There are few blocks, and memory is allocated only when resources are created, so
// a sorted list of free ranges per block is enough.
#include "renderer/vulkan/memory.h"

#include "renderer/vulkan/debug.h"

#include <algorithm>

namespace renderer
{

namespace
{

// A new block is as large as all others of its kind together, between these bounds.
constexpr VkDeviceSize kFirstBlock = VkDeviceSize{4} << 20;
constexpr VkDeviceSize kMostDeviceBlock = VkDeviceSize{64} << 20;
constexpr VkDeviceSize kMostHostBlock = VkDeviceSize{16} << 20;
constexpr VkDeviceSize kLargeBuffer = VkDeviceSize{2} << 20;

VkDeviceSize align_up(VkDeviceSize value, VkDeviceSize alignment)
{
    return (value + alignment - 1) / alignment * alignment;
}

bool is_coherent(const Device& device, u32 type)
{
    return (device.memory_properties.memoryTypes[type].propertyFlags &
            VK_MEMORY_PROPERTY_HOST_COHERENT_BIT) != 0;
}

// Is this what a driver says where memory, addresses or allocations have run out?
bool is_exhausted(VkResult result)
{
    return result == VK_ERROR_OUT_OF_DEVICE_MEMORY || result == VK_ERROR_OUT_OF_HOST_MEMORY ||
           result == VK_ERROR_TOO_MANY_OBJECTS || result == VK_ERROR_MEMORY_MAP_FAILED;
}

} // namespace

Allocation& Allocation::operator=(Allocation&& other) noexcept
{
    if (this != &other)
    {
        if (owner_)
            owner_->release(block_, offset_, size_);
        owner_ = std::exchange(other.owner_, nullptr);
        block_ = other.block_;
        offset_ = other.offset_;
        size_ = other.size_;
    }
    return *this;
}

Allocation::~Allocation()
{
    if (owner_)
        owner_->release(block_, offset_, size_);
}

std::vector<u32> memory_types(const VkPhysicalDeviceMemoryProperties& memory, u32 allowed, MemoryKind kind)
{
    constexpr VkMemoryPropertyFlags kLocal = VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT;
    constexpr VkMemoryPropertyFlags kVisible = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT;
    constexpr VkMemoryPropertyFlags kCoherent = VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
    constexpr VkMemoryPropertyFlags kCached = VK_MEMORY_PROPERTY_HOST_CACHED_BIT;
    // In order of preference.
    static constexpr VkMemoryPropertyFlags kWanted[3][3] = {
        {kLocal, 0, 0},
        {kVisible | kCoherent, kVisible | kCoherent, kVisible | kCoherent},
        {kVisible | kCoherent | kCached, kVisible | kCached, kVisible | kCoherent},
    };
    std::vector<u32> types;
    for (const VkMemoryPropertyFlags wanted : kWanted[static_cast<u32>(kind)])
        for (u32 type = 0; type < memory.memoryTypeCount; ++type)
        {
            const VkMemoryPropertyFlags has = memory.memoryTypes[type].propertyFlags;
            if ((allowed >> type & 1) != 0 && (has & wanted) == wanted &&
                (has & ~(kLocal | kVisible | kCoherent | kCached)) == 0 &&
                std::find(types.begin(), types.end(), type) == types.end())
                types.push_back(type);
        }
    return types;
}

Memory::Request Memory::request_of(const VkMemoryRequirements& requirements, u32 type, MemoryKind kind,
                                   bool for_images) const
{
    Request request{requirements.size, requirements.alignment, type, kind != MemoryKind::Device, for_images};
    if (request.mapped && !is_coherent(device_, type))
    {
        request.alignment = std::max(request.alignment, device_.properties.limits.nonCoherentAtomSize);
        request.size = align_up(request.size, request.alignment);
    }
    return request;
}

bool Memory::matches(const Block& block, const Request& request) const
{
    return block.type == request.type && block.for_images == request.for_images &&
           (block.mapped != nullptr) == request.mapped;
}

Memory::Piece Memory::take(u32 index, std::size_t range_index, VkDeviceSize at, const Request& request)
{
    Block& block = *blocks_[index];
    const Range range = block.free[range_index];
    const VkDeviceSize end = at + request.size;
    block.free.erase(block.free.begin() + static_cast<std::ptrdiff_t>(range_index));
    auto place = block.free.begin() + static_cast<std::ptrdiff_t>(range_index);
    if (end < range.offset + range.size)
        place = block.free.insert(place, Range{end, range.offset + range.size - end});
    if (at > range.offset)
        block.free.insert(place, Range{range.offset, at - range.offset});
    return Piece{Allocation(this, index, at, request.size), block.memory, at,
                 block.mapped ? block.mapped + at : nullptr, is_coherent(device_, block.type)};
}

std::optional<Memory::Piece> Memory::take_free(const Request& request)
{
    for (u32 index = 0; index < blocks_.size(); ++index)
    {
        if (!blocks_[index] || !matches(*blocks_[index], request))
            continue;
        const std::vector<Range>& free = blocks_[index]->free;
        for (std::size_t i = 0; i < free.size(); ++i)
        {
            const VkDeviceSize at = align_up(free[i].offset, request.alignment);
            if (at + request.size <= free[i].offset + free[i].size)
                return take(index, i, at, request);
        }
    }
    return std::nullopt;
}

VkDeviceSize Memory::usual_size(const Request& request) const
{
    VkDeviceSize shared = 0; // bytes of blocks of this kind
    for (const auto& block : blocks_)
        if (block && matches(*block, request) && !block->dedicated)
            shared += block->size;
    return std::clamp(shared, kFirstBlock, request.mapped ? kMostHostBlock : kMostDeviceBlock);
}

VkResult Memory::add_block(const Request& request, VkDeviceSize size, bool dedicated,
                           std::optional<Piece>& piece)
{
    auto block = std::make_unique<Block>();
    block->dedicated = dedicated;
    block->size = size;
    block->type = request.type;
    block->for_images = request.for_images;
    block->free.push_back({0, block->size});
    auto info = make<VkMemoryAllocateInfo>(VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO);
    info.allocationSize = block->size;
    info.memoryTypeIndex = request.type;
    VkDeviceMemory memory = VK_NULL_HANDLE;
    asked_ = "vkAllocateMemory";
    if (const VkResult result = device_.vk.vkAllocateMemory(device_.handle, &info, nullptr, &memory);
        result != VK_SUCCESS)
    {
        counters.refused += is_exhausted(result);
        return result;
    }
    block->memory = UniqueDeviceMemory(device_.handle, device_.vk, memory);
    if (request.mapped)
    {
        void* mapped = nullptr;
        asked_ = "vkMapMemory";
        if (const VkResult result =
                device_.vk.vkMapMemory(device_.handle, memory, 0, VK_WHOLE_SIZE, 0, &mapped);
            result != VK_SUCCESS)
            return result;
        block->mapped = static_cast<std::byte*>(mapped);
    }
    // The index of a block never changes. Indices of freed blocks are reused.
    const auto empty = std::find(blocks_.begin(), blocks_.end(), nullptr);
    const u32 index = static_cast<u32>(empty - blocks_.begin());
    if (empty == blocks_.end())
        blocks_.push_back(std::move(block));
    else
        *empty = std::move(block);
    piece = take(index, 0, 0, request);
    return VK_SUCCESS;
}

VkResult Memory::try_types(const VkMemoryRequirements& requirements, std::span<const u32> types,
                           MemoryKind kind, bool for_images, std::optional<Piece>& piece)
{
    VkResult result = VK_SUCCESS;
    for (const u32 type : types)
    {
        const Request request = request_of(requirements, type, kind, for_images);
        if ((piece = take_free(request)))
            return VK_SUCCESS;
        const VkDeviceSize usual = usual_size(request);
        // Large buffers of the device grow by being replaced. Alone in their blocks they leave no holes.
        const bool is_alone =
            request.size > usual / 2 || (!request.mapped && !for_images && request.size >= kLargeBuffer);
        if (!is_alone)
            result = add_block(request, usual, false, piece);
        if (is_alone || is_exhausted(result))
            result = add_block(request, request.size, true, piece);
        if (!is_exhausted(result))
            return result;
    }
    return result;
}

bool Memory::reserve_images(VkDeviceSize bytes)
{
    for (const u32 type : memory_types(device_.memory_properties, image_types_, MemoryKind::Device))
    {
        const Request request = request_of({bytes, 1, image_types_}, type, MemoryKind::Device, true);
        std::optional<Piece> piece = take_free(request);
        VkResult result = VK_SUCCESS;
        if (!piece)
            result = add_block(request, std::max(bytes, usual_size(request)), false, piece);
        if (is_exhausted(result))
            result = add_block(request, bytes, false, piece);
        if (!is_exhausted(result)) // the end of `piece` leaves the block, which is no dedicated one
            return static_cast<bool>(device_.check(result, asked_));
    }
    return false;
}

VkResult Memory::find_piece(const VkMemoryRequirements& requirements, MemoryKind kind, bool for_images,
                            std::optional<Piece>& piece)
{
    const std::vector<u32> types = memory_types(device_.memory_properties, requirements.memoryTypeBits, kind);
    VkResult result = try_types(requirements, types, kind, for_images, piece);
    while (is_exhausted(result) && give_back())
        result = try_types(requirements, types, kind, for_images, piece);
    return result;
}

Result<Memory::Piece> Memory::allocate(const VkMemoryRequirements& requirements, MemoryKind kind,
                                       bool for_images)
{
    std::optional<Piece> piece;
    const VkResult result = find_piece(requirements, kind, for_images, piece);
    if (piece)
        return std::move(*piece);
    if (result == VK_SUCCESS)
        return Error{"the Vulkan device has no memory type for this kind of resource"};
    const u64 wanted = requirements.size >> 10, reserved = bytes_reserved() >> 20;
    const std::string what = std::string(asked_) + " of " + std::to_string(wanted) + " KiB, with " +
                             std::to_string(reserved) + " MiB allocated" + advice;
    return device_.check(result, what.c_str()).error();
}

// Frees what can be freed. False: there was nothing.
bool Memory::give_back()
{
    if (relieving_)
        return false;
    relieving_ = true;
    bool freed = trim();
    freed |= relieve && relieve();
    freed |= trim();
    relieving_ = false;
    return freed;
}

bool Memory::trim()
{
    bool dropped = false;
    for (auto& block : blocks_)
        if (block && block->free.size() == 1 && block->free.front().size == block->size)
        {
            block.reset();
            dropped = true;
        }
    return dropped;
}

void Memory::release(u32 index, VkDeviceSize offset, VkDeviceSize size)
{
    Block& block = *blocks_[index];
    auto next = std::lower_bound(block.free.begin(), block.free.end(), offset,
                                 [](const Range& range, VkDeviceSize at) { return range.offset < at; });
    auto place = block.free.insert(next, Range{offset, size});
    if (place + 1 != block.free.end() && place->offset + place->size == (place + 1)->offset)
    {
        place->size += (place + 1)->size;
        block.free.erase(place + 1);
    }
    if (place != block.free.begin() && (place - 1)->offset + (place - 1)->size == place->offset)
    {
        (place - 1)->size += place->size;
        place = block.free.erase(place) - 1;
    }
    // A block that was made for one large resource is freed with it. Of the others, one empty block of each
    // kind is kept.
    if (place->size == block.size && (block.dedicated || has_empty_like(index)))
        blocks_[index].reset();
}

bool Memory::has_empty_like(u32 index) const
{
    const Block& block = *blocks_[index];
    for (u32 i = 0; i < blocks_.size(); ++i)
    {
        const Block* other = blocks_[i].get();
        if (i != index && other && !other->dedicated && other->type == block.type &&
            other->for_images == block.for_images &&
            (other->mapped != nullptr) == (block.mapped != nullptr) && other->free.size() == 1 &&
            other->free.front().size == other->size)
            return true;
    }
    return false;
}

u32 Memory::block_count() const
{
    return static_cast<u32>(
        std::count_if(blocks_.begin(), blocks_.end(), [](const auto& b) { return b != nullptr; }));
}

VkDeviceSize Memory::bytes_reserved() const
{
    VkDeviceSize bytes = 0;
    for (const auto& block : blocks_)
        bytes += block ? block->size : 0;
    return bytes;
}

Result<UniqueBuffer> Memory::create_unbound(VkDeviceSize size, VkBufferUsageFlags usage, const char* name)
{
    auto info = make<VkBufferCreateInfo>(VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO);
    info.size = size;
    info.usage = usage;
    VkBuffer object = VK_NULL_HANDLE;
    if (Status status = device_.check(device_.vk.vkCreateBuffer(device_.handle, &info, nullptr, &object),
                                      "vkCreateBuffer");
        !status)
        return status.error();
    set_name(device_, VK_OBJECT_TYPE_BUFFER, object, name);
    return UniqueBuffer(device_.handle, device_.vk, object);
}

Result<Buffer> Memory::bind(UniqueBuffer object, VkDeviceSize size, Piece piece)
{
    Buffer buffer;
    buffer.buffer = std::move(object);
    buffer.size = size;
    if (Status status = device_.check(
            device_.vk.vkBindBufferMemory(device_.handle, buffer.buffer, piece.memory, piece.offset),
            "vkBindBufferMemory");
        !status)
        return status.error();
    buffer.mapped = piece.mapped;
    buffer.coherent = piece.coherent;
    buffer.memory = piece.memory;
    buffer.memory_offset = piece.offset;
    buffer.allocation = std::move(piece.allocation);
    return buffer;
}

Result<Buffer> Memory::create_buffer(VkDeviceSize size, VkBufferUsageFlags usage, MemoryKind kind,
                                     const char* name)
{
    Result<UniqueBuffer> object = create_unbound(size, usage, name);
    if (!object)
        return object.error();
    VkMemoryRequirements requirements;
    device_.vk.vkGetBufferMemoryRequirements(device_.handle, *object, &requirements);
    Result<Piece> piece = allocate(requirements, kind, false);
    if (!piece)
        return piece.error();
    return bind(std::move(*object), size, std::move(*piece));
}

Result<std::optional<Buffer>> Memory::try_create_buffer(VkDeviceSize size, VkBufferUsageFlags usage,
                                                        MemoryKind kind, const char* name)
{
    Result<UniqueBuffer> object = create_unbound(size, usage, name);
    if (!object)
        return object.error();
    VkMemoryRequirements requirements;
    device_.vk.vkGetBufferMemoryRequirements(device_.handle, *object, &requirements);
    std::optional<Piece> piece;
    const VkResult result = find_piece(requirements, kind, false, piece);
    if (is_exhausted(result))
        return std::optional<Buffer>{};
    if (!piece)
        return device_.check(result == VK_SUCCESS ? VK_ERROR_FEATURE_NOT_PRESENT : result, asked_).error();
    Result<Buffer> buffer = bind(std::move(*object), size, std::move(*piece));
    if (!buffer)
        return buffer.error();
    return std::optional<Buffer>(std::move(*buffer));
}

Result<UniqueImageView> Memory::create_view(VkImage image, VkFormat format, VkImageUsageFlags usage,
                                            const VkImageSubresourceRange& range, VkImageViewType type)
{
    auto restricted = make<VkImageViewUsageCreateInfo>(VK_STRUCTURE_TYPE_IMAGE_VIEW_USAGE_CREATE_INFO);
    restricted.usage = usage;
    auto info = make<VkImageViewCreateInfo>(VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO);
    info.pNext = &restricted;
    info.image = image;
    info.viewType = type;
    info.format = format;
    info.subresourceRange = range;
    VkImageView view = VK_NULL_HANDLE;
    if (Status status = device_.check(device_.vk.vkCreateImageView(device_.handle, &info, nullptr, &view),
                                      "vkCreateImageView");
        !status)
        return status.error();
    return UniqueImageView(device_.handle, device_.vk, view);
}

Result<Image> Memory::create_image(const ImageInfo& wanted)
{
    auto info = make<VkImageCreateInfo>(VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO);
    info.flags = wanted.flags;
    info.imageType = VK_IMAGE_TYPE_2D;
    info.format = wanted.format;
    info.extent = {wanted.width, wanted.height, 1};
    info.mipLevels = wanted.levels;
    info.arrayLayers = wanted.layers;
    info.samples = VK_SAMPLE_COUNT_1_BIT;
    info.tiling = VK_IMAGE_TILING_OPTIMAL;
    info.usage = wanted.usage;
    if (wanted.queue_families.size() > 1)
    {
        info.sharingMode = VK_SHARING_MODE_CONCURRENT;
        info.queueFamilyIndexCount = static_cast<u32>(wanted.queue_families.size());
        info.pQueueFamilyIndices = wanted.queue_families.data();
    }
    info.initialLayout = VK_IMAGE_LAYOUT_UNDEFINED;
    VkImage object = VK_NULL_HANDLE;
    if (Status status =
            device_.check(device_.vk.vkCreateImage(device_.handle, &info, nullptr, &object), "vkCreateImage");
        !status)
        return status.error();
    Image image;
    image.image = UniqueImage(device_.handle, device_.vk, object);
    image.format = wanted.format;
    image.width = wanted.width;
    image.height = wanted.height;
    image.levels = wanted.levels;
    image.layers = wanted.layers;
    set_name(device_, VK_OBJECT_TYPE_IMAGE, object, wanted.name);
    VkMemoryRequirements requirements;
    device_.vk.vkGetImageMemoryRequirements(device_.handle, object, &requirements);
    image.bytes = requirements.size;
    image_types_ = requirements.memoryTypeBits;
    Result<Piece> piece = allocate(requirements, MemoryKind::Device, true);
    if (!piece)
        return piece.error();
    if (Status status =
            device_.check(device_.vk.vkBindImageMemory(device_.handle, object, piece->memory, piece->offset),
                          "vkBindImageMemory");
        !status)
        return status.error();
    image.allocation = std::move(piece->allocation);
    Result<UniqueImageView> view = create_view(
        object, wanted.format, wanted.usage, {wanted.view_aspect, 0, wanted.levels, 0, wanted.layers},
        wanted.layers > 1 ? VK_IMAGE_VIEW_TYPE_2D_ARRAY : VK_IMAGE_VIEW_TYPE_2D);
    if (!view)
        return view.error();
    image.view = std::move(*view);
    return image;
}

Status Memory::invalidate(const Buffer& buffer)
{
    if (buffer.coherent || !buffer.mapped)
        return {};
    auto range = make<VkMappedMemoryRange>(VK_STRUCTURE_TYPE_MAPPED_MEMORY_RANGE);
    range.memory = buffer.memory;
    range.offset = buffer.memory_offset; // allocations in such memory are aligned to nonCoherentAtomSize
    range.size = align_up(buffer.size, device_.properties.limits.nonCoherentAtomSize);
    return device_.check(device_.vk.vkInvalidateMappedMemoryRanges(device_.handle, 1, &range),
                         "vkInvalidateMappedMemoryRanges");
}

} // namespace renderer
