// SPDX-License-Identifier: MIT
#include "renderer/vertex/vertex_buffers.h"

#include "pica/state/triangle_record.h"
#include "renderer/vertex/draw_geometry.h"
#include "renderer/vertex/geometry_work.h"
#include "renderer/vulkan/stream.h"

#include <algorithm>
#include <utility>

namespace renderer
{

namespace
{

static_assert(CLIPPED_RECORDS == MAX_POLYGON - 2); // a fan over a polygon
constexpr VkDeviceSize kPadding = 1024;            // vertex fetch may read past the last record
constexpr u64 kTexelBytes = 16;
constexpr u64 kLargestRecord = pica::kMaxRecordWords * 4;
// A texel buffer view may begin at multiples of this many records. The size of a record is a multiple of 48
// bytes, and no device needs texel buffers aligned to more than 256 bytes.
constexpr u64 kViewRecords = 16;
static_assert(kViewRecords * pica::kRecordHeader * 4 % 256 == 0);

// Slots of a batch, and the bytes of their words: commands, groups, slots and the list.
constexpr u64 kMostSlots = u64{MAX_SLOT_GROUPS} * COMPUTE_GROUP;
constexpr VkDeviceSize kSlotBytes =
    (VkDeviceSize{4} * VertexBuffers::kMostDraws + MAX_SLOT_GROUPS + 2 * kMostSlots) * 4;
static_assert(kMostPartTriangles + 2 < kMostSlots);

// Limit of the records of a batch with more than one draw.
constexpr VkDeviceSize kBatchRecordBytes = VkDeviceSize{64} << 20;

// After so many frames, buffers become smaller if no batch used more than a part of them.
constexpr u32 kFramesKept = 120;
constexpr u32 kPartUsed = 4;

} // namespace

// What the buffers begin with, and what they always keep.
VertexBuffers::Ends VertexBuffers::first_ends()
{
    return {.shaded = VkDeviceSize{4096} * kShadedBytes,
            .records = VkDeviceSize{1} << 20,
            .positions = VkDeviceSize{256} << 10};
}

Status VertexBuffers::create()
{
    return ensure(first_ends());
}

Status VertexBuffers::grow(Buffer& buffer, VkDeviceSize size, VkBufferUsageFlags usage, const char* name)
{
    if (buffer.size >= size)
        return {};
    auto made = memory_.create_buffer(std::max(size, std::min(buffer.size * 2, kBatchRecordBytes)),
                                      usage | VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, MemoryKind::Device, name);
    if (!made)
        return made.error();
    if (buffer.buffer)
        stream_.retire(std::move(buffer));
    buffer = std::move(*made);
    return {};
}

Status VertexBuffers::ensure(const Ends& ends)
{
    Status status = grow(shaded_, ends.shaded, VK_BUFFER_USAGE_TRANSFER_DST_BIT, "shaded vertices");
    if (status)
        status = grow_records(ends);
    if (status)
        status = grow(positions_, ends.positions, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT, "snapped positions");
    return status;
}

Status VertexBuffers::grow_records(const Ends& ends)
{
    const VkBuffer before = records_.buffer;
    Status status = grow(records_, ends.records + kPadding + kSlotBytes,
                         VK_BUFFER_USAGE_VERTEX_BUFFER_BIT | VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT |
                             VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT,
                         "triangle records");
    if (!status || records_.buffer == before)
        return status;
    record_bytes_ = (records_.size - kSlotBytes) & ~VkDeviceSize{3};
    if (texels_)
        stream_.retire(std::move(texels_));
    return {};
}

// How many whole records of this size there is room for before the next draw's, as records or as positions. Without a
// division where the last draw's have the same size, as nearly always.
u64 VertexBuffers::records_before(u64 record_bytes) const
{
    return next_byte_ == next_record_ * record_bytes ? next_record_
                                                     : std::max(next_record_, next_byte_ / record_bytes);
}

VertexBuffers::Ends VertexBuffers::ends_with(const VertexNeed& need) const
{
    // With room to begin at a multiple of the record's size, and of kViewRecords.
    const u64 records = u64{need.triangles} * kTrianglesPerInput + 2 * kViewRecords;
    const u64 least = u64{need.record_words.least} * 4, most = u64{need.record_words.most} * 4;
    return {(next_vertex_ + need.rows) * kShadedBytes,
            std::max(next_byte_, next_record_ * most) + records * most,
            (records_before(least) + 1 + records) * kPositionBytes,
            u64{next_slot_} + std::max(need.triangles, 1u)};
}

bool VertexBuffers::fit(const Ends& ends) const
{
    return ends.shaded <= shaded_.size && ends.records + kPadding <= record_bytes_ &&
           ends.positions <= positions_.size;
}

bool VertexBuffers::has_room(const VertexNeed& need)
{
    const Ends ends = ends_with(need);
    const bool full = ends.records > kBatchRecordBytes || ends.slots > kMostSlots;
    if (!in_use_ || (!full && fit(ends)))
        return true;
    // Later the buffers get the size that this batch would have had, so that the next one need not end here.
    wanted_ = ends;
    if (full)
        wanted_.records = wanted_.positions = 0;
    return false;
}

void VertexBuffers::reserve(const VertexNeed& need)
{
    Ends ends = ends_with(need);
    const Ends wanted = std::exchange(wanted_, {});
    ends.shaded = std::max(ends.shaded, wanted.shaded);
    ends.records = std::max(ends.records, wanted.records);
    ends.positions = std::max(ends.positions, wanted.positions);
    if (fit(ends))
        return;
    if (Status status = ensure(ends); !status)
        device_.fail(status.error().message);
}

VertexBuffers::Place VertexBuffers::place(const VertexNeed& need, u32 record_words, bool with_texels)
{
    if (record_words < need.record_words.least || record_words > need.record_words.most)
        device_.fail("triangle records have another size than memory was reserved for");
    const u64 record_bytes = u64{record_words} * 4;
    Place place;
    place.first_vertex = next_vertex_;
    // The draw's region begins at a multiple of its own record size. Regions of draws overlap neither as
    // records nor as positions.
    place.first_record = records_before(record_bytes);
    if (place.first_record * record_bytes < next_byte_)
        ++place.first_record;
    place.records = u64{need.triangles} * kTrianglesPerInput;
    if (with_texels)
        place.first_texel_record =
            place_texels(static_cast<u32>(record_bytes), place.records, place.first_record);
    next_vertex_ += static_cast<u32>(need.rows);
    next_slot_ += std::max(need.triangles, 1u);
    next_record_ = place.first_record + place.records;
    next_byte_ = next_record_ * record_bytes;
    in_use_ = true;
    return place;
}

void VertexBuffers::reset()
{
    used_.shaded = std::max(used_.shaded, next_vertex_ * kShadedBytes);
    used_.records = std::max(used_.records, next_byte_);
    used_.positions = std::max(used_.positions, next_record_ * kPositionBytes);
    in_use_ = false;
    next_vertex_ = next_slot_ = 0;
    next_record_ = next_byte_ = 0;
}

void VertexBuffers::end_frame()
{
    if (in_use_ || ++frames_ < kFramesKept)
        return;
    frames_ = 0;
    const Ends used = std::exchange(used_, {}), least = first_ends();
    const auto is_large = [](VkDeviceSize size, VkDeviceSize use, VkDeviceSize smallest)
    { return size / kPartUsed > std::max(use, smallest); };
    // The next draw makes the buffers again.
    if (is_large(shaded_.size, used.shaded, least.shaded))
        stream_.retire(std::exchange(shaded_, {}));
    if (is_large(positions_.size, used.positions, least.positions))
        stream_.retire(std::exchange(positions_, {}));
    if (is_large(record_bytes_, used.records, least.records))
    {
        stream_.retire(std::exchange(records_, {}));
        record_bytes_ = 0;
        if (texels_)
            stream_.retire(std::move(texels_));
    }
    if (!shaded_.buffer || !positions_.buffer || !records_.buffer)
        wanted_ = {std::max(used.shaded, least.shaded), std::max(used.records, least.records),
                   std::max(used.positions, least.positions), 0};
}

VkDeviceSize VertexBuffers::bytes() const
{
    return shaded_.size + records_.size + positions_.size;
}

u32 VertexBuffers::texel_triangles() const
{
    const u64 records = u64{device_.properties.limits.maxTexelBufferElements} * kTexelBytes / kLargestRecord;
    return static_cast<u32>(std::min<u64>(records / u64{kTrianglesPerInput} & ~u64{1}, kMostPartTriangles));
}

// Makes texels_ a view that covers the draw's records. It mostly covers the whole buffer; where the limit of
// texels is smaller, it moves. Gives the number that shaders add to record numbers. first_record may increase
// for alignment.
s32 VertexBuffers::place_texels(u32 record_bytes, u64 capacity, u64& first_record)
{
    const u64 end = (first_record + capacity) * record_bytes;
    if (texels_ && texels_from_ % record_bytes == 0 && texels_from_ <= first_record * record_bytes &&
        end <= texels_from_ + texels_size_)
        return -static_cast<s32>(texels_from_ / record_bytes);
    if (texels_)
        stream_.retire(std::move(texels_));
    const u64 limit = u64{device_.properties.limits.maxTexelBufferElements} * kTexelBytes;
    first_record = (first_record + kViewRecords - 1) / kViewRecords * kViewRecords;
    texels_from_ = record_bytes_ / kTexelBytes * kTexelBytes <= limit ? 0 : first_record * record_bytes;
    texels_size_ = std::min((record_bytes_ - texels_from_) / kTexelBytes * kTexelBytes, limit);
    auto info = make<VkBufferViewCreateInfo>(VK_STRUCTURE_TYPE_BUFFER_VIEW_CREATE_INFO);
    info.buffer = records_.buffer;
    info.format = VK_FORMAT_R32G32B32A32_SINT;
    info.offset = texels_from_;
    info.range = texels_size_;
    VkBufferView view = VK_NULL_HANDLE;
    if (device_.check(device_.vk.vkCreateBufferView(device_.handle, &info, nullptr, &view),
                      "vkCreateBufferView"))
        texels_ = UniqueBufferView(device_.handle, device_.vk, view);
    return -static_cast<s32>(texels_from_ / record_bytes);
}

} // namespace renderer
