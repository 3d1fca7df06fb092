// SPDX-License-Identifier: MIT
// Text of generated shaders.
#include "shadergen/glsl_writer.h"

namespace shadergen
{

void GlslWriter::open()
{
    line("{");
    depth_++;
}

void GlslWriter::close()
{
    depth_--;
    line("}");
}

std::string number(pica::u32 value)
{
    return std::to_string(value);
}

} // namespace shadergen
