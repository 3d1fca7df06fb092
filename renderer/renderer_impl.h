// SPDX-License-Identifier: MIT
// The parts of the Vulkan backend and the order in which they work together. renderer.cpp makes them,
// draw.cpp draws.
#pragma once

#include "pica/soft/vertex_stage.h"
#include "renderer/batch.h"
#include "renderer/lut_buffer.h"
#include "renderer/readback.h"
#include "renderer/record_arena.h"
#include "renderer/renderer.h"
#include "renderer/self_test.h"
#include "renderer/transfer.h"
#include "renderer/vertex_executor.h"
#include "shadergen/uniforms.h"

namespace renderer
{

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
    void make_current(PhysAddr address, u32 size);
    void did_write(PhysAddr address, u32 size);
    Statistics statistics() const;
    std::string description() const;

    bool usable() const { return static_cast<bool>(device_->status()); }

private:
    friend class Renderer;
    Status choose_paths();

    bool begin_target(const pica::Draw& draw);
    bool target_is_open(const pica::Draw& draw) const;
    bool batch_overlaps(PhysAddr address, u32 size) const;
    u32 find_state(const pica::Draw& draw, bool coverage_in_shader);
    VkDescriptorSet textures(const pica::Draw& draw);
    // Makes last_block_slice_ hold the draw's constants.
    bool fragment_block(const pica::Draw& draw, bool ubershader);
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
    std::unique_ptr<ShaderCache> shaders_;
    std::unique_ptr<PipelineCache> pipelines_;
    std::unique_ptr<DrawStates> states_;
    std::unique_ptr<DrawDescriptors> descriptors_;
    std::unique_ptr<LutBuffer> luts_;
    std::unique_ptr<RecordArena> arena_;
    std::unique_ptr<Batch> batch_;
    std::unique_ptr<VertexExecutor> executor_; // null: the CPU executes vertex programs

    pica::soft::VertexStage vertex_stage_;
    BlendPath blend_path_ = BlendPath::Barrier;
    bool coverage_in_shader_ = false;
    pica::RenderTarget open_target_; // of the open batch
    pica::FragmentKey fragment_; // of the draw in work, with what the device lacks moved to the fetch class
    shadergen::FragmentBlock last_block_{};
    u64 last_block_serial_ = 0;
    Slice last_block_slice_;
    bool last_block_lit_ = false; // the next two belong to it
    shadergen::LightingBlock last_lighting_{};
    u32 last_lighting_offset_ = 0;
    u64 draws_ = 0;
    u64 triangles_ = 0;
};

} // namespace renderer
