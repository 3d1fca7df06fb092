// SPDX-License-Identifier: MIT
#include "tests/support/suite/conformance.h"

#include "pica/command/snapshot.h"
#include "pica/command/snapshot_fields.h"
#include "pica/command/state_rules.h"
#include "renderer/backend/compare_planes.h"
#include "tests/support/device/raster_order.h"
#include "tests/support/device/validation.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

namespace tests
{

namespace
{

constexpr u32 kPictureBytes = 0x10000; // at the end of the memory for lists, which are shorter

std::span<u8> bytes_of(std::vector<u64>& words)
{
    return {reinterpret_cast<u8*>(words.data()), words.size() * 8};
}

// VRAM, FCRAM, and then the others.
std::vector<std::vector<u64>> make_bytes(u32 vram_bytes, std::span<const MemoryRange> more_regions)
{
    std::vector<std::vector<u64>> bytes = {std::vector<u64>(vram_bytes / 8),
                                           std::vector<u64>(ConformanceMachine::kFcramBytes / 8)};
    for (const MemoryRange& region : more_regions)
        bytes.emplace_back(region.size / 8);
    return bytes;
}

std::vector<MemoryRegion> make_regions(std::vector<std::vector<u64>>& bytes,
                                       std::span<const MemoryRange> more_regions)
{
    std::vector<MemoryRegion> regions = {{kVramBase, bytes_of(bytes[0])}, {kFcramBase, bytes_of(bytes[1])}};
    for (const MemoryRange& region : more_regions)
        regions.push_back({region.base, bytes_of(bytes[regions.size()])});
    return regions;
}

renderer::UbershaderChoice choice_of(Shaders shaders)
{
    switch (shaders)
    {
    case Shaders::Ubershader:
        return renderer::UbershaderChoice::Always;
    case Shaders::Specialised:
        return renderer::UbershaderChoice::Never;
    case Shaders::UbershaderFirst:
    case Shaders::SoftwareFirst:
        return renderer::UbershaderChoice::First;
    case Shaders::Mixed:
        break;
    }
    return renderer::UbershaderChoice::Mixed;
}

} // namespace

const char* name_of(Shaders shaders)
{
    switch (shaders)
    {
    case Shaders::Ubershader:
        return "ubershader";
    case Shaders::Mixed:
        return "mixed";
    case Shaders::UbershaderFirst:
        return "ubershader first";
    case Shaders::SoftwareFirst:
        return "software first";
    case Shaders::Specialised:
        break;
    }
    return "specialised";
}

// Random state is mostly odd: what the guest is told about it is of no interest here.
class ConformanceMachine::KindReport final : public Report
{
public:
    void report(ReportKind, std::string_view, std::string_view) override {}
};

// Looks at what each operation did to the software core's memory, which is current at all times.
class ConformanceMachine::Observer final : public Backend
{
public:
    explicit Observer(ConformanceMachine& machine) : machine_(machine) {}

