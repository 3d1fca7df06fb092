// SPDX-License-Identifier: MIT
// The parts of the Vulkan backend and the order in which they work together. renderer.cpp makes them,
// draw.cpp draws.
#pragma once

#include "pica/soft/pixel_counter.h"
#include "pica/soft/vertex_stage.h"
#include "renderer/backend/renderer.h"
#include "renderer/backend/screen_images.h"
#include "renderer/backend/stand_in.h"
#include "renderer/draw/batch.h"
#include "renderer/draw/lut_buffer.h"
#include "renderer/draw/record_arena.h"
#include "renderer/residency/readback.h"
#include "renderer/residency/transfer.h"
#include "renderer/self_test/self_test.h"
#include "renderer/vertex/vertex_executor.h"
#include "shadergen/uniforms.h"

#include <algorithm>

namespace renderer
{

// Textures that a draw reads from memory: visit(index of TextureViews, binding).
template <typename Visit>
void for_each_texture(const pica::Draw& draw, Visit visit)
{
    for (std::size_t unit = 0; unit < 3; unit++)
        if (const pica::TextureUnitKey& key = draw.fragment.texture[unit]; key.enabled() && !key.null_address)
            visit(unit, draw.texture[unit]);
    if (draw.fragment.gas.accumulate)
        visit(kGasDepthView, draw.gas_depth);
}

// Does entry `index` of TextureViews hold a cube map?
inline bool is_cube(const pica::Draw& draw, std::size_t index)
{
    return index == 0 && draw.fragment.texture[0].is_cube();
}

// Where such a texture lies in guest memory: in one place, or the faces of a cube; each has byte_size()
// bytes.
template <typename Visit>
void for_each_address(const pica::Draw& draw, std::size_t index, const pica::TextureBinding& binding,
                      Visit visit)
{
    if (is_cube(draw, index))
        for (const pica::PhysAddr face : draw.cube_faces)
            visit(face);
    else
        visit(binding.address);
}

// The target's memory that a draw reads and writes.
template <typename Visit>
void for_each_buffer(const pica::Draw& draw, Visit visit)
{
    if (draw.fragment.output != pica::OutputClass::None)
        visit(draw.target.color_address, draw.target.color_bytes());
    if (draw.target.has_depth)
        visit(draw.target.depth_address, draw.target.depth_bytes());
}

class Renderer::Impl
{
public:
    Impl(const Options& options, pica::GuestMemory& memory, pica::Report& report)
        : options_(options), guest_(memory), report_(report), vertex_stage_(options.scale)
    {
    }
    ~Impl();
    Status create();

    void draw(const pica::Draw& draw);
    // Records what was collected; every operation that is not a draw begins with it.
    void flush_batch();
    // Submits where much has been uploaded, so that its memory comes back. Between operations.
    void bound_uploads();
    // Lets go of pipelines beyond the budget, once the device is through with them. Between draws.
    void bound_pipelines();
    static constexpr u32 kLeastPipelines = 4; // a draw uses two at most, and three programs
    std::size_t program_budget() const { return std::max(options_.pipeline_budget / 4, kLeastPipelines); }
    // Draws from now on use what the workers have made.
    void collect_pipelines();
    // ... once they have made all that was asked for.
    void finish_pipelines();
    Result<ScreenImage> show(pica::Screen screen, const pica::ScreenConfig& config);
    void make_current(PhysAddr address, u64 size);
    void did_write(PhysAddr address, u64 size);
    Statistics statistics() const;
    DeviceFacts facts() const;

    bool usable() const { return static_cast<bool>(device_->status()); }

private:
    friend class Renderer;
    Status choose_paths();
    Status prepare_ubershaders();

    bool takes_geometry(const pica::Draw& draw);
    bool begin_target(const pica::Draw& draw);
    bool target_is_open(const pica::Draw& draw) const;
    bool batch_overlaps(PhysAddr address, u64 size) const;
    void request_read(PhysAddr address, u64 size);
    // A draw whose vertices have been through the vertex stage, or will be on the device.
    struct PreparedDraw
    {
        DrawStateKey specialised;
        // The draw's fragments that fail the depth test, where they change the stencil and the pipeline of
        // the others cannot tell (DepthZero::KeepZero): drawn before the others of the same triangle.
        std::optional<DrawStateKey> failing;
        RasterViewport viewport;
        pica::soft::IndexRange vertices;     // for the compute executor
        pica::soft::PendingVertices pending; // for the compute executor: what earlier draws left
        u32 triangles = 0;
        u32 parts = 1;          // of a draw on the device
        u32 part_triangles = 0; // ... without a geometry program: in front of clipping, an even number
        bool on_device = false; // the compute executor does its vertices
        bool on_host = false;   // it may not: shaders do not find some of the memory
    };
    bool prepare(const pica::Draw& draw, PreparedDraw& prepared);
    void draw_part(const pica::Draw& draw, const PreparedDraw& prepared);
    // Draws of many triangles (draw_parts.cpp). False: the CPU does the draw.
    bool plan_parts(const pica::Draw& draw, PreparedDraw& prepared);
    static bool samples_target(const pica::Draw& draw);
    void draw_parts(const pica::Draw& draw, const PreparedDraw& prepared);
    // The state with the draw's own fragment shader; what the device lacks is moved to the fetch class.
    DrawStateKey specialised_state(const pica::Draw& draw, bool coverage_in_shader) const;
    // The depth test against 0 as the fixed function can do it.
    static void split_depth_zero(PreparedDraw& prepared);
    // Adds it to the batch triangle by triangle, in both states.
    void add_split(const pica::Draw& draw, const PreparedDraw& prepared, const DrawBinding& binding,
                   const RecordArena::Space& space);
    // The kind of pass of a batch that begins with the draw.
    PassKey own_pass(const DrawStateKey& state, const pica::RenderTarget& target) const;
    // Opens a batch that the draw may join and collects what it reads.
    bool open_batch(const pica::Draw& draw, const PreparedDraw& prepared, DrawBinding& binding);
    // Its id or that of its ubershader form (design D10). A batch must be open.
    u32 choose_form(const DrawStateKey& specialised);
    // The rest of the binding, the triangles and the constants. binding.state and texture_set are set.
    void add_to_batch(const pica::Draw& draw, const PreparedDraw& prepared, DrawBinding& binding);

