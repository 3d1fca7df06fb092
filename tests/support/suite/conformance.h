// SPDX-License-Identifier: MIT
// The machine of the conformance suites: a guest whose work goes through one command processor into both
// backends in lockstep, each on its own memory, and the memories are compared. suite.h runs it over many
// seeds and tells how to write a suite. The guest's scenes: list_scene.h.
#pragma once

#include "pica/command/gpu.h"
#include "pica/command/lockstep.h"
#include "pica/soft/software_core.h"
#include "renderer/backend/renderer.h"
#include "tests/reference/reference_check.h"
#include "tests/support/seeds.h"
#include "tests/support/suite/coverage.h"
#include "tests/support/suite/picture_reader.h"
#include "tests/support/suite/protecting_backend.h"

#include <memory>
#include <optional>
#include <string>

namespace tests
{

// Where the fragment shader of a draw comes from (design D10).
enum class Shaders : u8
{
    Ubershader,
    Specialised,
    Mixed, // alternates with each draw
    // Compiled by worker threads. Until then a fallback draws: the ubershader or the software core. Which of
    // them draws depends on the machine's speed; the bytes must not.
    UbershaderFirst,
    SoftwareFirst,
};
const char* name_of(Shaders shaders);

// A forced way through the renderer, apart from its fragment shaders.
struct Variant
{
    const char* name = "raster order";
    renderer::BlendPathChoice blend_path = renderer::BlendPathChoice::RasterOrder;
    renderer::VertexExecutorChoice vertex_executor = renderer::VertexExecutorChoice::Cpu;
    renderer::CoverageChoice coverage = renderer::CoverageChoice::FixedFunction;
    // Geometry programs also run on the device where their invocations depend on each other.
    renderer::SerialGeometryChoice serial_geometry = renderer::SerialGeometryChoice::Device;
    const char* masked = nullptr; // a device feature treated as absent
    const char* also_masked = nullptr;
    const char* masked_too = nullptr;
    // The Vulkan backend hears only of those accesses of the CPU for which it asked.
    bool protects_pages = false;
    // The CPU writes without will_write and did_write. Both backends hear of it only by announcements that some byte of
    // all memory may have changed.
    bool announces_by_flushes = false;
    u32 pipeline_budget = 0; // 0: the default
    // Internal resolution of both backends. Above 1 planes are compared wherever guest memory is.
    u32 scale = 1;
};
inline constexpr Variant kRasterOrder{};
inline constexpr Variant kBarrier{.name = "barrier", .blend_path = renderer::BlendPathChoice::Barrier};
inline constexpr Variant kCompute{.name = "compute",
                                  .vertex_executor = renderer::VertexExecutorChoice::Compute};
inline constexpr Variant kInterpret{.name = "compute, programs interpreted",
                                    .vertex_executor = renderer::VertexExecutorChoice::Interpret};
// This variant and shader coverage use selections where the others branch, on drivers that are listed for
// branching.
inline constexpr Variant kComputeBarrier{.name = "compute, barrier, selections",
                                         .blend_path = renderer::BlendPathChoice::Barrier,
                                         .vertex_executor = renderer::VertexExecutorChoice::Compute,
                                         .masked = "branches"};
// No triangle record is passed as varyings, and buffer views hold only a few of them.
inline constexpr Variant kComputeTexels{.name = "compute, texel records",
                                        .vertex_executor = renderer::VertexExecutorChoice::Compute,
                                        .masked = "beyond_stride"};
inline constexpr Variant kComputeFewTexels{.name = "compute, small texel buffers",
                                           .vertex_executor = renderer::VertexExecutorChoice::Compute,
                                           .masked = "large_texel_buffers"};
inline constexpr Variant kComputeSingleDraws{.name = "compute, one command for each draw",
                                             .vertex_executor = renderer::VertexExecutorChoice::Compute,
                                             .masked = "multi_draw_indirect"};
// Programs run with the arithmetic for devices that need not keep infinities and NaN (float24_plain.h).
inline constexpr Variant kComputePlainFloat24{.name = "compute, plain float24",
                                              .vertex_executor = renderer::VertexExecutorChoice::Compute,
                                              .masked = "nan_preserve"};
inline constexpr Variant kShaderCoverage{.name = "shader coverage, selections, no gathers",
                                         .blend_path = renderer::BlendPathChoice::Barrier,
                                         .coverage = renderer::CoverageChoice::Shader,
                                         .masked = "branches",
                                         .also_masked = "gathers",
                                         .masked_too = "flat_constants"};
// Counts as a GPU, so fragment shaders vote in subgroups where the device can, and read texels one by one and
// uniforms from their block.
inline constexpr Variant kComputeVotes{.name = "compute, votes, no gathers",
                                       .vertex_executor = renderer::VertexExecutorChoice::Compute,
                                       .masked = "cpu",
                                       .also_masked = "gathers",
                                       .masked_too = "flat_constants"};
inline constexpr Variant kVotes{.name = "votes, no gathers, vertices on the CPU",
                                .vertex_executor = renderer::VertexExecutorChoice::Cpu,
                                .masked = "cpu",
                                .also_masked = "gathers",
                                .masked_too = "flat_constants"};
// The device mirrors only the first 72 KiB of each region.
inline constexpr Variant kCutMirror{.name = "cut mirror", .masked = "large_storage_buffers"};
inline constexpr Variant kComputeCutMirror{.name = "compute, cut mirror",
                                           .vertex_executor = renderer::VertexExecutorChoice::Compute,
                                           .masked = "large_storage_buffers"};
inline constexpr Variant kProtectedPages{.name = "protected pages", .protects_pages = true};
inline constexpr Variant kFlushes{.name = "whole-memory flushes", .announces_by_flushes = true};
inline constexpr Variant kComputeFlushes{.name = "compute, whole-memory flushes",
                                         .vertex_executor = renderer::VertexExecutorChoice::Compute,
                                         .announces_by_flushes = true};
// Depth buffers are images without a stencil.
inline constexpr Variant kNoStencil{.name = "no stencil", .masked = "depth_stencil"};
inline constexpr Variant kComputeNoStencil{.name = "compute, no stencil",
                                           .vertex_executor = renderer::VertexExecutorChoice::Compute,
                                           .masked = "depth_stencil"};
// The renderer's own compute shaders have one form each, as on devices that compile when a pipeline is made. Else they
// have specialised forms, of which random formats and layouts need many.
// A descriptor reaches two planes here, so that work on all planes needs several dispatches.
inline constexpr Variant kTwice{.name = "2x, one form, two planes at once",
                                .masked = "late_compiler",
                                .also_masked = "planes_at_once",
                                .scale = 2};
inline constexpr Variant kComputeTwice{
    .name = "compute, 2x", .vertex_executor = renderer::VertexExecutorChoice::Compute, .scale = 2};
inline constexpr Variant kComputeFiveTimes{.name = "compute, 5x, one form",
                                           .vertex_executor = renderer::VertexExecutorChoice::Compute,
                                           .masked = "late_compiler",
                                           .scale = 5};
inline constexpr Variant kBarrierThrice{.name = "barrier, 3x, one form, two planes at once",
                                        .blend_path = renderer::BlendPathChoice::Barrier,
                                        .masked = "late_compiler",
                                        .also_masked = "planes_at_once",
                                        .scale = 3};
inline constexpr Variant kShaderFourTimes{.name = "shader coverage, 4x, one form, no gathers",
                                          .blend_path = renderer::BlendPathChoice::Barrier,
                                          .coverage = renderer::CoverageChoice::Shader,
                                          .masked = "late_compiler",
                                          .also_masked = "gathers",
                                          .masked_too = "flat_constants",
                                          .scale = 4};
inline constexpr Variant kVotesSixTimes{.name = "votes, no gathers, 6x",
                                        .vertex_executor = renderer::VertexExecutorChoice::Cpu,
                                        .masked = "cpu",
                                        .also_masked = "gathers",
                                        .masked_too = "flat_constants",
                                        .scale = 6};
inline constexpr Variant kComputeSevenTimes{.name = "compute, 7x, one form",
                                            .vertex_executor = renderer::VertexExecutorChoice::Compute,
                                            .masked = "late_compiler",
                                            .scale = 7};
inline constexpr Variant kEightTimes{.name = "8x, one form", .masked = "late_compiler", .scale = 8};
inline constexpr Variant kFlushesTwice{.name = "whole-memory flushes, 2x, one form",
                                       .masked = "late_compiler",
                                       .announces_by_flushes = true,
                                       .scale = 2};
// For suites of what moves N x pictures. Seeds take them in turn. Short runs have the first kShortScaledVariants: each one
// makes a renderer, and work grows with N x N.
inline constexpr u32 kShortScaledVariants = 4;
inline constexpr Variant kScaledVariants[] = {
    kTwice,        kComputeFiveTimes, kBarrierThrice,     kShaderFourTimes,
    kComputeTwice, kVotesSixTimes,    kComputeSevenTimes, kEightTimes};
inline constexpr Variant kTexelRecords{.name = "texel records", .masked = "beyond_stride"};
inline constexpr Variant kNoLogicOp{
    .name = "no logic op", .blend_path = renderer::BlendPathChoice::Barrier, .masked = "logic_op"};

// A guest with little memory, so that every seed starts with memory full of noise.
class ConformanceMachine
{
public:
    static constexpr u32 kVramBytes = 0x100000;
    static constexpr u32 kFcramBytes = 0x100000;
    static constexpr PhysAddr kListAddress = kFcramBase + 0xC0000;
    static constexpr u32 kListBytes = 0x40000;

