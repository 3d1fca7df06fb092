// SPDX-License-Identifier: MIT
// The version of the generator: it changes whenever generated SPIR-V may change. What is kept from run to run is kept
// by it. Nobody has to remember to increase it: it is a hash of all sources that the modules are made from.
#pragma once

#include <string>

namespace shadergen
{

// The hash of the sources, the version of glslang, and the order of bytes in a word of this machine.
std::string generator_version();

} // namespace shadergen
