// SPDX-License-Identifier: MIT
// Each operation has the same steps: make the input current in the mirror; keep the bytes of pages that the
// output covers only partly; record the work; mark the output as newest in mirror and surfaces.
#include "renderer/residency/transfer.h"

#include "pica/texture/format.h"
#include "renderer/residency/readback.h"
#include "renderer/vulkan/debug.h"

#include <algorithm>

namespace renderer
{

namespace
{

constexpr std::size_t kMostCopies = 8192; // pieces of a texture copy with gaps; with more, the CPU copies
constexpr Access kTransferBoth{VK_PIPELINE_STAGE_TRANSFER_BIT,
                               VK_ACCESS_TRANSFER_READ_BIT | VK_ACCESS_TRANSFER_WRITE_BIT, true};

u32 size_of(pica::ByteRange range)
{
    return static_cast<u32>(range.size);
}

u32 pattern_size(pica::FillWidth width)
{
    switch (width)
    {
    case pica::FillWidth::Bits16:
        return 2;
    case pica::FillWidth::Bits32:
        return 4;
    default:
        return 3;
    }
}

} // namespace

u32 shader_format(pica::PixelFormat format)
{
    switch (format)
    {
    case pica::PixelFormat::RGBA8:
        return 0;
    case pica::PixelFormat::RGB8:
        return 1;
    case pica::PixelFormat::RGB5A1:
        return 2;
    case pica::PixelFormat::RGB565:
        return 3;
    default:
        return 4;
    }
}

pica::Report& TransferEngine::report()
{
    return device_.report && !warming_up_ ? *device_.report : silent_;
}

bool TransferEngine::in_mirror(pica::ByteRange range) const
{
    return range.size != 0 && range.size <= 0xFFFFFFFFu &&
           mirror_.clamp_size(range.begin, size_of(range)) == range.size;
}

template <typename Operation>
void TransferEngine::execute_on_host(const Operation& operation, pica::ByteRange input,
                                     pica::ByteRange output)
{
    ++counters.on_host;
    for (const pica::ByteRange range : {input, output})
        if (Status status = bring_to_memory(targets_, mirror_, range.begin, range.size); !status)
        {
            device_.fail(status.error().message);
            return;
        }
    pica::execute(guest_, operation, report()); // also reports what is illegal
    targets_.invalidate(output.begin, output.size);
}

void TransferEngine::memory_fill(const pica::MemoryFill& fill)
{
    if (!fill_on_device(fill, output_of(fill)))
        on_host(fill);
}

// A fill stops at the end of its region.
pica::ByteRange TransferEngine::output_of(const pica::MemoryFill& fill) const
{
    pica::ByteRange range = fill.output_range();
    range.size = guest_.clamp_size(range.begin, static_cast<u32>(range.size));
    return range;
}

void TransferEngine::on_host(const pica::MemoryFill& fill)
{
    execute_on_host(fill, {}, output_of(fill));
}

void TransferEngine::on_host(const pica::DisplayTransfer& transfer)
{
    execute_on_host(transfer, transfer.input_range(), transfer.output_range());
}

void TransferEngine::on_host(const pica::TextureCopy& copy)
{
    execute_on_host(copy, copy.input_range(), copy.output_range());
}

void TransferEngine::warm_up(const pica::DisplayTransfer& transfer)
{
    warming_up_ = true;
    (void)transfer_on_device(transfer);
    warming_up_ = false;
}

bool TransferEngine::fill_on_device(const pica::MemoryFill& fill, pica::ByteRange range)
{
    if (!in_mirror(range) || ((range.begin | range.size) & 3) != 0)
        return false;
    pica::report_illegal(fill, guest_, report());
    const LabelScope label(device_, stream_.cmd(), "memory fill %08X-%08X", range.begin,
                           range.begin + size_of(range));
    const GuestMirror::Location at = mirror_.locate(range.begin, size_of(range));
    const u32 pattern = pattern_size(fill.width);
    targets_.store_cut(range.begin, size_of(range));
    ++counters.on_device;
    if (targets_.fill_surface(range.begin, size_of(range), fill.value, pattern))
        return true;
    mirror_.prepare_write(range.begin, size_of(range));
    if (pattern == 3)
    {
        const u64 repeated = u64{fill.value & 0xFFFFFF} * 0x1000001u; // the pattern twice, 48 bits
        FixedConstants constants{};
        constants[0] = at.region;
        constants[1] = static_cast<u32>(at.offset / 4);
        constants[2] = size_of(range) / 4;
        constants[3] = static_cast<u32>(repeated);
        constants[4] = static_cast<u32>(repeated >> 8);
        constants[5] = static_cast<u32>(repeated >> 16);
        mirror_.use_all(kComputeWrite);
        if (!pipelines_.dispatch(stream_.cmd(), FixedShader::Fill, VK_NULL_HANDLE, constants, constants[2]))
            return true; // the device has failed; the CPU could not do better
    }
    else
    {
        const u32 word = pattern == 2 ? (fill.value & 0xFFFF) * 0x10001u : fill.value;
        mirror_.use(at.region, kTransferWrite);
        device_.vk.vkCmdFillBuffer(stream_.cmd(), at.buffer, at.offset, range.size, word);
    }
    mirror_.gpu_wrote(range.begin, size_of(range));
    targets_.filled(range.begin, size_of(range), fill.value, pattern);
    return true;
}

void TransferEngine::display_transfer(const pica::DisplayTransfer& transfer)
{
    if (!transfer_on_device(transfer))
        on_host(transfer);
}

bool TransferEngine::transfer_on_device(const pica::DisplayTransfer& transfer)
{
    const pica::ByteRange input = transfer.input_range(), output = transfer.output_range();
    if (!in_mirror(input) || !in_mirror(output) || overlap(input, output) || (output.begin & 3) != 0)
        return false;
    const u32 width = transfer.written_width(), height = transfer.written_height();
    const u32 unit = transfer.block32 ? 32 : 8;
    // The shader writes whole groups of four pixels that are adjacent in output memory.
    if (transfer.output_tiled() ? (width | height) % unit != 0 : (u64{width} * height & 3) != 0)
        return false;
    pica::report_illegal(transfer, guest_, report());
    const LabelScope label(device_, stream_.cmd(), "display transfer %08X -> %08X", input.begin,
                           output.begin);

    // The input may be read directly from a surface that holds exactly that picture. Rows that are read
    // beyond the picture's width continue in the tiles that follow, which only memory has.
    const u32 columns = transfer.scaling == pica::TransferScaling::None ? width : width * 2;
    const u32 rows = transfer.scaling == pica::TransferScaling::HalveXY ? height * 2 : height;
    Surface* surface =
        transfer.input_tiled() && !transfer.block32 && columns <= transfer.input_width
            ? targets_.find_dirty_color(input.begin, static_cast<u8>(shader_format(transfer.input_format)),
                                        transfer.input_width, rows)
            : nullptr;
    if (!surface)
    {
        targets_.store(input.begin, size_of(input));
        mirror_.require(input.begin, size_of(input));
    }
    targets_.store_cut(output.begin, size_of(output));
    mirror_.prepare_write(output.begin, size_of(output));
    const GuestMirror::Location from = mirror_.locate(input.begin, size_of(input));
    const GuestMirror::Location to = mirror_.locate(output.begin, size_of(output));
    const u32 tiled = transfer.block32 ? 2 : 1;
    FixedConstants constants{};
    constants[0] = from.region;
    constants[1] = static_cast<u32>(from.offset);
    constants[2] = transfer.input_width;
    constants[3] = shader_format(transfer.input_format);
    constants[4] = transfer.input_tiled() ? tiled : 0;
    constants[5] = to.region;
    constants[6] = static_cast<u32>(to.offset / 4);
    constants[7] = width;
    constants[8] = height;
    constants[9] = shader_format(transfer.output_format);
    constants[10] = transfer.output_tiled() ? tiled : 0;
    constants[11] = transfer.flip_vertically;
    constants[12] = static_cast<u32>(transfer.scaling);
    constants[13] = static_cast<u32>(u64{width} * height / 4);
    if (surface)
    {
        constants[0] = surface->key.flip;
        constants[1] = surface->key.height;
        constants[4] = targets_.scale();
        targets_.use_in_compute(*surface);
    }
    mirror_.use_all(kComputeWrite);
    if (!pipelines_.dispatch(
            stream_.cmd(), surface ? FixedShader::TransferSurface : FixedShader::DisplayTransfer,
            surface ? surface->set : VkDescriptorSet{VK_NULL_HANDLE}, constants, constants[13]))
        return true;
    mirror_.gpu_wrote(output.begin, size_of(output));
    targets_.invalidate(output.begin, size_of(output));
    ++counters.on_device;
    return true;
}

void TransferEngine::texture_copy(const pica::TextureCopy& copy)
{
    if (!copy_on_device(copy))
        on_host(copy);
}

bool TransferEngine::copy_on_device(const pica::TextureCopy& copy)
{
    const pica::ByteRange input = copy.input_range(), output = copy.output_range();
    if (!in_mirror(input) || !in_mirror(output) || overlap(input, output))
        return false;
    const GuestMirror::Location from = mirror_.locate(input.begin, size_of(input));
    const GuestMirror::Location to = mirror_.locate(output.begin, size_of(output));
    copies_.clear();
    VkDeviceSize read = from.offset, write = to.offset;
    u32 in_left = copy.input_width, out_left = copy.output_width;
    for (u32 left = copy.size; left != 0;)
    {
        const u32 bytes = std::min({left, in_left, out_left});
        if (copies_.size() == kMostCopies)
            return false;
        copies_.push_back({read, write, bytes});
        left -= bytes;
        read += bytes;
        write += bytes;
        if ((in_left -= bytes) == 0)
        {
            in_left = copy.input_width;
            read += copy.input_gap;
        }
        if ((out_left -= bytes) == 0)
        {
            out_left = copy.output_width;
            write += copy.output_gap;
        }
    }
    pica::report_illegal(copy, guest_, report());
    const LabelScope label(device_, stream_.cmd(), "texture copy %08X -> %08X", input.begin, output.begin);

    targets_.store(input.begin, size_of(input));
    mirror_.require(input.begin, size_of(input));
    if (copy.output_gap != 0)
    {
        // The bytes between the pieces must survive.
        targets_.store(output.begin, size_of(output));
        mirror_.require(output.begin, size_of(output));
    }
    else
    {
        targets_.store_cut(output.begin, size_of(output));
        mirror_.prepare_write(output.begin, size_of(output));
    }
    if (from.region != to.region)
        mirror_.use(from.region, kTransferRead);
    mirror_.use(to.region, from.region == to.region ? kTransferBoth : kTransferWrite);
    device_.vk.vkCmdCopyBuffer(stream_.cmd(), from.buffer, to.buffer, static_cast<u32>(copies_.size()),
                               copies_.data());
    mirror_.gpu_wrote(output.begin, size_of(output));
    targets_.invalidate(output.begin, size_of(output));
    ++counters.on_device;
    return true;
}

} // namespace renderer