    ConformanceMachine(const Variant& variant, Shaders shaders, std::span<const OwnedField> fields = {},
                       u32 vram_bytes = kVramBytes,                     // a multiple of the default
                       std::span<const MemoryRange> more_regions = {}); // of at most this many bytes
    ~ConformanceMachine();
    ConformanceMachine(const ConformanceMachine&) = delete;
    ConformanceMachine& operator=(const ConformanceMachine&) = delete;

    enum class Compare : u8
    {
        EachOperation, // after every draw, fill and copy: leaves no draw batches
        EachList,
        // Once, after all draws of the seed, whose pictures are read as the images that the renderer holds
        // (picture_reader.h). Draw batches continue over lists.
        AtFrame,
        AtEnd, // likewise, without reading pictures
    };
    // From the next seed on, also compares each draw with the scalar reference.
    void check_with_reference() { has_reference_ = true; }
    // Every few draws, compares the carryover of both backends, and lets each continue with that of the
    // other.
    void exchange_carryover(bool exchanges) { exchanges_carryover_ = exchanges; }
    // Power-up with random memory. compare_after, if not 0: the only comparison is one of everything, right
    // after the operation with this number.
    void begin_seed(Random& random, Compare compare, u64 compare_after = 0);
    // Compares everything. A message of the validation layers counts as a difference.
    void end_seed();

