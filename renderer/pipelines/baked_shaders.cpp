// SPDX-License-Identifier: MIT
#include "renderer/pipelines/baked_shaders.h"

#include <cstring>
#include <vector>

namespace renderer
{

using pica::u32;
using pica::u8;

shadergen::Spirv baked_spirv(FixedShader shader, bool one_form)
{
    const std::span<const u8> file = baked_file();
    const auto version = pica::read_file_header(file, kBakedMagic, "baked shaders");
    if (!version || *version != kBakedVersion)
        return {};
    pica::ChunkReader reader(file);
    pica::ChunkReader::Chunk chunk;
    const u32 index = (one_form ? kFixedShaderCount : 0) + static_cast<u32>(shader);
    for (u32 i = 0; i <= index; ++i)
        if (reader.next(chunk) != pica::ChunkReader::Next::Chunk || chunk.id != kBakedModule)
            return {};
    std::vector<u8> storage;
    const auto content = pica::ChunkReader::content(chunk, storage);
    if (!content)
        return {};
    shadergen::Spirv module(content->size() / sizeof(u32));
    std::memcpy(module.data(), content->data(), module.size() * sizeof(u32));
    return module;
}

} // namespace renderer
