// SPDX-License-Identifier: MIT
// Each operation has the same steps: begin to read the input, begin to write the output, record the work.
#include "renderer/residency/transfer.h"

#include "pica/texture/format.h"
#include "pica/upscale/scaled_engines.h"
#include "renderer/pipelines/fixed_pipelines.h"
#include "renderer/residency/device_planes.h"
#include "renderer/residency/guest_mirror.h"
#include "renderer/residency/render_targets.h"
#include "renderer/vulkan/debug.h"
#include "renderer/vulkan/stream.h"

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

// What a transfer writes.
template <typename Constants>
void describe_output(const pica::DisplayTransfer& transfer, const GuestMirror::Location& to,
                     Constants& constants)
{
    constants.output_region = to.region;
    constants.output_format = shader_format(transfer.output_format);
    constants.output_layout = !transfer.output_tiled() ? LAYOUT_LINEAR
                              : transfer.block32       ? LAYOUT_BLOCKS
                                                       : LAYOUT_TILES;
    constants.flip = transfer.flip_vertically;
    constants.scaling = static_cast<u32>(transfer.scaling);
    constants.output_word = static_cast<u32>(to.offset / 4);
    constants.output_width = transfer.written_width();
    constants.output_height = transfer.written_height();
    constants.groups = static_cast<u32>(u64{transfer.written_width()} * transfer.written_height() / 4);
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
    return parts_.device.report && !warming_up_ ? *parts_.device.report : silent_;
}

bool TransferEngine::in_mirror(pica::ByteRange range) const
{
    return range.size != 0 && range.size <= 0xFFFFFFFFu &&
           parts_.mirror.clamp_size(range.begin, size_of(range)) == range.size;
}

template <typename Operation>
void TransferEngine::execute_on_host(const Operation& operation, pica::ByteRange input,
                                     pica::ByteRange output)
{
    ++counters.on_host;
    if (parts_.planes != nullptr)
        return execute_scaled_on_host(operation, input, output);
    // The executor announces what it writes as if the device had nothing newer beside it.
    const Pages written = whole_pages(output.begin, output.size);
    for (const pica::ByteRange range : {input, pica::ByteRange{written.address, written.size}})
        if (Status status = parts_.residency.make_current(range.begin, range.size); !status)
        {
            parts_.device.fail(status.error().message);
            return;
        }
    pica::execute(parts_.guest, operation, report()); // also reports what is illegal
    parts_.residency.surfaces_are_stale(output.begin, output.size);
}

// The same at N times the resolution, with the host's planes.
template <typename Operation>
void TransferEngine::execute_scaled_on_host(const Operation& operation, pica::ByteRange input,
                                            pica::ByteRange output)
{
    for (const pica::ByteRange range : {input, output})
        if (Status status = parts_.residency.make_planes_current(range.begin, range.size); !status)
        {
            parts_.device.fail(status.error().message);
            return;
        }
    if (parts_.planes->may_evict(output.size))
        parts_.residency.prepare_for_eviction();
    pica::execute_scaled(parts_.planes->host(), operation, report());
    parts_.planes->host_wrote(output.begin, output.size);
    parts_.residency.surfaces_are_stale(output.begin, output.size);
}

// Does any byte of the range differ between planes, as far as the rules go? Such transfers and copies are the host's.
bool TransferEngine::any_planes(pica::ByteRange range) const
{
    return parts_.planes != nullptr && parts_.planes->tracker().any(range.begin, range.size);
}