    // The guest's operations.
    void run_list(std::span<const u32> words);
    // Runs a list that is in memory already. Address and size are multiples of 16.
    void run_list_at(PhysAddr address, u32 bytes);
    void write(PhysAddr address, std::span<const u8> bytes);
    void write(PhysAddr address, std::span<const u32> words);
    void memory_fill(PhysAddr start, PhysAddr end, u32 value, FillWidth width, u32 engine = 0);
    // Sizes: width in the low half, height in the high half. flags as in the register.
    void display_transfer(PhysAddr input, PhysAddr output, u32 input_size, u32 output_size, u32 flags);
    // Rows: width in the low half, gap in the high half, in units of 16 bytes.
    void texture_copy(PhysAddr input, PhysAddr output, u32 size, u32 input_rows, u32 output_rows);
    // Reads back the range in both memories and compares it.
    void read(PhysAddr address, u32 size);
    // Scans a screen out of both memories and compares the pictures.
    void show(Screen screen);
    // Requests a readback of bytes that may be read later.
    void request_read(PhysAddr address, u32 size) { vulkan_->request_read(address, size); }

    Gpu& gpu() { return *gpu_; }
    renderer::Renderer& vulkan() { return *vulkan_; }
    // How many states a suite should use. A pipeline with its own shader takes a software rasteriser some 50
    // ms, one with the ubershader five times as long, and a draw in a state that was used before one or two.
    // So if states mean shaders, a suite uses fewer states with more draws each.
    Shaders shaders() const { return shaders_; }
    u32 states(u32 ubershader, u32 specialised) const
    {
        return shaders_ == Shaders::Ubershader ? ubershader : specialised;
    }
    // How many steps the scene of a seed has. Above 1x a step takes several times as long, so most seeds of a short run
    // have a quarter of them there.
    u32 steps(Random& random, u32 count) const
    {
        const bool few = scale_ > 1 && !is_long_run() && !random.chance(1, 8);
        return few ? (count + 3) / 4 : count;
    }
    // Counters of the suite's own.
    Coverage& coverage() { return coverage_; }
    // Why the seed failed; empty as long as everything is equal.
    std::string failure() const;
    bool changed_memory() const { return changed_; }
    u64 draws() const { return draws_; }
    u64 reference_draws() const { return reference_draws_; }
    u64 engine_operations() const { return engine_operations_; }
    u64 bytes_compared() const { return bytes_compared_; }
    // Of the current seed: the number of draws, fills and copies; and the number of the last one before the
    // difference.
    u64 operations() const { return lockstep_->operations(); }
    u64 differing_operation() const { return lockstep_->difference() ? lockstep_->difference()->number : 0; }
    // Number of pictures that were read as images, and of those that a draw sampled.
    u64 pictures_transferred() const { return pictures_transferred_; }
    u64 pictures_sampled() const { return pictures_sampled_; }
    // Of the current seed. Nothing is executed after the first difference.
    u64 differing_bytes() const { return differing_bytes_; }
    const std::string& description() const { return description_; }

private:
    Backend& second();
    void use_lockstep(LockstepBackend::Compare compare);
    void write_unannounced(PhysAddr address, std::span<const u8> bytes);
    void flush_cpu_writes();
    class Observer;
    class KindReport;
    struct Memory
    {
        Memory(u32 vram_bytes, std::span<const MemoryRange> more_regions);
        std::vector<std::vector<u64>> bytes; // one entry for each region
        GuestMemory memory;
    };

