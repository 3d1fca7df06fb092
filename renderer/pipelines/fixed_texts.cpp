// SPDX-License-Identifier: MIT
#include "renderer/pipelines/fixed_texts.h"

#include "shaders/shader_texts.h"

namespace renderer
{

namespace
{

constexpr const char* kPlanes = "#define PLANES\n";

} // namespace

FixedShaderFacts facts_of(FixedShader shader)
{
    switch (shader)
    {
    case FixedShader::LoadColor:
        return {"load_color.comp", "", "surface_words.h", true, true};
    case FixedShader::StoreColor:
        return {"store_color.comp", "", "surface_words.h", false, true};
    case FixedShader::LoadDepth:
        return {"load_depth.comp", "", "surface_words.h", true, false};
    case FixedShader::StoreDepth:
        return {"store_depth.comp", "", "surface_words.h", false, false};
    case FixedShader::DecodeTexture:
        return {"decode_texture.comp", "", "", true, true};
    case FixedShader::DisplayTransfer:
        return {"display_transfer.comp", "", "", false, false};
    case FixedShader::TransferSurface:
        return {"display_transfer.comp", "#define FROM_SURFACE\n", "", false, true};
    case FixedShader::Fill:
        return {"fill.comp", "", "", false, false};
    case FixedShader::ScanOut:
        return {"scan_out.comp", "", "", true, true};
    case FixedShader::LoadColorPlanes:
        return {"load_color.comp", kPlanes, "surface_words.h", true, true, true};
    case FixedShader::StoreColorPlanes:
        return {"store_color.comp", kPlanes, "surface_words.h", false, true, true};
    case FixedShader::LoadDepthPlanes:
        return {"load_depth_planes.comp", kPlanes, "surface_words.h", true, false, true};
    case FixedShader::StoreDepthPlanes:
        return {"store_depth.comp", kPlanes, "surface_words.h", false, false, true};
    case FixedShader::DecodeTexturePlanes:
        return {"decode_texture.comp", kPlanes, "", true, true, true};
    case FixedShader::TransferSurfacePlanes:
        return {"display_transfer.comp", "#define FROM_SURFACE\n#define PLANES\n", "", false, true, true};
    case FixedShader::ScanOutPlanes:
        return {"scan_out.comp", kPlanes, "", true, true, true};
    }
    return {};
}

std::string text_of(FixedShader shader, bool one_form)
{
    const FixedShaderFacts facts = facts_of(shader);
    std::string text = "#version 450\n";
    if (one_form)
        text += "#extension GL_EXT_control_flow_attributes : require\n#define ONE_FORM\n";
    if (facts.reads_only)
        text += "#define GUEST_READ_ONLY\n";
    text += facts.define;
    for (const char* part : {"fixed_constants.h", "guest_words.h", facts.include, facts.file})
        text += shaders::text(part);
    return text;
}

} // namespace renderer
