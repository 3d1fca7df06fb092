// SPDX-License-Identifier: MIT
// Run by the build: compiles the fixed shaders and writes their SPIR-V as a source file (renderer/pipelines/baked_shaders.h).
//   bake_shaders OUT.cpp
#include "renderer/pipelines/baked_shaders.h"

#include <cstdio>
#include <string>
#include <vector>

namespace
{

using pica::u32;
using pica::u8;

bool append(std::vector<u8>& file, renderer::FixedShader shader, bool one_form)
{
    const auto module =
        shadergen::compile(shadergen::Stage::Compute, renderer::text_of(shader, one_form), {});
    if (!module)
    {
        std::fprintf(stderr, "bake_shaders: %s: %s\n", renderer::facts_of(shader).file,
                     module.error().message.c_str());
        return false;
    }
    const auto* const bytes = reinterpret_cast<const u8*>(module->data());
    pica::append_chunk(file, renderer::kBakedModule, {bytes, module->size() * sizeof(u32)});
    return true;
}

std::string source_of(const std::vector<u8>& file)
{
    std::string text = "// Written by renderer/pipelines/bake/bake_shaders.cpp.\n"
                       "#include \"renderer/pipelines/baked_shaders.h\"\n\nnamespace renderer\n{\n\n"
                       "std::span<const pica::u8> baked_file()\n{\n    static constexpr pica::u8 kFile[] = {";
    for (std::size_t i = 0; i < file.size(); ++i)
        text += (i % 32 == 0 ? "\n        " : "") + std::to_string(file[i]) + ",";
    return text + "\n    };\n    return kFile;\n}\n\n} // namespace renderer\n";
}

} // namespace

int main(int argc, char** argv)
{
    if (argc != 2)
        return std::fprintf(stderr, "usage: bake_shaders OUT.cpp\n"), 2;
    std::vector<u8> file;
    pica::append_file_header(file, renderer::kBakedMagic, renderer::kBakedVersion);
    for (const bool one_form : {false, true})
        for (u32 i = 0; i < renderer::kFixedShaderCount; ++i)
            if (!append(file, static_cast<renderer::FixedShader>(i), one_form))
                return 1;
    const std::string text = source_of(file);
    std::FILE* const out = std::fopen(argv[1], "wb");
    if (out == nullptr || std::fwrite(text.data(), 1, text.size(), out) != text.size() ||
        std::fclose(out) != 0)
        return std::fprintf(stderr, "bake_shaders: cannot write %s\n", argv[1]), 2;
    return 0;
}
