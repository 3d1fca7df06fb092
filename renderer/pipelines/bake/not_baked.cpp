// SPDX-License-Identifier: MIT
// In place of what bake_shaders.cpp writes, where the build cannot run it: the fixed shaders are compiled at run time.
#include "renderer/pipelines/baked_shaders.h"

namespace renderer
{

std::span<const pica::u8> baked_file()
{
    return {};
}

} // namespace renderer
