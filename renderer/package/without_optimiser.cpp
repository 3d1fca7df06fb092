// SPDX-License-Identifier: MIT
// Takes the place of the file of glslang's that calls SPIRV-Tools, in the shared library. shadergen/spirv.cpp asks glslang
// neither to optimise nor to validate nor to print, so that file is never run, but glslang's generator names its
// functions, and with them come three megabytes of the optimiser. A linker takes a file from an archive only for a
// function that nothing has defined yet, and these come first. They are weak: should another release of glslang name
// further functions, its file is linked as before, and its functions count. tests/api/consumer.sh checks that the
// optimiser is gone.
#include <ostream>
#include <vector>

namespace spv
{
class SpvBuildLogger;
}

namespace glslang
{

class TIntermediate;
struct SpvOptions;

[[gnu::weak]] void SpirvToolsDisassemble(std::ostream& out, const std::vector<unsigned>& module);
[[gnu::weak]] void SpirvToolsValidate(const TIntermediate& intermediate, std::vector<unsigned>& module,
                                      spv::SpvBuildLogger* logger, bool before_legalisation);
[[gnu::weak]] void SpirvToolsTransform(const TIntermediate& intermediate, std::vector<unsigned>& module,
                                       spv::SpvBuildLogger* logger, const SpvOptions* options);
[[gnu::weak]] void SpirvToolsStripDebugInfo(const TIntermediate& intermediate, std::vector<unsigned>& module,
                                            spv::SpvBuildLogger* logger);

// A module stays as it is.
void SpirvToolsDisassemble(std::ostream&, const std::vector<unsigned>&) {}
void SpirvToolsValidate(const TIntermediate&, std::vector<unsigned>&, spv::SpvBuildLogger*, bool) {}
void SpirvToolsTransform(const TIntermediate&, std::vector<unsigned>&, spv::SpvBuildLogger*,
                         const SpvOptions*)
{
}
void SpirvToolsStripDebugInfo(const TIntermediate&, std::vector<unsigned>&, spv::SpvBuildLogger*) {}

} // namespace glslang