    std::string_view name() const override { return "observer"; }
    GuestMemory& memory() override { return machine_.software_memory_.memory; }
    void draw(const Draw& draw) override
    {
        // Each operation is compared, so nothing is drawn once the cores differ.
        const RenderTarget& target = draw.target;
        keep(0, target.color_address, target.color_bytes());
        keep(1, target.depth_address, target.depth_bytes());
        // Draws whose buffers do not exist are none.
        const bool checks = machine_.reference_ && machine_.reference_difference_.empty() && machine_.gpu_ &&
                            !range(0).empty() && !machine_.lockstep_->difference();
        if (checks)
            machine_.reference_->draw(draw, machine_.gpu_->processor().registers());
        if (machine_.pictures_)
            machine_.pictures_->before(draw);
        machine_.lockstep_->draw(draw);
        if (checks)
        {
            machine_.reference_difference_ = machine_.reference_->difference(draw);
            ++machine_.reference_draws_;
        }
        if (machine_.exchanges_carryover_ && draw.serial * 0x9E3779B9u % 4 == 0)
            exchange_carryover();
        const bool effective = differs(0) || differs(1);
        machine_.coverage_.see(draw, effective);
        if (machine_.gpu_)
            machine_.coverage_.see(machine_.gpu_->processor().registers(), machine_.fields_, effective);
        machine_.changed_ |= effective;
        ++machine_.draws_;
    }
    void memory_fill(const MemoryFill& fill) override
    {
        keep(fill.output_range());
        machine_.lockstep_->memory_fill(fill);
        saw_engine(fill);
    }
    void display_transfer(const DisplayTransfer& transfer) override
    {
        keep(transfer.output_range());
        machine_.lockstep_->display_transfer(transfer);
        saw_engine(transfer);
    }
    void texture_copy(const TextureCopy& copy) override
    {
        keep(copy.output_range());
        machine_.lockstep_->texture_copy(copy);
        saw_engine(copy);
    }
    void will_read(PhysAddr address, u32 size) override { machine_.lockstep_->will_read(address, size); }
    void will_write(PhysAddr address, u32 size) override { machine_.lockstep_->will_write(address, size); }
    void did_write(PhysAddr address, u32 size) override { machine_.lockstep_->did_write(address, size); }
    void may_have_written(PhysAddr address, u32 size) override
    {
        machine_.lockstep_->may_have_written(address, size);
    }
    void processor_returns() override { machine_.lockstep_->processor_returns(); }
    void flush() override { machine_.lockstep_->flush(); }
    void end_frame() override { machine_.lockstep_->end_frame(); }
    u64 covered_pixels(const Draw& draw) override { return machine_.lockstep_->covered_pixels(draw); }
    Carryover save_carryover() override { return machine_.lockstep_->save_carryover(); }
    void load_carryover(const Carryover& carryover) override
    {
        machine_.lockstep_->load_carryover(carryover);
    }

private:
    void exchange_carryover()
    {
        GpuState software, vulkan, read;
        software.carryover = machine_.software_->save_carryover();
        vulkan.carryover = machine_.vulkan_->save_carryover();
        for (const SnapshotSection section : {SnapshotSection::Primitive, SnapshotSection::CarriedGeometry})
        {
            const std::vector<u8> a = write_fields(section, software), b = write_fields(section, vulkan);
            const bool primitive = section == SnapshotSection::Primitive;
            std::string& difference = machine_.carryover_difference_;
            if (const Status status = read_fields(section, a, read, kSnapshotVersion);
                !status && difference.empty())
                difference = "carryover: " + status.error().message;
            if (a != b && difference.empty())
                difference =
                    std::string("carryover: ") + (primitive ? "primitive" : "geometry unit") + ", byte " +
                    std::to_string(std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first - a.begin());
        }
        const CarriedPrimitive& primitive = read.carryover.primitive;
        machine_.coverage_.note("vertices carried over", primitive.filled, true);
        machine_.coverage_.note("inputs carried over", read.carryover.geometry.collected != 0, true);
        machine_.coverage_.note("constants fed", read.carryover.geometry.fed.any(), true);
        machine_.software_->load_carryover(vulkan.carryover);
        machine_.vulkan_->load_carryover(read.carryover);
    }
    std::span<const u8> range(u32 i)
    {
        return memory().span(address_[i], memory().clamp_size(address_[i], size_[i]));
    }
    void keep(u32 i, PhysAddr address, u32 size)
    {
        address_[i] = address;
        size_[i] = size;
        const std::span<const u8> bytes = range(i);
        before_[i].assign(bytes.begin(), bytes.end());
    }
    void keep(const ByteRange& range) { keep(0, range.begin, u32(std::min<u64>(range.size, ~0u))); }
    template <typename Operation>
    void saw_engine(const Operation& operation)
    {
        const bool effective = differs(0);
        machine_.coverage_.see(operation, effective);
        machine_.changed_ |= effective;
        ++machine_.engine_operations_;
    }
    bool differs(u32 i)
    {
        const std::span<const u8> bytes = range(i);
        return !std::equal(bytes.begin(), bytes.end(), before_[i].begin(), before_[i].end());
    }

