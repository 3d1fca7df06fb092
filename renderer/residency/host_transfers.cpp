// SPDX-License-Identifier: MIT
#include "renderer/residency/host_transfers.h"

#include "pica/transfer/pixel_rows.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace renderer
{

namespace
{

// Two screens with three buffers each are usual. A host that reads nothing has no more than this waiting.
constexpr std::size_t kMostTransfers = 8;
constexpr std::size_t kMostReaders = 16;
constexpr std::size_t kMostUnused = 4;
// Where the device was the first to read what waited for the CPU, a shader converts for a second.
constexpr u32 kDeviceTurns = 60;
constexpr u32 kMostUnread = 3; // a program may transfer twice and show the second picture

bool same(const MirrorLayout::Part& a, const MirrorLayout::Part& b)
{
    return a.region == b.region && a.begin == b.begin && a.end == b.end;
}

// A page of the output that no neighbour shares, if there is one.
u32 telling_page(const MirrorLayout::Part& output)
{
    return output.first_page() + (output.last_page() - output.first_page() > 2 ? 1 : 0);
}

} // namespace

bool HostTransfers::is_for_host(const Part& output)
{
    const Reader* const reader = find_reader(output);
    return reader != nullptr && reader->is_host;
}

HostTransfers::Reader* HostTransfers::find_reader(const Part& output)
{
    const auto found = std::find_if(readers_.begin(), readers_.end(),
                                    [&](const Reader& reader) { return same(reader.output, output); });
    return found != readers_.end() ? &*found : nullptr;
}

HostTransfers::Reader& HostTransfers::reader_of(const Part& output)
{
    if (Reader* const reader = find_reader(output))
        return *reader;
    if (readers_.size() == kMostReaders)
        readers_.erase(readers_.begin());
    readers_.push_back({output});
    return readers_.back();
}

void HostTransfers::converted_on_device(const Part& output, std::span<const u32> numbers)
{
    Reader& reader = reader_of(output);
    reader.number = numbers[telling_page(output) - output.first_page()];
    reader.device_turns -= std::min(reader.device_turns, 1u);
}

void HostTransfers::host_reads(u32 region, u32 first, u32 last)
{
    for (Reader& reader : readers_)
    {
        const u32 page = telling_page(reader.output);
        if (!reader.is_host && reader.device_turns == 0 && reader.output.region == region && first <= page &&
            page < last)
        {
            reader.is_host = is_fresh_(region, page, reader.number);
            reader.unread = 0;
        }
    }
}

Result<VkBuffer> HostTransfers::begin(const Picture& picture)
{
    forget_stale();
    if (transfers_.size() == kMostTransfers)
        return VkBuffer{VK_NULL_HANDLE};
    const VkDeviceSize bytes = VkDeviceSize{picture.width} * picture.rows * 4;
    next_ = {};
    next_.picture = picture;
    const auto fits = std::find_if(unused_.begin(), unused_.end(),
                                   [&](const Buffer& buffer) { return buffer.size >= bytes; });
    if (fits != unused_.end())
    {
        next_.buffer = std::move(*fits);
        unused_.erase(fits);
        return next_.buffer.buffer.get();
    }
    Result<std::optional<Buffer>> made = memory_.try_create_buffer(
        bytes, VK_BUFFER_USAGE_TRANSFER_DST_BIT, MemoryKind::Readback, "transferred picture");
    if (!made)
        return made.error();
    if (!*made)
        return VkBuffer{VK_NULL_HANDLE};
    next_.buffer = std::move(**made);
    return next_.buffer.buffer.get();
}

void HostTransfers::add(const pica::DisplayTransfer& transfer, const Part& output, std::vector<u32> numbers)
{
    next_.transfer = transfer;
    next_.output = output;
    next_.numbers = std::move(numbers);
    next_.serial = stream_.current();
    transfers_.push_back(std::exchange(next_, {}));
}

void HostTransfers::overwritten(const Part& part)
{
    for (Transfer& transfer : transfers_)
    {
        const Run pages = transfer.shared_pages(part);
        for (u32 page = static_cast<u32>(pages.begin); page < pages.end; ++page)
            if (transfer.output.bytes_of(page).overlaps(part.bytes_of(page)))
                transfer.number(page) = kOverwritten;
    }
}

u64 HostTransfers::serial_of(u32 region, u32 page) const
{
    u64 serial = 0;
    for (const Transfer& transfer : transfers_)
        if (transfer.touches(region, page, page + 1) && is_fresh(transfer, page))
            serial = std::max(serial, transfer.serial);
    return serial;
}

bool HostTransfers::writes_all(u32 region, u32 page, PageBytes bytes) const
{
    return std::any_of(transfers_.begin(), transfers_.end(),
                       [&](const Transfer& transfer)
                       {
                           return transfer.touches(region, page, page + 1) && is_fresh(transfer, page) &&
                                  transfer.output.bytes_of(page).contains(bytes);
                       });
}

// The fresh bytes of pages [first, last), as long runs.
std::vector<HostTransfers::Run> HostTransfers::fresh_runs(const Transfer& transfer, u32 first, u32 last) const
{
    const Part& output = transfer.output;
    std::vector<Run> runs;
    for (u32 page = std::max(first, output.first_page()); page < std::min(last, output.last_page()); ++page)
    {
        if (!is_fresh(transfer, page))
            continue;
        const u64 start = u64{page} << MirrorLayout::kPageShift;
        const PageBytes bytes = output.bytes_of(page);
        if (runs.empty() || runs.back().end != start + bytes.begin)
            runs.push_back({start + bytes.begin, start + bytes.begin});
        runs.back().end = start + bytes.end;
    }
    return runs;
}

Status HostTransfers::wait(const Transfer& transfer)
{
    if (Status status = stream_.wait(transfer.serial); !status)
        return status;
    return memory_.invalidate(transfer.buffer);
}

void HostTransfers::convert(const Transfer& transfer, u8* output)
{
    ++conversions_;
    const Picture& picture = transfer.picture;
    const u32* words = reinterpret_cast<const u32*>(transfer.buffer.mapped);
    const std::ptrdiff_t pitch = picture.width;
    pica::transfer_picture(transfer.transfer,
                           picture.upwards ? pica::PictureRows{words + pitch * (picture.rows - 1), -pitch}
                                           : pica::PictureRows{words, pitch},
                           output);
}

// The bytes of the output from `begin` on, which is an offset in the region.
const u8* HostTransfers::converted(Transfer& transfer, u64 begin)
{
    if (transfer.bytes.empty())
    {
        transfer.bytes.resize(transfer.output.end - transfer.output.begin);
        convert(transfer, transfer.bytes.data());
    }
    return transfer.bytes.data() + (begin - transfer.output.begin);
}

Status HostTransfers::take(u32 region, u32 first, u32 last, const Place& place)
{
    for (Transfer& transfer : transfers_)
    {
        if (!transfer.touches(region, first, last))
            continue;
        const std::vector<Run> runs = fresh_runs(transfer, first, last);
        if (runs.empty())
            continue;
        if (Status status = wait(transfer); !status)
            return status;
        transfer.is_taken = true;
        if (Reader* const reader = find_reader(transfer.output))
            reader->unread = 0;
        const Part& output = transfer.output;
        if (runs[0].begin == output.begin && runs[0].end == output.end)
            convert(transfer, place(output.begin, output.end));
        else
            for (const Run& run : runs)
                std::memcpy(place(run.begin, run.end), converted(transfer, run.begin), run.end - run.begin);
    }
    return {};
}

Status HostTransfers::move(std::size_t index, const Upload& upload)
{
    Transfer& transfer = transfers_[index];
    const Part output = transfer.output;
    if (Status status = wait(transfer); !status)
        return status;
    for (const Run& run : fresh_runs(transfer, output.first_page(), output.last_page()))
        upload(run.begin, run.end, converted(transfer, run.begin));
    Reader& reader = reader_of(output);
    reader.is_host = false;
    reader.device_turns = kDeviceTurns;
    forget(index);
    return {};
}

Status HostTransfers::move(const Part& read, const Upload& upload)
{
    for (std::size_t i = 0; i < transfers_.size();)
    {
        const Transfer& transfer = transfers_[i];
        const Run pages = transfer.shared_pages(read);
        bool reads = false;
        for (u32 page = static_cast<u32>(pages.begin); page < pages.end && !reads; ++page)
            reads = transfer.output.bytes_of(page).overlaps(read.bytes_of(page)) && is_fresh(transfer, page);
        if (!reads)
            ++i;
        else if (Status status = move(i, upload); !status)
            return status;
    }
    return {};
}

Status HostTransfers::cut(const Part& write, const Upload& upload)
{
    for (std::size_t i = 0; i < transfers_.size();)
    {
        const Transfer& transfer = transfers_[i];
        bool cuts = false;
        for (const u32 page : {write.first_page(), write.last_page() - 1})
            if (transfer.touches(write.region, page, page + 1) && is_fresh(transfer, page))
            {
                const PageBytes own = transfer.output.bytes_of(page), other = write.bytes_of(page);
                cuts = cuts || (own.overlaps(other) && !other.contains(own));
            }
        if (!cuts)
            ++i;
        else if (Status status = move(i, upload); !status)
            return status;
    }
    return {};
}

void HostTransfers::forget(std::size_t index)
{
    Transfer& transfer = transfers_[index];
    if (!stream_.done(transfer.serial))
        stream_.retire(std::move(transfer.buffer));
    else if (unused_.size() < kMostUnused)
        unused_.push_back(std::move(transfer.buffer));
    transfers_.erase(transfers_.begin() + static_cast<std::ptrdiff_t>(index));
}

// Forgets the transfers whose output has been read by the CPU or overwritten. Where several were not read, the host has
// stopped reading, so a shader converts until the next read.
void HostTransfers::forget_stale()
{
    for (std::size_t i = 0; i < transfers_.size();)
    {
        if (!fresh_runs(transfers_[i], 0, ~u32{0}).empty())
        {
            ++i;
            continue;
        }
        Reader* const reader = find_reader(transfers_[i].output);
        if (reader != nullptr && !transfers_[i].is_taken)
            reader->is_host = ++reader->unread < kMostUnread;
        forget(i);
    }
}

} // namespace renderer
