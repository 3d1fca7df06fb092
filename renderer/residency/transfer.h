// SPDX-License-Identifier: MIT
// TransferEngine: memory fill, display transfer and texture copy on the device, without waiting for it. What
// the device does not cover (ranges that leave memory, overlaps, odd alignments) runs on the CPU through
// pica/transfer, which defines the result in every case. pica/hardware/engines.md. Tests:
// tests/renderer/transfer_test.cpp.
#pragma once

#include "pica/transfer/display_transfer.h"
#include "pica/transfer/engine_range.h"
#include "pica/transfer/fill.h"
#include "pica/transfer/texture_copy.h"
#include "renderer/pipelines/fixed_constants.h"
#include "renderer/residency/mirror_layout.h"
#include "renderer/residency/residency.h"

#include <utility>

namespace renderer
{

class DevicePlanes;
class FixedPipelines;
class GuestMirror;
class RenderTargets;
class Stream;
struct FillPattern;
struct Surface;

// The number of a pixel format in shaders. Colour buffers number 5551 and 565 the other way round than
// transfers; shaders use the numbers of colour buffers.
u32 shader_format(pica::PixelFormat format);

// Collected draws must have been flushed before each call. Host failures are kept in Device::status.
class TransferEngine
{
public:
    struct Parts
    {
        Device& device;
        Stream& stream;
        FixedPipelines& pipelines;
        GuestMirror& mirror;
        RenderTargets& targets;
        Residency& residency;
        pica::GuestMemory& guest;
        DevicePlanes* planes = nullptr; // above 1x only
    };
    explicit TransferEngine(const Parts& parts) : parts_(parts) {}

    // Records the operation on the device, or executes it on the CPU as on_host. Does not submit in the first
    // case. Reports what is illegal.
    void memory_fill(const pica::MemoryFill& fill);
    void display_transfer(const pica::DisplayTransfer& transfer);
    void texture_copy(const pica::TextureCopy& copy);
    // Must a display transfer since the last call be submitted before draws are collected (HostTransfers::add)?
    bool take_must_submit() { return std::exchange(must_submit_, false); }

    // Executes the operation on the CPU. First reads newer bytes of both ranges back, which submits and waits
    // if there are any.
    void on_host(const pica::MemoryFill& fill);
    void on_host(const pica::DisplayTransfer& transfer);
    void on_host(const pica::TextureCopy& copy);
    // Records the transfer on the device if it can be done there. Makes no reports. For warm-ups, whose
    // results are thrown away.
    // False: the CPU does such transfers.
    bool warm_up(const pica::DisplayTransfer& transfer);
    void warm_up(const pica::MemoryFill& fill); // fills memory, not surfaces
    // Is it done by a shader where it is done in memory? Others need a command only.
    static bool needs_shader(const pica::MemoryFill& fill);

    struct Counters
    {
        u64 on_device = 0, on_host = 0;
    };
    Counters counters;

private:
    // Reads both ranges back into guest memory first.
    template <typename Operation>
    void execute_on_host(const Operation& operation, pica::ByteRange input, pica::ByteRange output);
    pica::ByteRange output_of(const pica::MemoryFill& fill) const;
    bool fill_on_device(const pica::MemoryFill& fill, pica::ByteRange range);
    void fill_mirror(const FillPattern& fill);
    Surface* input_surface(const pica::DisplayTransfer& transfer) const;
    void convert(const pica::DisplayTransfer& transfer, Surface* surface);
    MirrorLayout::Part place_of(pica::ByteRange output) const;
    bool copy_for_host(const pica::DisplayTransfer& transfer, Surface& surface);
    void remember(const pica::DisplayTransfer& transfer, bool copied);
    bool is_convertible(const pica::DisplayTransfer& transfer) const;
    Surface* scaled_input(const pica::DisplayTransfer& transfer);
    bool transfer_scaled(const pica::DisplayTransfer& transfer);
    SurfaceTransferConstants constants_of(const pica::DisplayTransfer& transfer,
                                          const Surface& surface) const;
    bool list_copies(const pica::TextureCopy& copy, VkDeviceSize read, VkDeviceSize write);
    bool transfer_on_device(const pica::DisplayTransfer& transfer);
    bool copy_on_device(const pica::TextureCopy& copy);
    bool in_mirror(pica::ByteRange range) const;
    bool any_planes(pica::ByteRange range) const;
    void wrote(pica::ByteRange range);
    template <typename Operation>
    void execute_scaled_on_host(const Operation& operation, pica::ByteRange input, pica::ByteRange output);
    pica::Report& report();

    Parts parts_;
    std::vector<VkBufferCopy> copies_;
    pica::OnceReport silent_{nullptr};
    bool warming_up_ = false;
    bool must_submit_ = false;
};

} // namespace renderer
