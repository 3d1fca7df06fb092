// SPDX-License-Identifier: MIT
#include "renderer/vertex/interpreter_blocks.h"

#include "renderer/vulkan/stream.h"
#include "shadergen/vertex_interpreter.h"

namespace renderer
{

bool InterpreterBlocks::is_last(const pica::VertexKey& key, const shadergen::FeedKey& feed) const
{
    return serial_ == stream_.current() && key_ == key && feed_ == feed;
}

// Takes memory for a new block.
Slice InterpreterBlocks::begin(const pica::VertexKey& key, const shadergen::FeedKey& feed)
{
    slice_ = ring_.allocate(sizeof(shadergen::ProgramBlock), alignment_);
    key_ = key;
    feed_ = feed;
    serial_ = slice_ ? stream_.current() : 0;
    return slice_;
}

Slice InterpreterBlocks::place(const pica::Program& program, const pica::VertexKey& key)
{
    if (!is_last(key, {}) && begin(key, {}))
        shadergen::pack_program_block(program, key, *slice_.as<shadergen::ProgramBlock>());
    return slice_;
}

Slice InterpreterBlocks::place(const pica::Program& program, const pica::VertexKey& key,
                               const shadergen::FeedKey& feed)
{
    if (!is_last(key, feed) && begin(key, feed))
        shadergen::pack_program_block(program, feed, *slice_.as<shadergen::ProgramBlock>());
    return slice_;
}

} // namespace renderer