    u32 scale_;
    Shaders shaders_;
    std::span<const OwnedField> fields_;
    std::unique_ptr<Report> report_;
    Memory software_memory_, vulkan_memory_;
    std::unique_ptr<SoftwareCore> software_;
    std::unique_ptr<renderer::Renderer> vulkan_;
    std::optional<ProtectingBackend> protecting_; // between lockstep and Vulkan, if the variant asks for it
    std::optional<LockstepBackend> lockstep_;     // of the current seed
    std::unique_ptr<Observer> observer_;          // the backend of the Gpu
    std::unique_ptr<Gpu> gpu_;
    bool announces_by_flushes_ = false;
    bool has_unflushed_writes_ = false;
    u32 unneeded_flushes_ = 0;
    bool has_reference_ = false;
    std::optional<ReferenceCheck> reference_; // of the current seed
    std::string reference_difference_;        // the first one
    u64 reference_draws_ = 0;
    bool exchanges_carryover_ = false;
    std::string carryover_difference_; // the first one of the seed
    Coverage coverage_;
    std::vector<u64> noise_;
    std::string description_;
    Compare compare_ = Compare::EachOperation;
    u64 compare_after_ = 0;
    std::optional<PictureReader> pictures_; // of the current seed
    u64 pictures_transferred_ = 0, pictures_sampled_ = 0;
    bool changed_ = false;
    u64 draws_ = 0;
    u64 engine_operations_ = 0;
    u64 bytes_compared_ = 0;
    u64 differing_bytes_ = 0;
};

} // namespace tests
