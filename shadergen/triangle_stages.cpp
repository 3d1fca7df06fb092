// SPDX-License-Identifier: MIT
#include "shadergen/triangle_stages.h"

#include "pica/state/triangle_record.h"
#include "shadergen/program_module.h"
#include "shaders/shader_texts.h"

#include <initializer_list>
#include <string_view>

namespace shadergen
{

namespace
{

using namespace pica;

// The words of a triangle record, for record.h.
std::string record_words()
{
    constexpr struct
    {
        std::string_view name;
        u32 word;
    } kWords[] = {{"EDGE0", kRecordEdge0},        {"EDGE1", kRecordEdge1},
                  {"AREA", kRecordArea},          {"SHIFT", kRecordShift},
                  {"INVERSE_W", kRecordInverseW}, {"INVERSE_AREA", kRecordInverseArea},
                  {"HIGH", kRecordHeader}}; // wide records: of C of edge 0, of C of edge 1, of the area
    std::string text;
    for (const auto& [name, word] : kWords)
        text.append("#define RECORD_").append(name).append(" ").append(number(word)).append("u\n");
    return text;
}

std::string triangle_stage(std::initializer_list<std::string_view> texts, std::string_view group_size,
                           const Target& target)
{
    std::string stage;
    for (const std::string_view name : texts)
        stage.append(shaders::text(name));
    return program_declarations()
        .append("#define GROUP_SIZE ")
        .append(group_size)
        .append("\n")
        .append(record_words())
        .append(arithmetic_for(stage, target))
        .append(stage);
}

} // namespace

std::string classify_shader(const Target& target)
{
    return triangle_stage({"triangles.h", "classify.comp"}, "COMPUTE_GROUP", target);
}

std::string emit_shader(const Target& target)
{
    return triangle_stage({"triangles.h", "record.h", "emit.comp"}, "COMPUTE_GROUP", target);
}

std::string clip_shader(const Target& target)
{
    return triangle_stage({"triangles.h", "record.h", "clip.comp"}, "CLIP_GROUP", target);
}

} // namespace shadergen
