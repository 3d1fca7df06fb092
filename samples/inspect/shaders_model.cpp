// SPDX-License-Identifier: MIT
#include "samples/inspect/shaders_model.h"

#include "pica/base/silent_report.h"
#include "pica/shader/program.h"
#include "samples/cli/draw_pipelines.h"
#include "samples/cli/drawn_key.h"
#include "shadergen/fragment.h"
#include "shadergen/geometry.h"
#include "shadergen/spirv.h"
#include "shadergen/vertex.h"

#include <algorithm>
#include <cstdio>
#include <utility>

namespace samples
{

using namespace pica;

namespace
{

std::string hash_line(const char* name, u64 hash)
{
    char text[64];
    std::snprintf(text, sizeof text, "%s %016llx\n", name, static_cast<unsigned long long>(hash));
    return text;
}

// One word of a key a line.
std::string wrapped(std::string text)
{
    std::replace(text.begin(), text.end(), ' ', '\n');
    return text;
}

// The key, and the GLSL that it gives. Both are empty if the draw has no such shader.
struct Generated
{
    shadergen::Stage stage = shadergen::Stage::Compute;
    std::string key, glsl;
};

Generated generate(const Draw& draw, SoftwareCore& core, ShadersModel::Stage stage,
                   const shadergen::Target& target)
{
    Generated result;
    const Program* geometry = draw.geometry_unit.program;
    switch (stage)
    {
    case ShadersModel::Stage::Vertex:
        if (draw.program == nullptr)
            break;
        result.key = hash_line("program", draw.program->hash()) + wrapped(draw.vertex.text());
        result.glsl = shadergen::generate_vertex(draw.vertex, *draw.program, target);
        break;
    case ShadersModel::Stage::Geometry:
        if (draw.geometry_unit.feed.enabled == 0 || geometry == nullptr)
            break;
        result.key = hash_line("program", geometry->hash());
        result.glsl = shadergen::generate_geometry(
            shadergen::geometry_key(draw, draw.source.topology != Topology::TriangleList), *geometry, target);
        break;
    default:
        const FragmentKey key = drawn_key(draw, core);
        result.stage = shadergen::Stage::Fragment;
        result.key = hash_line("key", hash_key(key)) + wrapped(key.text());
        result.glsl = shadergen::generate_fragment(key, drawn_layout(draw, core), target);
    }
    return result;
}

} // namespace

ShadersModel::ShadersModel(StreamModel& model, const renderer::Options& vulkan)
    : model_(model), vulkan_(vulkan), report_(std::make_unique<SilentReport>())
{
}

ShadersModel::~ShadersModel() = default;

void ShadersModel::choose(Stage stage, Form form)
{
    if (stage != stage_ || form != form_)
        found_ = false;
    stage_ = stage;
    form_ = form;
}

void ShadersModel::set_text(const std::string& text)
{
    for (std::size_t begin = 0; begin < text.size();)
    {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        lines_.push_back(text.substr(begin, end - begin));
        columns_ = std::max(columns_, end - begin);
        begin = end + 1;
    }
}

void ShadersModel::ask_driver()
{
    if (!pipelines_)
    {
        auto made = DrawPipelines::create(model_.trace(), vulkan_, *report_, model_.scale());
        if (!made)
        {
            problem_ = made.error().message;
            return;
        }
        pipelines_ = std::move(*made);
    }
    const Result<Json> told = pipelines_->of_operation(model_.replay(), *draw_);
    if (!told)
        problem_ = told.error().message;
    else
        set_text(json_text(*told));
}

void ShadersModel::find()
{
    if (found_ && found_at_ == model_.revision())
        return;
    found_ = true;
    found_at_ = model_.revision();
    problem_.clear();
    lines_.clear();
    columns_ = 0;
    draw_ = model_.last_draw();
    if (!draw_)
    {
        problem_ = "No draw up to the selected operation.";
        return;
    }
    if (form_ == Form::Driver)
        return ask_driver();
    const shadergen::Target target;
    Generated shader;
    visit_draw(model_.replay(), *draw_,
               [&](const Draw& draw) { shader = generate(draw, model_.replay().core(), stage_, target); });
    if (shader.key.empty())
        problem_ = std::string("The draw has no ") + kStages[static_cast<u32>(stage_)] + " program.";
    else if (form_ == Form::Key)
        set_text(shader.key);
    else if (form_ == Form::Glsl)
        set_text(shader.glsl);
    else if (const Result<shadergen::Spirv> spirv = shadergen::compile(shader.stage, shader.glsl, target);
             !spirv)
        problem_ = spirv.error().message;
    else if (const Result<std::string> text = shadergen::disassemble(*spirv); !text)
        problem_ = text.error().message;
    else
        set_text(*text);
}

std::optional<std::size_t> ShadersModel::draw()
{
    find();
    return draw_;
}

const std::vector<std::string>& ShadersModel::lines()
{
    find();
    return lines_;
}

const std::string& ShadersModel::problem()
{
    find();
    return problem_;
}

std::size_t ShadersModel::columns()
{
    find();
    return columns_;
}

Json ShadersModel::log()
{
    find();
    Json json = {{"operation", draw_ ? Json(*draw_) : Json(nullptr)},
                 {"stage", kStages[static_cast<u32>(stage_)]},
                 {"form", kForms[static_cast<u32>(form_)]},
                 {"lines", lines_.size()}};
    if (!problem_.empty())
        json["problem"] = problem_;
    return json;
}

} // namespace samples
