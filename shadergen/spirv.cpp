// SPDX-License-Identifier: MIT
// glslang and SPIRV-Tools wrappers. The hardening pass is in harden.cpp. Tests: spirv_test.cpp
#include "shadergen/spirv.h"

#include "shadergen/harden.h"

#include <glslang/Public/ResourceLimits.h>
#include <glslang/Public/ShaderLang.h>
#include <spirv-tools/libspirv.h>
#if __has_include(<glslang/SPIRV/GlslangToSpv.h>) // where glslang is installed
#include <glslang/SPIRV/GlslangToSpv.h>
#else // in its source tree, which a host may build
#include <SPIRV/GlslangToSpv.h>
#endif

#include <algorithm>
#include <memory>
#include <string>

namespace shadergen
{

namespace
{

// glslang counts its users, and the first one pays 100 ms for the tables of built-in functions. So the
// process keeps one reference until it ends. The construction of a function's static is thread-safe.
struct GlslangProcess
{
    GlslangProcess() { glslang::InitializeProcess(); }
    ~GlslangProcess() { glslang::FinalizeProcess(); }
    GlslangProcess(const GlslangProcess&) = delete;
    GlslangProcess& operator=(const GlslangProcess&) = delete;
};

EShLanguage to_glslang(Stage stage)
{
    switch (stage)
    {
    case Stage::Vertex:
        return EShLangVertex;
    case Stage::Fragment:
        return EShLangFragment;
    case Stage::Compute:
        break;
    }
    return EShLangCompute;
}

std::string_view name_of(Stage stage)
{
    return stage == Stage::Vertex ? "vertex" : stage == Stage::Fragment ? "fragment" : "compute";
}

std::string numbered(std::string_view text)
{
    std::string result;
    for (pica::u32 line = 1; !text.empty(); line++)
    {
        const std::size_t end = std::min(text.find('\n'), text.size());
        result += std::to_string(line) + "\t" + std::string(text.substr(0, end)) + "\n";
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return result;
}

pica::Error compile_error(Stage stage, const std::string& log, std::string_view glsl)
{
    return {std::string(name_of(stage)) + " shader does not compile:\n" + log + "\n" + numbered(glsl)};
}

} // namespace

pica::Result<Spirv> compile(Stage stage, std::string_view glsl, const Target& target)
{
    static const GlslangProcess process;
    const EShLanguage language = to_glslang(stage);
    const auto messages = static_cast<EShMessages>(EShMsgSpvRules | EShMsgVulkanRules);

    glslang::TShader shader(language);
    const char* strings[] = {glsl.data()};
    const int lengths[] = {static_cast<int>(glsl.size())};
    shader.setStringsWithLengths(strings, lengths, 1);
    shader.setEnvInput(glslang::EShSourceGlsl, language, glslang::EShClientVulkan, 100);
    shader.setEnvClient(glslang::EShClientVulkan, glslang::EShTargetVulkan_1_1);
    shader.setEnvTarget(glslang::EShTargetSpv, glslang::EShTargetSpv_1_3);
    if (!shader.parse(GetDefaultResources(), 450, false, messages))
        return compile_error(stage, shader.getInfoLog(), glsl);

    glslang::TProgram program;
    program.addShader(&shader);
    if (!program.link(messages))
        return compile_error(stage, program.getInfoLog(), glsl);

    glslang::SpvOptions options;
    options.disableOptimizer = true; // the optimiser is not known to respect NoContraction
    spv::SpvBuildLogger logger;
    Spirv module;
    glslang::GlslangToSpv(*program.getIntermediate(language), module, &logger, &options);
    if (module.empty())
        return compile_error(stage, logger.getAllMessages(), glsl);
    auto hardened = harden(module, target);
    if (!hardened)
        return compile_error(stage, hardened.error().message, glsl);
    return hardened;
}

pica::Result<std::string> disassemble(const Spirv& module)
{
    const std::unique_ptr<spv_context_t, decltype(&spvContextDestroy)> context(
        spvContextCreate(SPV_ENV_VULKAN_1_1), spvContextDestroy);
    spv_text text = nullptr;
    spv_diagnostic diagnostic = nullptr;
    const uint32_t options = SPV_BINARY_TO_TEXT_OPTION_INDENT | SPV_BINARY_TO_TEXT_OPTION_FRIENDLY_NAMES;
    const spv_result_t status =
        spvBinaryToText(context.get(), module.data(), module.size(), options, &text, &diagnostic);
    const std::unique_ptr<spv_text_t, decltype(&spvTextDestroy)> text_owner(text, spvTextDestroy);
    const std::unique_ptr<spv_diagnostic_t, decltype(&spvDiagnosticDestroy)> diagnostic_owner(
        diagnostic, spvDiagnosticDestroy);
    if (status != SPV_SUCCESS || !text)
        return pica::Error{std::string("SPIR-V cannot be disassembled: ") +
                           (diagnostic ? diagnostic->error : "not a module")};
    return std::string(text->str, text->length);
}

} // namespace shadergen