    ConformanceMachine& machine_;
    std::vector<u8> before_[2];
    PhysAddr address_[2]{};
    u32 size_[2]{};
};

ConformanceMachine::Memory::Memory(u32 vram_bytes, std::span<const MemoryRange> more_regions)
    : bytes(make_bytes(vram_bytes, more_regions)), memory(make_regions(bytes, more_regions))
{
}

ConformanceMachine::ConformanceMachine(const Variant& variant, Shaders shaders,
                                       std::span<const OwnedField> fields, u32 vram_bytes,
                                       std::span<const MemoryRange> more_regions)
    : scale_(variant.scale), shaders_(shaders), fields_(fields), report_(std::make_unique<KindReport>()),
      software_memory_(vram_bytes, more_regions), vulkan_memory_(vram_bytes, more_regions),
      noise_(kVramBytes / 8)
{
    // The observer looks at memory after every draw, so that none stays in flight. draws_in_flight_test.cpp has those.
    software_ = std::make_unique<SoftwareCore>(software_memory_.memory, *report_,
                                               SoftwareOptions{.scale = variant.scale});
    renderer::Options options;
    options.scale = variant.scale;
    options.blend_path = variant.blend_path;
    options.vertex_executor = variant.vertex_executor;
    options.serial_geometry = variant.serial_geometry;
    options.coverage = variant.coverage;
    options.ubershader = choice_of(shaders);
    options.fallback = shaders == Shaders::SoftwareFirst ? renderer::FallbackChoice::Software
                                                         : renderer::FallbackChoice::Ubershader;
    for (const char* masked : {variant.masked, variant.also_masked, variant.masked_too})
        if (masked != nullptr)
            options.masked_features.push_back(masked);
    if (variant.pipeline_budget != 0)
        options.pipeline_budget = variant.pipeline_budget;
    options.validation = kAskForValidationLayers;
    auto vulkan = create_with_raster_order(options, vulkan_memory_.memory, *report_);
    if (!vulkan)
    {
        std::fprintf(stderr, "the test needs Vulkan (%s): %s\n", variant.name,
                     vulkan.error().message.c_str());
        std::exit(1);
    }
    vulkan_ = std::move(*vulkan);
    description_ = vulkan_->description();
    announces_by_flushes_ = variant.announces_by_flushes;
    if (variant.protects_pages)
        protecting_.emplace(*vulkan_);
    use_lockstep(LockstepBackend::Compare::OnRequest);
    observer_ = std::make_unique<Observer>(*this);
    gpu_ = std::make_unique<Gpu>(*observer_, *report_);
}

ConformanceMachine::~ConformanceMachine() = default;

Backend& ConformanceMachine::second()
{
    if (protecting_)
        return *protecting_;
    return *vulkan_;
}

void ConformanceMachine::begin_seed(Random& random, Compare compare, u64 compare_after)
{
    use_lockstep(compare == Compare::EachOperation ? LockstepBackend::Compare::EachOperation
                                                   : LockstepBackend::Compare::OnRequest);
    reference_.reset();
    if (has_reference_)
        reference_.emplace(software_memory_.memory);
    reference_difference_.clear();
    carryover_difference_.clear();
    compare_ = compare;
    compare_after_ = compare_after;
    lockstep_->compare_all_after(compare_after);
    pictures_.reset();
    if (compare == Compare::AtFrame)
        pictures_.emplace(*lockstep_, coverage_, kListAddress + kListBytes - kPictureBytes, kPictureBytes);
    changed_ = false;
    differing_bytes_ = 0;
    gpu_->reset();
    lockstep_->load_carryover({}); // a machine that is turned on has no planes
    static_assert(kVramBytes == kFcramBytes);
    for (const MemoryRegion& region : software_memory_.memory.regions())
        for (u64 done = 0; done < region.bytes.size(); done += kVramBytes)
        {
            const std::size_t size = std::min<std::size_t>(kVramBytes, region.bytes.size() - done);
            for (u64& word : std::span(noise_).first(size / 8))
                word = random.next64();
            write(region.base + u32(done), std::span<const u8>(bytes_of(noise_)).first(size));
        }
}

void ConformanceMachine::end_seed()
{
    if (pictures_)
    {
        pictures_->finish();
        pictures_transferred_ += pictures_->transferred();
        pictures_sampled_ += pictures_->sampled();
    }
    flush_cpu_writes();
    gpu_->end_frame();
    if (compare_after_ == 0)
        lockstep_->compare_all();
    if (const Status status = check_state(gpu_->state()); !status && carryover_difference_.empty())
        carryover_difference_ = "a state that may not be saved: " + status.error().message;
    bytes_compared_ += lockstep_->bytes_compared();
    if (!lockstep_->difference())
        return;
    for (std::size_t i = 0; i < software_memory_.bytes.size(); ++i)
    {
        const std::span<const u8> a = software_memory_.memory.regions()[i].bytes;
        const std::span<const u8> b = vulkan_memory_.memory.regions()[i].bytes;
        vulkan_->will_read(vulkan_memory_.memory.regions()[i].base, u32(b.size()));
        differing_bytes_ +=
            std::inner_product(a.begin(), a.end(), b.begin(), u64{0}, std::plus<>(), std::not_equal_to<>());
    }
}

void ConformanceMachine::use_lockstep(LockstepBackend::Compare compare)
{
    lockstep_.emplace(*software_, second(), compare);
    lockstep_->compare_beside(renderer::compare_planes(*software_, *vulkan_));
}

std::string ConformanceMachine::failure() const
{
    if (lockstep_->difference())
    {
        const LockstepBackend::Difference& d = *lockstep_->difference();
        return "difference after " + d.operation + ": " + d.place + ": " + d.values + "\n" + d.state;
    }
    if (!reference_difference_.empty())
        return reference_difference_;
    if (!carryover_difference_.empty())
        return carryover_difference_;
    if (!vulkan_->status())
        return "Vulkan failed: " + vulkan_->status().error().message;
    const std::vector<std::string> messages = vulkan_->validation_messages();
    return messages.empty() ? std::string() : "validation layers: " + messages.front();
}

void ConformanceMachine::write(PhysAddr address, std::span<const u8> bytes)
{
    if (announces_by_flushes_)
        write_unannounced(address, bytes);
    else
        gpu_->memory_write(address, bytes);
}

// The CPU of a host that announces by flushes cannot be seen to write a byte that guest memory has already, over a newer
// one of the device. Both memories get another byte in its place. Lists are not affected: the device writes none.
void ConformanceMachine::write_unannounced(PhysAddr address, std::span<const u8> bytes)
{
    software_memory_.memory.for_each_part(address, bytes.size(),
                                          [&](PhysAddr begin, std::span<u8> software)
                                          {
                                              const std::span<u8> vulkan =
                                                  vulkan_memory_.memory.span(begin, software.size());
                                              for (std::size_t i = 0; i < software.size(); ++i)
                                              {
                                                  u8 byte = bytes[begin - address + i];
                                                  if (vulkan[i] == byte && software[i] != byte)
                                                      byte ^= 0xFF;
                                                  software[i] = vulkan[i] = byte;
                                              }
                                          });
    has_unflushed_writes_ = true;
}

// Before the GPU works. Some flushes come where nothing was written.
void ConformanceMachine::flush_cpu_writes()
{
    if (!announces_by_flushes_ || (!has_unflushed_writes_ && ++unneeded_flushes_ % 3 != 0))
        return;
    has_unflushed_writes_ = false;
    for (const MemoryRegion& region : software_memory_.memory.regions())
    {
        software_->may_have_written(region.base, u32(region.bytes.size()));
        vulkan_->may_have_written(region.base, u32(region.bytes.size()));
    }
}

void ConformanceMachine::write(PhysAddr address, std::span<const u32> words)
{
    write(address, std::span(reinterpret_cast<const u8*>(words.data()), words.size_bytes()));
}

void ConformanceMachine::run_list(std::span<const u32> words)
{
    const u32 size = std::min(u32(words.size_bytes()), kListBytes);
    if (size > kListBytes - kPictureBytes)
        pictures_.reset(); // the list needs the room
    write(kListAddress, words.first(size / 4));
    run_list_at(kListAddress, size);
}

void ConformanceMachine::run_list_at(PhysAddr address, u32 bytes)
{
    flush_cpu_writes();
    gpu_->write_register(ext::P3D_CMDBUF_SIZE::id, bytes >> 3);
    gpu_->write_register(ext::P3D_CMDBUF_ADDR::id, address >> 3);
    gpu_->write_register(ext::P3D_CMDBUF_JUMP::id, 1);
    gpu_->run(RunUntil::End);
    if (compare_ == Compare::EachList && compare_after_ == 0)
        lockstep_->compare_written();
}

void ConformanceMachine::memory_fill(PhysAddr start, PhysAddr end, u32 value, FillWidth width, u32 engine)
{
    flush_cpu_writes();
    gpu_->write_register(ext::PSC_START::ids[engine], start >> 3);
    gpu_->write_register(ext::PSC_END::ids[engine], end >> 3);
    gpu_->write_register(ext::PSC_VALUE::ids[engine], value);
    gpu_->write_register(ext::PSC_CONTROL::ids[engine], u32(width) << 8 | 1);
}

void ConformanceMachine::display_transfer(PhysAddr input, PhysAddr output, u32 input_size, u32 output_size,
                                          u32 flags)
{
    flush_cpu_writes();
    gpu_->write_register(ext::PPF_INPUT::id, input >> 3);
    gpu_->write_register(ext::PPF_OUTPUT::id, output >> 3);
    gpu_->write_register(ext::PPF_INPUT_SIZE::id, input_size);
    gpu_->write_register(ext::PPF_OUTPUT_SIZE::id, output_size);
    gpu_->write_register(ext::PPF_FLAGS::id, flags & ~8u);
    gpu_->write_register(ext::PPF_CONTROL::id, 1);
}

void ConformanceMachine::texture_copy(PhysAddr input, PhysAddr output, u32 size, u32 input_rows,
                                      u32 output_rows)
{
    flush_cpu_writes();
    gpu_->write_register(ext::PPF_INPUT::id, input >> 3);
    gpu_->write_register(ext::PPF_OUTPUT::id, output >> 3);
    gpu_->write_register(ext::PPF_COPY_SIZE::id, size);
    gpu_->write_register(ext::PPF_COPY_INPUT::id, input_rows);
    gpu_->write_register(ext::PPF_COPY_OUTPUT::id, output_rows);
    gpu_->write_register(ext::PPF_FLAGS::id, 8);
    gpu_->write_register(ext::PPF_CONTROL::id, 1);
}

void ConformanceMachine::read(PhysAddr address, u32 size)
{
    flush_cpu_writes();
    lockstep_->compare_range(address, size);
}

void ConformanceMachine::show(Screen screen)
{
    flush_cpu_writes();
    const ScreenConfig config = decode_screen(gpu_->external(), screen);
    const ByteRange range = config.input_range();
    lockstep_->will_read(range.begin, u32(std::min<u64>(range.size, ~0u)));
    std::vector<u32> software(std::size_t{config.width} * kScreenHeight), vulkan(software);
    scan_out(software_memory_.memory, config, software.data(), *report_);
    scan_out(vulkan_memory_.memory, config, vulkan.data(), *report_);
    bytes_compared_ += software.size() * 4;
    if (software == vulkan)
        return;
    char place[64];
    std::snprintf(place, sizeof place, "screen at 0x%08X, stride %d", config.address, config.stride);
    lockstep_->note_difference(place, "the pictures differ");
}

} // namespace tests