// What was written on the device is the same in all planes.
void TransferEngine::wrote(pica::ByteRange range)
{
    if (parts_.planes != nullptr && !warming_up_)
        parts_.planes->wrote(range.begin, range.size);
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
    range.size = parts_.guest.clamp_size(range.begin, static_cast<u32>(range.size));
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

bool TransferEngine::warm_up(const pica::DisplayTransfer& transfer)
{
    warming_up_ = true;
    const bool recorded = transfer_on_device(transfer);
    warming_up_ = false;
    return recorded;
}

void TransferEngine::warm_up(const pica::MemoryFill& fill)
{
    const pica::ByteRange range = output_of(fill);
    if (!in_mirror(range) || ((range.begin | range.size) & 3) != 0)
        return; // the CPU does it
    const Residency::Write write =
        parts_.residency.begin_write(range.begin, range.size, Residency::Overwrites::All);
    fill_mirror({range.begin, size_of(range), fill.value, pattern_size(fill.width)});
}

bool TransferEngine::needs_shader(const pica::MemoryFill& fill)
{
    return pattern_size(fill.width) == 3;
}

bool TransferEngine::fill_on_device(const pica::MemoryFill& fill, pica::ByteRange range)
{
    if (!in_mirror(range) || ((range.begin | range.size) & 3) != 0)
        return false;
    pica::report_illegal(fill, parts_.guest, report());
    const LabelScope label(parts_.device, parts_.stream.cmd(), "memory fill %08X-%08X", range.begin,
                           range.begin + size_of(range));
    const FillPattern pattern{range.begin, size_of(range), fill.value, pattern_size(fill.width)};
    ++counters.on_device;
    if (parts_.targets.fill_surface(pattern))
    {
        wrote(range);
        return true;
    }
    {
        const Residency::Write write =
            parts_.residency.begin_write(range.begin, range.size, Residency::Overwrites::All);
        fill_mirror(pattern);
    }
    parts_.targets.filled(pattern);
    wrote(range);
    return true;
}

void TransferEngine::fill_mirror(const FillPattern& fill)
{
    const GuestMirror::Location at = parts_.mirror.locate(fill.address, fill.size);
    if (fill.bytes != 3)
    {
        const u32 word = fill.bytes == 2 ? (fill.value & 0xFFFF) * 0x10001u : fill.value;
        parts_.mirror.use(at.region, kTransferWrite);
        parts_.device.vk.vkCmdFillBuffer(parts_.stream.cmd(), at.buffer, at.offset, fill.size, word);
        return;
    }
    const u64 repeated = u64{fill.value & 0xFFFFFF} * 0x1000001u; // the pattern twice, 48 bits
    FillConstants constants;
    constants.region = at.region;
    constants.first_word = static_cast<u32>(at.offset / 4);
    constants.words = fill.size / 4;
    constants.pattern0 = static_cast<u32>(repeated);
    constants.pattern1 = static_cast<u32>(repeated >> 8);
    constants.pattern2 = static_cast<u32>(repeated >> 16);
    parts_.mirror.use_all(kComputeWrite);
    (void)parts_.pipelines.dispatch<FixedShader::Fill>(parts_.stream.cmd(), VK_NULL_HANDLE, constants,
                                                       constants.words);
}

void TransferEngine::display_transfer(const pica::DisplayTransfer& transfer)
{
    if (!transfer_on_device(transfer))
        on_host(transfer);
}

// The surface that holds exactly the picture that the transfer reads, so that it need not go through memory. Rows that
// are read beyond the picture's width continue in the tiles that follow, which only memory has.
Surface* TransferEngine::input_surface(const pica::DisplayTransfer& transfer) const
{
    if (!transfer.input_tiled() || transfer.block32 || transfer.read_width() > transfer.input_width)
        return nullptr;
    return parts_.targets.find_dirty_color(transfer.input_range().begin,
                                           static_cast<u8>(shader_format(transfer.input_format)),
                                           transfer.input_width, transfer.read_height());
}

// Can the shader convert it?
bool TransferEngine::is_convertible(const pica::DisplayTransfer& transfer) const
{
    const pica::ByteRange input = transfer.input_range(), output = transfer.output_range();
    if (!in_mirror(input) || !in_mirror(output) || overlap(input, output) || (output.begin & 3) != 0)
        return false;
    const u32 width = transfer.written_width(), height = transfer.written_height();
    const u32 unit = transfer.block32 ? 32 : 8;
    // The shader's quotients are exact below 2^20 pixels. It writes whole groups of four that are adjacent in output memory.
    // They lie in two rows at most.
    const u64 pixels = u64{width} * height;
    return pixels < 1u << 20 &&
           (transfer.output_tiled() ? (width | height) % unit == 0 : width >= 4 && (pixels & 3) == 0);
}

bool TransferEngine::transfer_on_device(const pica::DisplayTransfer& transfer)
{
    if (!is_convertible(transfer))
        return false;
    const pica::ByteRange input = transfer.input_range(), output = transfer.output_range();
    if (any_planes(input))
        return transfer_scaled(transfer);
    pica::report_illegal(transfer, parts_.guest, report());
    const LabelScope label(parts_.device, parts_.stream.cmd(), "display transfer %08X -> %08X", input.begin,
                           output.begin);
    Surface* surface = input_surface(transfer);
    if (!surface)
        parts_.residency.begin_read(input.begin, input.size);
    bool copied = false;
    {
        const Residency::Write write =
            parts_.residency.begin_write(output.begin, output.size, Residency::Overwrites::All);
        copied = surface && copy_for_host(transfer, *surface);
        if (!copied)
            convert(transfer, surface);
    }
    if (surface && !warming_up_)
        remember(transfer, copied);
    wrote(output);
    ++counters.on_device;
    return true;
}

// The input as a picture of N x pixels: the surface that holds it, or one that is made of memory. Null: the host does such
// transfers.
Surface* TransferEngine::scaled_input(const pica::DisplayTransfer& transfer)
{
    if (Surface* const surface = input_surface(transfer))
        return surface;
    pica::RenderTarget picture;
    picture.block32 = transfer.block32 ? 1 : 0;
    const u32 unit = picture.unit();
    const u32 height = (transfer.read_height() + unit - 1) / unit * unit;
    const u32 limit = parts_.device.properties.limits.maxImageDimension2D;
    if (!transfer.input_tiled() || transfer.read_width() > transfer.input_width ||
        transfer.input_width % unit != 0 ||
        std::max<u32>(transfer.input_width, height) * parts_.targets.scale() > limit)
        return nullptr;
    picture.color_address = transfer.input_range().begin;
    picture.width = transfer.input_width;
    picture.height = static_cast<u16>(height);
    picture.color_format = static_cast<pica::ColorFormat>(shader_format(transfer.input_format));
    const u32 bytes = picture.color_bytes();
    if ((picture.color_address & 3) != 0 || parts_.mirror.clamp_size(picture.color_address, bytes) != bytes)
        return nullptr;
    parts_.targets.make_room(picture, true, false, 0);
    return parts_.targets.acquire(picture, SurfaceKind::Color);
}

// A transfer of a picture that has planes, each of which is written.
bool TransferEngine::transfer_scaled(const pica::DisplayTransfer& transfer)
{
    const pica::ByteRange input = transfer.input_range(), output = transfer.output_range();
    if (parts_.planes->may_evict(output.size))
        return false;
    Surface* const surface = scaled_input(transfer);
    if (surface == nullptr)
        return false;
    pica::report_illegal(transfer, parts_.guest, report());
    DevicePlanes& planes = *parts_.planes;
    planes.tracker().touch(input.begin, input.size);
    planes.tracker().give(output.begin, output.size);
    const Residency::Write write =
        parts_.residency.begin_write(output.begin, output.size, Residency::Overwrites::All);
    const PlaneSet written = planes.begin_write(output.begin, output.size, true);
    if (!written)
        return true; // the device has failed
    parts_.targets.use_in_compute(*surface);
    parts_.mirror.use_all(kComputeWrite);
    const SurfaceTransferConstants constants = constants_of(transfer, *surface);
    (void)parts_.pipelines.dispatch_planes<FixedShader::TransferSurfacePlanes>(
        parts_.stream.cmd(), surface->set, written, constants, constants.groups);
    ++counters.on_device;
    return true;
}

SurfaceTransferConstants TransferEngine::constants_of(const pica::DisplayTransfer& transfer,
                                                      const Surface& surface) const
{
    const pica::ByteRange output = transfer.output_range();
    SurfaceTransferConstants constants;
    constants.input_flip = surface.key.flip;
    constants.input_format = surface.key.format;
    constants.input_scale = parts_.targets.scale();
    constants.input_height = surface.key.height;
    describe_output(transfer, parts_.mirror.locate(output.begin, size_of(output)), constants);
    return constants;
}

// Where the transfer writes, in the mirror.
MirrorLayout::Part TransferEngine::place_of(pica::ByteRange output) const
{
    const GuestMirror::Location at = parts_.mirror.locate(output.begin, size_of(output));
    return {at.region, at.offset, at.offset + output.size};
}

// Copies the input to the host's memory, for the CPU to convert. False: a shader must convert.
bool TransferEngine::copy_for_host(const pica::DisplayTransfer& transfer, Surface& surface)
{
    HostTransfers& host = parts_.mirror.host_transfers();
    if (warming_up_ || !parts_.device.features.is_cpu || parts_.planes != nullptr ||
        !host.is_for_host(place_of(transfer.output_range())))
        return false;
    const u32 columns = transfer.read_width(), rows = transfer.read_height();
    const bool upwards = surface.key.flip != 0;
    const Result<VkBuffer> buffer = host.begin({columns, rows, upwards});
    if (!buffer)
        parts_.device.fail(buffer.error().message);
    if (!buffer || *buffer == VK_NULL_HANDLE)
        return false;
    parts_.targets.use_in_copy(surface);
    const s32 top = static_cast<s32>(upwards ? surface.key.height - rows : 0);
    const VkBufferImageCopy copy{
        0, 0, 0, {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1}, {0, top, 0}, {columns, rows, 1}};
    parts_.device.vk.vkCmdCopyImageToBuffer(parts_.stream.cmd(), surface.image.image.get(),
                                            VK_IMAGE_LAYOUT_GENERAL, *buffer, 1, &copy);
    parts_.stream.host_will_read(VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT);
    return true;
}

// After the output has been claimed. copied: by copy_for_host.
void TransferEngine::remember(const pica::DisplayTransfer& transfer, bool copied)
{
    const MirrorLayout::Part output = place_of(transfer.output_range());
    std::vector<u32> numbers = parts_.mirror.page_numbers(output);
    must_submit_ |= copied;
    if (copied)
        parts_.mirror.host_transfers().add(transfer, output, std::move(numbers));
    else
        parts_.mirror.host_transfers().converted_on_device(output, numbers);
}

// Records the conversion. surface: holds the input; null: the mirror does.
void TransferEngine::convert(const pica::DisplayTransfer& transfer, Surface* surface)
{
    if (surface)
    {
        const SurfaceTransferConstants constants = constants_of(transfer, *surface);
        parts_.targets.use_in_compute(*surface);
        parts_.mirror.use_all(kComputeWrite);
        (void)parts_.pipelines.dispatch<FixedShader::TransferSurface>(parts_.stream.cmd(), surface->set,
                                                                      constants, constants.groups);
        return;
    }
    const pica::ByteRange input = transfer.input_range(), output = transfer.output_range();
    const GuestMirror::Location from = parts_.mirror.locate(input.begin, size_of(input));
    TransferConstants constants;
    constants.input_region = from.region;
    constants.input_format = shader_format(transfer.input_format);
    constants.input_layout = !transfer.input_tiled() ? LAYOUT_LINEAR
                             : transfer.block32      ? LAYOUT_BLOCKS
                                                     : LAYOUT_TILES;
    constants.input_byte = static_cast<u32>(from.offset);
    constants.input_width = transfer.input_width;
    describe_output(transfer, parts_.mirror.locate(output.begin, size_of(output)), constants);
    parts_.mirror.use_all(kComputeWrite);
    (void)parts_.pipelines.dispatch<FixedShader::DisplayTransfer>(parts_.stream.cmd(), VK_NULL_HANDLE,
                                                                  constants, constants.groups);
}

void TransferEngine::texture_copy(const pica::TextureCopy& copy)
{
    if (!copy_on_device(copy))
        on_host(copy);
}

// Lists the pieces of the copy between its gaps. False: there are too many.
bool TransferEngine::list_copies(const pica::TextureCopy& copy, VkDeviceSize read, VkDeviceSize write)
{
    copies_.clear();
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
    return true;
}

bool TransferEngine::copy_on_device(const pica::TextureCopy& copy)
{
    const pica::ByteRange input = copy.input_range(), output = copy.output_range();
    if (!in_mirror(input) || !in_mirror(output) || overlap(input, output) || any_planes(input) ||
        any_planes(output))
        return false;
    if (!list_copies(copy, parts_.mirror.locate(input.begin).offset,
                     parts_.mirror.locate(output.begin).offset))
        return false;
    pica::report_illegal(copy, parts_.guest, report());
    const LabelScope label(parts_.device, parts_.stream.cmd(), "texture copy %08X -> %08X", input.begin,
                           output.begin);

    parts_.residency.begin_read(input.begin, input.size);
    const auto overwrites = copy.output_gap != 0 ? Residency::Overwrites::Some : Residency::Overwrites::All;
    const Residency::Write scope = parts_.residency.begin_write(output.begin, output.size, overwrites);
    const GuestMirror::Location from = parts_.mirror.locate(input.begin, size_of(input));
    const GuestMirror::Location to = parts_.mirror.locate(output.begin, size_of(output));
    if (from.region != to.region)
        parts_.mirror.use(from.region, kTransferRead);
    parts_.mirror.use(to.region, from.region == to.region ? kTransferBoth : kTransferWrite);
    parts_.device.vk.vkCmdCopyBuffer(parts_.stream.cmd(), from.buffer, to.buffer,
                                     static_cast<u32>(copies_.size()), copies_.data());
    ++counters.on_device;
    return true;
}

} // namespace renderer
