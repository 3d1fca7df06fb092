// SPDX-License-Identifier: MIT
// HostTransfers: display transfers of rendered pictures whose last step the CPU does. The device copies the picture to the
// host's memory. The CPU converts it when it reads the output, or before the device reads it. Until then the mirror
// (guest_mirror.h) lacks these bytes of the output, which count as the device's.
//
// Where the device is a CPU, this is cheaper than a shader that converts and a copy of what it wrote. It pays where the CPU
// reads the output before the device does, so HostTransfers remembers who reads what is written to an address. Not
// thread-safe. Tests: tests/renderer/host_transfers_test.cpp, conformance.host_transfers.
#pragma once

#include "pica/transfer/display_transfer.h"
#include "renderer/residency/mirror_layout.h"
#include "renderer/vulkan/memory.h"
#include "renderer/vulkan/stream.h"

#include <algorithm>
#include <functional>
#include <span>
#include <vector>

namespace renderer
{

class HostTransfers
{
public:
    using Part = MirrorLayout::Part;
    // Has the page had newer bytes of the device ever since it had this number (GuestMirror), and do they still count?
    using IsFresh = std::function<bool(u32 region, u32 page, u32 number)>;
    HostTransfers(Memory& memory, Stream& stream, IsFresh is_fresh)
        : memory_(memory), stream_(stream), is_fresh_(std::move(is_fresh))
    {
    }

    // Has the CPU been the first to read what was written to these bytes?
    bool is_for_host(const Part& output);
    // A shader has converted to these bytes. numbers: of the output's pages, which have been claimed.
    void converted_on_device(const Part& output, std::span<const u32> numbers);
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
    // The copy to that buffer has been recorded. numbers: as above. The copy must be submitted before draws are collected:
    // who needs its bytes would submit it, and with it what is collected only in part.
    void add(const pica::DisplayTransfer& transfer, const Part& output, std::vector<u32> numbers);
    // Other commands of the device write these bytes: in each page all that a transfer has, or none (cut).
    void overwritten(const Part& part);

    // The last submission after which fresh bytes of the page can be converted; 0: there are none.
    u64 serial_of(u32 region, u32 page) const;
    // Does one transfer write all of these bytes of the page, and are they fresh?
    bool writes_all(u32 region, u32 page, PageBytes bytes) const;
    // Converts the fresh bytes of pages [first, last), and waits for the device if there are any. `place` says where bytes
    // [begin, end) of the region go to. An error: the device failed.
    using Place = std::function<u8*(u64 begin, u64 end)>;
    Status take(u32 region, u32 first, u32 last, const Place& place);
    // Gives all fresh bytes of those transfers to `upload` that write some of these bytes, and forgets these transfers. Waits
    // for the device if there are any. An error as above.
    using Upload = std::function<void(u64 begin, u64 end, const u8* bytes)>;
    Status move(const Part& read, const Upload& upload);
    // The same for transfers that have some bytes of a page which a write to these bytes would overwrite, and others.
    Status cut(const Part& write, const Upload& upload);

    // How many transfers the CPU has converted.
    u64 conversions() const { return conversions_; }

private:
    // Bytes or pages of a region, from the first one to behind the last one.
    struct Run
    {
        u64 begin = 0, end = 0;
    };
    struct Transfer
    {
        pica::DisplayTransfer transfer;
        Part output;
        std::vector<u32> numbers; // of the output's pages; kOverwritten: its bytes of the page count no more
        u64 serial = 0;           // of the submission that copies the picture
        Picture picture;
        Buffer buffer;
        std::vector<u8> bytes; // of the output, once they have been needed in parts
        bool is_taken = false; // the CPU has read some

        bool touches(u32 region, u32 first, u32 last) const
        {
            return output.region == region && output.first_page() < last && first < output.last_page();
        }
        // Those of the part, too.
        Run shared_pages(const Part& part) const
        {
            if (!touches(part.region, part.first_page(), part.last_page()))
                return {};
            return {std::max(part.first_page(), output.first_page()),
                    std::min(part.last_page(), output.last_page())};
        }
        u32& number(u32 page) { return numbers[page - output.first_page()]; }
        u32 number(u32 page) const { return numbers[page - output.first_page()]; }
    };
    // Who reads what is written to these bytes.
    struct Reader
    {
        Part output;
        u32 number = 0; // of its telling page when a shader wrote last
        bool is_host = false;
        u32 device_turns = 0; // for so many transfers more a shader converts
        u32 unread = 0;       // transfers that waited for the CPU, since it has read one
    };
    static constexpr u32 kOverwritten = ~u32{0};
    Reader* find_reader(const Part& output);
    Reader& reader_of(const Part& output);
    bool is_fresh(const Transfer& transfer, u32 page) const
    {
        return transfer.number(page) != kOverwritten &&
               is_fresh_(transfer.output.region, page, transfer.number(page));
    }
    Status move(std::size_t index, const Upload& upload);
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
