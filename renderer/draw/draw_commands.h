// SPDX-License-Identifier: MIT
// DrawCommands: records the draw commands of one render pass. It binds and sets only what the command before did not.
#pragma once

#include "renderer/draw/draw_binding.h"
#include "renderer/pipelines/pipeline_keys.h"
#include "renderer/vertex/draw_geometry.h"

#include <optional>

namespace renderer
{

class Device;
class DrawDescriptors;
class DrawStates;
class PipelineCache;
struct Surface;

struct DrawCommand
{
    DrawBinding binding;
    DrawGeometry geometry;
    u32 indirect_draws = 1; // commands from geometry.indirect_offset on, if it has an indirect buffer
};

// Host failures are kept in Device::status.
class DrawCommands
{
public:
    struct Parts
    {
        Device& device;
        DrawStates& states;
        PipelineCache& pipelines;
        DrawDescriptors& descriptors;
    };
    // The render pass, which begins before the first draw is recorded.
    struct Pass
    {
        VkCommandBuffer cmd = VK_NULL_HANDLE;
        PassKey key;
        const Surface* color = nullptr;              // what draws of the fetch class read
        VkImageView no_destination = VK_NULL_HANDLE; // bound where a draw does not
    };
    DrawCommands(const Parts& parts, const Pass& pass) : parts_(parts), pass_(pass) {}

    // Binds the pipeline of a draw. May be called before the render pass begins. False: the device has failed.
    bool bind_pipeline(const DrawCommand& item);
    // Records a draw into the render pass, which has begun.
    void record(const DrawCommand& item);
    // Commands that bound pipelines or descriptor sets.
    u32 binds() const { return binds_; }

private:
    void bind_sets(const DrawCommand& item);
    u32 bind_vertices(const DrawCommand& item);
    void set_state(const DrawCommand& item, u32 first_triangle);
    void draw_triangles(const DrawCommand& item, u32 first_triangle);

    Parts parts_;
    Pass pass_;
    u32 binds_ = 0;
    std::optional<DrawCommand> last_;
    VkPipeline pipeline_ = VK_NULL_HANDLE;
    bool destination_bound_ = false; // the target itself is bound as destination
    bool interlock_bound_ = false;   // ... as a storage image
    bool stencil_set_ = false;       // pipelines without a stencil test undo the stencil values
    // The vertex buffers, and the first bytes of a triangle in them.
    VkBuffer record_buffer_ = VK_NULL_HANDLE; // null: only positions are bound
    VkBuffer position_buffer_ = VK_NULL_HANDLE;
    VkDeviceSize record_offset_ = 0;
    VkDeviceSize position_offset_ = 0;
    s32 first_record_ = 0; // as it was pushed
};

} // namespace renderer
