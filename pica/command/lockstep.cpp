// SPDX-License-Identifier: MIT
#include "pica/command/lockstep.h"

#include "pica/memory/guest_memory.h"
#include "pica/memory/touched_pages.h"
#include "pica/texture/morton.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <utility>

namespace pica
{

namespace
{

std::string hex(u64 value, int digits)
{
    char text[24];
    std::snprintf(text, sizeof text, "%0*llx", digits, static_cast<unsigned long long>(value));
    return text;
}

// Finds the first byte that differs, from `begin` on. Nowhere: the size of the shorter range.
class ByteComparison
{
public:
    ByteComparison(std::span<const u8> first, std::span<const u8> second) : first_(first), second_(second)
    {
        // To ask what is touched costs more than to read a little.
        if (first.size() < kManyBytes || second.size() != first.size())
            return;
        touched_ = touched_pages(first);
        const std::vector<bool> other = touched_pages(second);
        for (std::size_t page = 0; page < touched_.size(); ++page)
            touched_[page] = touched_[page] || other[page];
    }
    std::size_t find(std::size_t begin = 0) const
    {
        const std::size_t end = std::min(first_.size(), second_.size());
        while (begin < end)
        {
            const std::size_t page = begin / kTouchedPageSize;
            const std::size_t size = std::min(end, (page + 1) * kTouchedPageSize) - begin;
            const bool equal = (!touched_.empty() && !touched_[page]) ||
                               std::memcmp(first_.data() + begin, second_.data() + begin, size) == 0;
            if (!equal)
                break;
            begin += size;
        }
        while (begin < end && first_[begin] == second_[begin])
            ++begin;
        return begin;
    }

private:
    static constexpr std::size_t kManyBytes = 1u << 20;
    std::span<const u8> first_, second_;
    std::vector<bool> touched_; // empty: all of it
};

// The pixel's bytes as a little-endian number.
u32 pixel_value(std::span<const u8> bytes)
{
    u32 value = 0;
    for (std::size_t i = 0; i < std::min<std::size_t>(bytes.size(), 4); ++i)
        value |= u32{bytes[i]} << (8 * i);
    return value;
}

} // namespace

LockstepBackend::LockstepBackend(Backend& first, Backend& second, Compare compare)
    : first_(first), second_(second), compare_(compare)
{
}

void LockstepBackend::add(const Written& range)
{
    if (range.bytes.size == 0)
        return;
    // The last range is the one that was written last.
    const auto known =
        std::find_if(written_.begin(), written_.end(),
                     [&](const Written& other) {
                         return other.bytes == range.bytes && other.bytes_per_pixel == range.bytes_per_pixel;
                     });
    if (known != written_.end())
        std::rotate(known, known + 1, written_.end());
    else
        written_.push_back(range);
    written_.back() = range;
}

template <typename What>
void LockstepBackend::after_operation(const What& operation)
{
    for_each_written(operation, [&](const Written& range) { add(range); });
    if (++operations_ == compare_all_after_)
        compare_all();
    else if (compare_ == Compare::EachOperation)
        compare_written();
}

void LockstepBackend::draw(const Draw& draw)
{
    first_.draw(draw);
    second_.draw(draw);
    ++draws_;
    last_operation_ = Operation::Draw;
    last_draw_ = draw;
    last_draw_of_frame_ = draws_of_frame_++;
    after_operation(draw);
}

void LockstepBackend::memory_fill(const MemoryFill& fill)
{
    first_.memory_fill(fill);
    second_.memory_fill(fill);
    last_operation_ = Operation::Fill;
    after_operation(fill);
}

void LockstepBackend::display_transfer(const DisplayTransfer& transfer)
{
    first_.display_transfer(transfer);
    second_.display_transfer(transfer);
    last_operation_ = Operation::Transfer;
    after_operation(transfer);
}

void LockstepBackend::texture_copy(const TextureCopy& copy)
{
    first_.texture_copy(copy);
    second_.texture_copy(copy);
    last_operation_ = Operation::Copy;
    after_operation(copy);
}

void LockstepBackend::will_read(PhysAddr address, u32 size)
{
    first_.will_read(address, size);
    second_.will_read(address, size);
}

void LockstepBackend::will_write(PhysAddr address, u32 size)
{
    first_.will_write(address, size);
    second_.will_write(address, size);
}

// The CPU wrote through memory(), which is the first backend's. The second memory gets the same bytes.
void LockstepBackend::did_write(PhysAddr address, u32 size)
{
    first_.did_write(address, size);
    first_.memory().for_each_part(address, size,
                                  [&](PhysAddr begin, std::span<const u8> from)
                                  {
                                      const std::span<u8> to = second_.memory().span(begin, from.size());
                                      if (!to.empty())
                                          std::memcpy(to.data(), from.data(), from.size());
                                  });
    second_.did_write(address, size);
}

void LockstepBackend::may_have_written(PhysAddr address, u32 size)
{
    if (compare_ == Compare::EachOperation)
    {
        second_.will_read(address, size);
        first_.memory().for_each_part(address, size,
                                      [&](PhysAddr begin, std::span<const u8> from)
                                      { copy_changed_pages(begin, from); });
    }
    first_.may_have_written(address, size);
    second_.may_have_written(address, size);
}

// Writes the pages of `from` that differ into the second memory, without an announcement.
void LockstepBackend::copy_changed_pages(PhysAddr begin, std::span<const u8> from)
{
    const std::span<u8> to = second_.memory().span(begin, from.size());
    for (std::size_t at = 0; at < to.size(); at += kPageSize)
    {
        const std::size_t size = std::min<std::size_t>(kPageSize, to.size() - at);
        if (std::memcmp(to.data() + at, from.data() + at, size) != 0)
            std::memcpy(to.data() + at, from.data() + at, size);
    }
}

void LockstepBackend::processor_returns()
{
    first_.processor_returns();
    second_.processor_returns();
}

void LockstepBackend::flush()
{
    first_.flush();
    second_.flush();
}

void LockstepBackend::end_frame()
{
    first_.end_frame();
    second_.end_frame();
    draws_of_frame_ = 0;
}

u64 LockstepBackend::covered_pixels(const Draw& draw)
{
    const u64 first = first_.covered_pixels(draw);
    const u64 second = second_.covered_pixels(draw);
    if (first != second && !difference_)
    {
        Difference& found = difference_.emplace(Difference{});
        found.operation = "draw " + std::to_string(draw.serial);
        found.place = "pixels that it covers";
        found.values = std::string(first_.name()) + " " + std::to_string(first) + ", " +
                       std::string(second_.name()) + " " + std::to_string(second);
        found.state = draw.text();
        found.draw = draws_of_frame_;
    }
    return first;
}

void LockstepBackend::load_carryover(const Carryover& carryover)
{
    first_.load_carryover(carryover);
    second_.load_carryover(carryover);
}

void LockstepBackend::compare_written()
{
    const std::vector<Written> written = std::move(written_);
    written_.clear();
    if (difference_)
        return;
    for (const Written& range : written)
        compare(range);
    if (difference_)
        difference_->unannounced = find_unannounced(written);
}

// The first byte outside of the written ranges that differs, in words.
std::string LockstepBackend::find_unannounced(const std::vector<Written>& written)
{
    for (const MemoryRegion& region : first_.memory().regions())
    {
        const std::span<const u8> first = region.bytes;
        first_.will_read(region.base, static_cast<u32>(first.size()));
        second_.will_read(region.base, static_cast<u32>(first.size()));
        const std::span<const u8> second = second_.memory().span(region.base, first.size());
        const ByteComparison bytes(first, second);
        const std::size_t end = std::min(first.size(), second.size());
        for (std::size_t at = bytes.find(); at < end; at = bytes.find(at))
        {
            const PhysAddr address = region.base + static_cast<PhysAddr>(at);
            const auto range =
                std::find_if(written.begin(), written.end(),
                             [&](const Written& other)
                             { return overlap(other.bytes.begin, other.bytes.size, address, 1); });
            if (range == written.end())
                return "memory at " + hex(address, 8) +
                       " differs, where no operation has written since both were equal: most likely the CPU "
                       "wrote there without an announcement";
            at = static_cast<std::size_t>(u64{range->bytes.begin} + range->bytes.size - region.base);
        }
    }
    return {};
}

void LockstepBackend::compare_all()
{
    if (difference_)
        return;
    const std::vector<Written> written = std::move(written_);
    written_.clear();
    for (const MemoryRegion& region : first_.memory().regions())
        compare({{region.base, region.bytes.size()}, "guest memory", 0, {}});
    if (!difference_)
        return;
    const std::string unannounced = find_unannounced(written);
    // A target and a pixel in it say more than an address.
    const Difference found = *std::exchange(difference_, std::nullopt);
    for (auto range = written.rbegin(); range != written.rend() && !difference_; ++range)
        compare(*range);
    if (!difference_)
        difference_ = found;
    difference_->unannounced = unannounced;
}

void LockstepBackend::compare_range(PhysAddr address, u32 size)
{
    compare({{address, size}, "guest memory", 0, {}});
}

void LockstepBackend::note_difference(std::string place, std::string values)
{
    if (difference_)
        return;
    difference_ = describe_operation();
    difference_->place = std::move(place);
    difference_->values = std::move(values);
}

void LockstepBackend::compare(const Written& range)
{
    if (difference_)
        return;
    will_read(range.bytes.begin, static_cast<u32>(std::min<u64>(range.bytes.size, ~u32{0})));
    first_.memory().for_each_part(
        range.bytes.begin, range.bytes.size,
        [&](PhysAddr begin, std::span<const u8> first)
        { compare_part(range, begin, first, second_.memory().span(begin, first.size())); });
    if (difference_ || !compare_beside_)
        return;
    if (std::optional<PlacedDifference> beside = compare_beside_(range.bytes))
        note_difference(std::move(beside->place), std::move(beside->values));
}

// Compares the part of a written range that lies in one region.
void LockstepBackend::compare_part(const Written& range, PhysAddr begin, std::span<const u8> first,
                                   std::span<const u8> second)
{
    bytes_compared_ += first.size();
    if (difference_)
        return;
    const std::size_t at = ByteComparison(first, second).find();
    if (at == first.size() && at == second.size())
        return;
    Written part = range;
    part.bytes = {begin, first.size()};
    if (begin != range.bytes.begin)
        part.bytes_per_pixel = 0; // pixels are counted from the range's begin
    record_difference(part, static_cast<u32>(at), first, second);
}

LockstepBackend::Difference LockstepBackend::describe_operation() const
{
    Difference difference;
    difference.number = operations_;
    switch (last_operation_)
    {
    case Operation::None:
        difference.operation = "start";
        break;
    case Operation::Draw:
        difference.operation = "draw " + std::to_string(last_draw_.serial);
        difference.state = last_draw_.text();
        difference.draw = last_draw_of_frame_;
        break;
    case Operation::Fill:
        difference.operation = "memory fill";
        break;
    case Operation::Transfer:
        difference.operation = "display transfer";
        break;
    case Operation::Copy:
        difference.operation = "texture copy";
        break;
    }
    return difference;
}

void LockstepBackend::record_difference(const Written& range, u32 offset, std::span<const u8> first,
                                        std::span<const u8> second)
{
    Difference difference = describe_operation();
    u32 step = 4;
    difference.place = std::string(range.what) + " " + hex(range.bytes.begin, 8);
    if (range.bytes_per_pixel != 0)
    {
        step = range.bytes_per_pixel;
        const u32 pixel = offset / step;
        const u32 unit = range.target.unit();
        const u32 tile = pixel / (unit * unit), inside = pixel % (unit * unit);
        const u32 tiles_per_row = std::max(range.target.width / unit, 1u);
        const u32 x = tile % tiles_per_row * unit + morton_x(inside);
        const u32 row = tile / tiles_per_row * unit + morton_y(inside);
        const u32 y = range.target.flip != 0 ? range.target.height - 1u - row : row;
        difference.place += ", pixel (" + std::to_string(x) + ", " + std::to_string(y) + "), y up";
    }
    else
    {
        difference.place += ", address " + hex(range.bytes.begin + offset, 8);
    }
    const u32 begin = offset / step * step;
    const auto value = [&](std::span<const u8> bytes)
    {
        if (begin >= bytes.size())
            return std::string("nothing");
        const std::size_t present = std::min<std::size_t>(step, bytes.size() - begin);
        return hex(pixel_value(bytes.subspan(begin, present)), static_cast<int>(step * 2));
    };
    difference.values = std::string(first_.name()) + " " + value(first) + ", " + std::string(second_.name()) +
                        " " + value(second);
    difference_ = std::move(difference);
}

} // namespace pica
