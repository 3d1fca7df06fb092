// SPDX-License-Identifier: MIT
#include "shadergen/generator_version.h"

#include <glslang/Public/ShaderLang.h>

#include <bit>

namespace shadergen
{

// Defined in a file that hash_sources.cmake writes.
extern const char* const kSourcesHash;

std::string generator_version()
{
    const glslang::Version version = glslang::GetVersion();
    return std::string(kSourcesHash) + " glslang " + std::to_string(version.major) + "." +
           std::to_string(version.minor) + "." + std::to_string(version.patch) +
           (version.flavor != nullptr ? version.flavor : "") +
           (std::endian::native == std::endian::little ? " little" : " big");
}

} // namespace shadergen
