// SPDX-License-Identifier: MIT
// InterpreterBlocks: uploads the uniform blocks with the code of interpreted vertex programs. The last block is used
// again within its submission.
#pragma once

#include "pica/state/keys.h"
#include "renderer/vulkan/upload_ring.h"
#include "shadergen/geometry.h"

namespace renderer
{

class InterpreterBlocks
{
public:
    // alignment: of blocks in their buffer.
    InterpreterBlocks(Stream& stream, UploadRing& ring, VkDeviceSize alignment)
        : stream_(stream), ring_(ring), alignment_(alignment)
    {
    }

    // The block of a program of a draw without a geometry program. Valid for the submission being recorded. Empty: out
    // of memory (Device::status).
    Slice place(const pica::Program& program, const pica::VertexKey& key);
    // The same before a geometry program.
    Slice place(const pica::Program& program, const pica::VertexKey& key, const shadergen::FeedKey& feed);

private:
    bool is_last(const pica::VertexKey& key, const shadergen::FeedKey& feed) const;
    Slice begin(const pica::VertexKey& key, const shadergen::FeedKey& feed);

    Stream& stream_;
    UploadRing& ring_;
    const VkDeviceSize alignment_;
    // What the last block was made of.
    pica::VertexKey key_;
    shadergen::FeedKey feed_; // empty without a geometry program
    u64 serial_ = 0;          // of its submission
    Slice slice_;
};

} // namespace renderer