    // Is the vertex work the CPU's, because shaders do not find the memory of all vertices, or the target is
    // where the device has no copy of guest memory (host_draws.cpp)?
    bool needs_host(const pica::Draw& draw, pica::soft::IndexRange vertices) const;
    bool target_needs_host(const pica::Draw& draw) const;
    void draw_on_host(const pica::Draw& draw);
    // What the CPU will read of a draw's target and textures.
    void bring_pixels(const pica::Draw& draw);
    // By the software core, what the vertex stage has.
    void rasterise(const pica::Draw& draw, pica::SoftwareCore& core);

    // The software core's part (stand_in.h).
    void stand_in_draw(const pica::Draw& draw, const PreparedDraw& prepared);
    void stand_in_transfer(const pica::DisplayTransfer& transfer);
    void stand_in_end_frame();
    void collect_rehearsals();
    bool may_rehearse() const;
    void rehearse(const pica::Draw& draw, const PreparedDraw& prepared, u32 id, const PassKey& pass);
    void rehearse(const pica::DisplayTransfer& transfer);
    void discard(PhysAddr address, u64 size);
    bool stands_in() const { return stand_in_ && !stand_in_->device_draws; }

    VkDescriptorSet textures(const pica::Draw& draw);
    // Makes last_block_slice_ hold the draw's constants.
    bool fragment_block(const pica::Draw& draw, const pica::FragmentKey& key, bool ubershader);
    // Makes them current in guest memory; returns the vertex numbers where they are needed later.
    pica::soft::IndexRange bring_vertex_data(const pica::Draw& draw);

    Options options_;
    pica::GuestMemory& guest_;
    pica::Report& report_;

    // Destroyed in reverse order: what owns Vulkan objects goes before the memory and the device they came
    // from.
    std::unique_ptr<Device> device_;
    SelfTestResult self_test_;
    std::unique_ptr<Memory> memory_;
    std::unique_ptr<Stream> stream_;
    std::unique_ptr<UploadRing> ring_;
    std::unique_ptr<FixedPipelines> fixed_pipelines_;
    std::unique_ptr<GuestMirror> mirror_;
    std::unique_ptr<RenderTargets> targets_;
    std::unique_ptr<TextureCache> texture_cache_;
    std::unique_ptr<TransferEngine> transfers_;
    std::unique_ptr<ScreenImages> images_;
    std::unique_ptr<ShaderCache> shaders_;
    std::unique_ptr<PipelineCache> pipelines_;
    std::unique_ptr<CompileQueue> compile_queue_; // null: pipelines are made when they are needed
    std::unique_ptr<DrawStates> states_;
    std::unique_ptr<DrawDescriptors> descriptors_;
    std::unique_ptr<LutBuffer> luts_;
    std::unique_ptr<RecordArena> arena_;
    std::unique_ptr<Batch> batch_;
    std::unique_ptr<StandIn> stand_in_;             // null: the ubershader stands in
    std::unique_ptr<pica::SoftwareCore> host_core_; // of draw_on_host; made by the first one
    std::unique_ptr<VertexExecutor> executor_;      // null: the CPU executes vertex programs

    pica::soft::VertexStage vertex_stage_;
    std::unique_ptr<pica::soft::PixelCounter> pixel_counter_; // made by the first draw that is counted
    BlendPath blend_path_ = BlendPath::Barrier;
    bool coverage_in_shader_ = false;
    pica::RenderTarget open_target_; // of the open batch
    shadergen::FragmentBlock last_block_{};
    u64 last_block_serial_ = 0;
    Slice last_block_slice_;
    bool last_block_lit_ = false; // the next two belong to it
    shadergen::LightingBlock last_lighting_{};
    u32 last_lighting_offset_ = 0;
    u64 draws_ = 0;
    u64 triangles_ = 0;
    u64 device_draws_ = 0;
    u64 ubershader_draws_ = 0;
    u64 ubershader_waits_ = 0;
    double ubershader_wait_ms_ = 0.0;
};

} // namespace renderer
