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
        return FORMAT_RGBA8;
    case pica::PixelFormat::RGB8:
        return FORMAT_RGB8;
    case pica::PixelFormat::RGB5A1:
        return FORMAT_RGB5A1;
    case pica::PixelFormat::RGB565:
        return FORMAT_RGB565;
    default:
        return FORMAT_RGBA4;
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
        FillConstants constants;
        constants.region = at.region;
        constants.first_word = static_cast<u32>(at.offset / 4);
        constants.words = size_of(range) / 4;
        constants.pattern0 = static_cast<u32>(repeated);
        constants.pattern1 = static_cast<u32>(repeated >> 8);
        constants.pattern2 = static_cast<u32>(repeated >> 16);
        mirror_.use_all(kComputeWrite);
        if (!pipelines_.dispatch<FixedShader::Fill>(stream_.cmd(), VK_NULL_HANDLE, constants,
                                                    constants.words))
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
    const GuestMirror::Location to = mirror_.locate(output.begin, size_of(output));
    const u32 tiled = transfer.block32 ? LAYOUT_BLOCKS : LAYOUT_TILES;
    const auto describe_output = [&](auto& constants)
    {
        constants.output_region = to.region;
        constants.output_format = shader_format(transfer.output_format);
        constants.output_layout = transfer.output_tiled() ? tiled : LAYOUT_LINEAR;
        constants.flip = transfer.flip_vertically;
        constants.scaling = static_cast<u32>(transfer.scaling);
        constants.output_word = static_cast<u32>(to.offset / 4);
        constants.output_width = width;
        constants.output_height = height;
        constants.groups = static_cast<u32>(u64{width} * height / 4);
    };
    Status done;
    if (surface)
    {
        SurfaceTransferConstants constants;
        constants.input_flip = surface->key.flip;
        constants.input_format = surface->key.format;
        constants.input_scale = targets_.scale();
        constants.input_height = surface->key.height;
        describe_output(constants);
        targets_.use_in_compute(*surface);
        mirror_.use_all(kComputeWrite);
        done = pipelines_.dispatch<FixedShader::TransferSurface>(stream_.cmd(), surface->set, constants,
                                                                 constants.groups);
    }
    else
    {
        const GuestMirror::Location from = mirror_.locate(input.begin, size_of(input));
        TransferConstants constants;
        constants.input_region = from.region;
        constants.input_format = shader_format(transfer.input_format);
        constants.input_layout = transfer.input_tiled() ? tiled : LAYOUT_LINEAR;
        constants.input_byte = static_cast<u32>(from.offset);
        constants.input_width = transfer.input_width;
        describe_output(constants);
        mirror_.use_all(kComputeWrite);
        done = pipelines_.dispatch<FixedShader::DisplayTransfer>(stream_.cmd(), VK_NULL_HANDLE, constants,
                                                                 constants.groups);
    }
    if (!done)
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
