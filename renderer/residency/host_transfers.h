// SPDX-License-Identifier: MIT
// HostTransfers: display transfers of rendered pictures whose last step the CPU does. The device copies the picture to the
// host's memory. The CPU converts it when it reads the output, or before the device reads it. Until then the mirror
// (guest_mirror.h) lacks these bytes of the output, which count as the device's.
//
// Where the device is a CPU, this is cheaper than a shader that converts and a copy of what it wrote. It pays where the CPU
// reads the output before the device does, so HostTransfers remembers who reads what is written to an address. Not
// thread-safe. Tests: tests/renderer/host_transfers_test.cpp.
#pragma once

#include "pica/transfer/display_transfer.h"
#include "renderer/residency/mirror_layout.h"
#include "renderer/vulkan/memory.h"
#include "renderer/vulkan/stream.h"

#include <functional>
#include <vector>

namespace renderer
{

class HostTransfers
{
public:
    using Part = MirrorLayout::Part;
    // Does what the device wrote to the page in this generation still count, and is it newer than guest memory?
    using IsFresh = std::function<bool(u32 region, u32 page, u64 generation)>;
    HostTransfers(Memory& memory, Stream& stream, IsFresh is_fresh)
        : memory_(memory), stream_(stream), is_fresh_(std::move(is_fresh))
    {
    }

    // Has the CPU been the first to read what was written to these bytes?
    bool is_for_host(const Part& output) const;
    // A shader has converted to these bytes, whose pages are of this generation now.
    void converted_on_device(const Part& output, u64 generation);
    // The CPU is about to read newer bytes of pages [first, last) from the device.
    void host_reads(u32 region, u32 first, u32 last);

    // The input of a transfer, as it is copied from a colour image: words of RGBA8, red in the low byte. The rows that the
    // transfer reads follow on from each other, with `upwards` from the last one to the first one.
    struct Picture
    {
        u32 width = 0, rows = 0;
        bool upwards = false;
    };
    // A buffer for the copy of a picture. Null: too many wait, or there is no memory; then a shader converts. An error: the
    // device failed.
    Result<VkBuffer> begin(const Picture& picture);
    // The copy to that buffer has been recorded. generation: of the pages of the output, which have been claimed.
    void add(const pica::DisplayTransfer& transfer, const Part& output, u64 generation);

    // Does a transfer have fresh bytes of the page?
    bool touches(u32 region, u32 page) const;
    // The submission after which these bytes of the page can be converted, if one transfer writes all of them and they are
    // fresh. 0: none does.
    u64 serial_of(u32 region, u32 page, PageBytes bytes) const;
    // Converts the fresh bytes of pages [first, last), and waits for the device if there are any. `place` says where bytes
    // [begin, end) of the region go to. An error: the device failed.
    using Place = std::function<u8*(u64 begin, u64 end)>;
    Status take(u32 region, u32 first, u32 last, const Place& place);
    // Gives all fresh bytes of those transfers to `upload` that touch pages [first, last), and forgets these transfers.
    // Waits for the device if there are any. An error as above.
    using Upload = std::function<void(u64 begin, u64 end, const u8* bytes)>;
    Status move(u32 region, u32 first, u32 last, const Upload& upload);

    // How many transfers the CPU has converted.
    u64 conversions() const { return conversions_; }

private:
    struct Transfer
    {
        pica::DisplayTransfer transfer;
        Part output;
        u64 generation = 0;
        u64 serial = 0; // of the submission that copies the picture
        Picture picture;
        Buffer buffer;
        std::vector<u8> bytes; // of the output, once they have been needed in parts

        bool touches(u32 region, u32 first, u32 last) const
        {
            return output.region == region && output.first_page() < last && first < output.last_page();
        }
    };
    // Who reads what is written to these bytes.
    struct Reader
    {
        Part output;
        u64 generation = 0; // in which a shader wrote last
        bool is_host = false;
        u32 device_turns = 0; // for so many transfers more a shader converts
    };
    // Bytes of a region.
    struct Run
    {
        u64 begin = 0, end = 0;
    };
    Reader& reader_of(const Part& output);
    std::vector<Run> fresh_runs(const Transfer& transfer, u32 first, u32 last) const;
    Status wait(const Transfer& transfer);
    void convert(const Transfer& transfer, u8* output);
    const u8* converted(Transfer& transfer, u64 begin);
    void forget(std::size_t index);
    void forget_stale();

    Memory& memory_;
    Stream& stream_;
    const IsFresh is_fresh_;
    std::vector<Transfer> transfers_; // oldest first
    std::vector<Reader> readers_;     // oldest first
    Transfer next_;                   // between begin() and add()
    u64 conversions_ = 0;
    std::vector<Buffer> unused_; // of which the device has no use any more
};

} // namespace renderer
