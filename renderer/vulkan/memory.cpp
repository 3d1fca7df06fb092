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

VkDeviceSize align_up(VkDeviceSize value, VkDeviceSize alignment)
{
    return (value + alignment - 1) / alignment * alignment;
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

Result<u32> Memory::find_type(u32 allowed, MemoryKind kind) const
{
    constexpr VkMemoryPropertyFlags kVisible = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT;
    constexpr VkMemoryPropertyFlags kCoherent = VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
    constexpr VkMemoryPropertyFlags kCached = VK_MEMORY_PROPERTY_HOST_CACHED_BIT;
    // In order of preference.
    static constexpr VkMemoryPropertyFlags kWanted[3][3] = {
        {VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT, 0, 0},
        {kVisible | kCoherent, kVisible | kCoherent, kVisible | kCoherent},
        {kVisible | kCoherent | kCached, kVisible | kCached, kVisible | kCoherent},
    };
    const VkPhysicalDeviceMemoryProperties& memory = device_.memory_properties;
    for (const VkMemoryPropertyFlags wanted : kWanted[static_cast<u32>(kind)])
        for (u32 type = 0; type < memory.memoryTypeCount; ++type)
            if ((allowed >> type & 1) != 0 && (memory.memoryTypes[type].propertyFlags & wanted) == wanted)
                return type;
    return Error{"the Vulkan device has no memory type for this kind of resource"};
}

Result<Memory::Piece> Memory::allocate(const VkMemoryRequirements& requirements, MemoryKind kind,
                                       bool for_images)
{
    const Result<u32> type = find_type(requirements.memoryTypeBits, kind);
    if (!type)
        return type.error();
    const bool host = kind != MemoryKind::Device;
    const bool coherent = (device_.memory_properties.memoryTypes[*type].propertyFlags &
                           VK_MEMORY_PROPERTY_HOST_COHERENT_BIT) != 0;
    VkDeviceSize alignment = requirements.alignment, size = requirements.size;
    if (host && !coherent)
    {
        alignment = std::max(alignment, device_.properties.limits.nonCoherentAtomSize);
        size = align_up(size, alignment);
    }

    const auto take = [&](u32 index, std::size_t range_index, VkDeviceSize at)
    {
        Block& block = *blocks_[index];
        const Range range = block.free[range_index];
        block.free.erase(block.free.begin() + static_cast<std::ptrdiff_t>(range_index));
        auto place = block.free.begin() + static_cast<std::ptrdiff_t>(range_index);
        if (at + size < range.offset + range.size)
            place = block.free.insert(place, Range{at + size, range.offset + range.size - at - size});
        if (at > range.offset)
            block.free.insert(place, Range{range.offset, at - range.offset});
        return Piece{Allocation(this, index, at, size), block.memory, at,
                     block.mapped ? block.mapped + at : nullptr, coherent};
    };
    VkDeviceSize shared = 0; // bytes of blocks of this kind
    for (u32 index = 0; index < blocks_.size(); ++index)
    {
        if (!blocks_[index] || blocks_[index]->type != *type || blocks_[index]->for_images != for_images ||
            (blocks_[index]->mapped != nullptr) != host)
            continue;
        shared += blocks_[index]->dedicated ? 0 : blocks_[index]->size;
        const std::vector<Range>& free = blocks_[index]->free;
        for (std::size_t i = 0; i < free.size(); ++i)
        {
            const VkDeviceSize at = align_up(free[i].offset, alignment);
            if (at + size <= free[i].offset + free[i].size)
                return take(index, i, at);
        }
    }

    const VkDeviceSize usual = std::clamp(shared, kFirstBlock, host ? kMostHostBlock : kMostDeviceBlock);
    auto block = std::make_unique<Block>();
    block->dedicated = size > usual / 2;
    block->size = block->dedicated ? size : usual;
    block->type = *type;
    block->for_images = for_images;
    block->free.push_back({0, block->size});
    auto info = make<VkMemoryAllocateInfo>(VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO);
    info.allocationSize = block->size;
    info.memoryTypeIndex = *type;
    VkDeviceMemory memory = VK_NULL_HANDLE;
    if (Status status = device_.check(device_.vk.vkAllocateMemory(device_.handle, &info, nullptr, &memory),
                                      "vkAllocateMemory");
        !status)
        return status.error();
    block->memory = UniqueDeviceMemory(device_.handle, device_.vk, memory);
    if (host)
    {
        void* mapped = nullptr;
        if (Status status = device_.check(
                device_.vk.vkMapMemory(device_.handle, memory, 0, VK_WHOLE_SIZE, 0, &mapped), "vkMapMemory");
            !status)
            return status.error();
        block->mapped = static_cast<std::byte*>(mapped);
    }
    // The index of a block never changes. Indices of freed blocks are reused.
    const auto empty = std::find(blocks_.begin(), blocks_.end(), nullptr);
    const u32 index = static_cast<u32>(empty - blocks_.begin());
    if (empty == blocks_.end())
        blocks_.push_back(std::move(block));
    else
        *empty = std::move(block);
    return take(index, 0, 0);
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

Result<Buffer> Memory::create_buffer(VkDeviceSize size, VkBufferUsageFlags usage, MemoryKind kind,
                                     const char* name)
{
    auto info = make<VkBufferCreateInfo>(VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO);
    info.size = size;
    info.usage = usage;
    VkBuffer object = VK_NULL_HANDLE;
    if (Status status = device_.check(device_.vk.vkCreateBuffer(device_.handle, &info, nullptr, &object),
                                      "vkCreateBuffer");
        !status)
        return status.error();
    Buffer buffer;
    buffer.buffer = UniqueBuffer(device_.handle, device_.vk, object);
    buffer.size = size;
    set_name(device_, VK_OBJECT_TYPE_BUFFER, object, name);
    VkMemoryRequirements requirements;
    device_.vk.vkGetBufferMemoryRequirements(device_.handle, object, &requirements);
    Result<Piece> piece = allocate(requirements, kind, false);
    if (!piece)
        return piece.error();
    if (Status status =
            device_.check(device_.vk.vkBindBufferMemory(device_.handle, object, piece->memory, piece->offset),
                          "vkBindBufferMemory");
        !status)
        return status.error();
    buffer.mapped = piece->mapped;
    buffer.coherent = piece->coherent;
    buffer.memory = piece->memory;
    buffer.memory_offset = piece->offset;
    buffer.allocation = std::move(piece->allocation);
    return buffer;
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
