// SPDX-License-Identifier: MIT
#include "pica/vertex/geometry_shader_unit.h"

#include "pica/state/draw_limits.h"
#include "pica/vertex/geometry_words.h"

#include <algorithm>
#include <bit>

namespace pica
{

namespace
{

constexpr u16 kRunBit = 1u << 15; // b15: the unit has run [HW]

} // namespace

void GeometryShaderUnit::begin(const Draw& draw, Report& report)
{
    const GeometryUnit& unit = draw.geometry_unit;
    if (unit.reset != 0)
    {
        registers_ = {};
        fed_.reset();
        has_run_ = false;
        collected_ = 0;
    }
    feed_ = unit.feed;
    program_ = unit.program;
    if (unit.continues == 0)
    {
        if (collected_ != 0)
            report.report(ReportKind::Guest, "geometry shader inputs left over",
                          "a draw ended inside an invocation; they are dropped");
        collected_ = 0;
    }
    // An earlier invocation has no visible effect, whichever backend ran it.
    if (collected_ == 0)
    {
        cursor_ = feed_.first_uniform;
        inputs_ = {};
    }
    fed_ &= ~unit.written_floats;
    if (unit.written_bools != 0)
        has_run_ = false;
    uniforms_ = *unit.uniforms;
    for (u32 n = 0; n < fed_.size(); ++n)
        if (fed_[n])
            uniforms_.f[n] = fed_values_[n];
    if (has_run_)
        uniforms_.b |= kRunBit;
    outputs_ = static_cast<u32>(std::popcount(feed_.output_mask));
    clear();
    drawn_ = invocations_ = events_ = 0;
    past_uniforms_ = false;
}

void GeometryShaderUnit::feed_uniform(const Vec4& value)
{
    if (cursor_ < fed_.size())
    {
        fed_.set(cursor_);
        fed_values_[cursor_] = uniforms_.f[cursor_] = value;
    }
    else
        past_uniforms_ = true;
    ++cursor_;
}

void GeometryShaderUnit::begin_primitive(u32 vertices)
{
    collected_ = 0;
    primitive_vertices_ = vertices;
    cursor_ = 0;
    const f32 n = static_cast<f32>(vertices);
    feed_uniform({n, n, n, n});
}

void GeometryShaderUnit::push(std::span<const Vec4> attributes)
{
    switch (feed_.mode)
    {
    case GeometryMode::Point:
        for (const Vec4& value : attributes)
        {
            if (collected_ < inputs_.size())
                inputs_[collected_] = value;
            ++collected_;
        }
        if (collected_ < feed_.inputs)
            return;
        // Of two inputs with the same target the later one wins [ASSUMED].
        for (u32 n = 0; n < feed_.inputs; ++n)
            registers_.unit.v[feed_.target[n]] = inputs_[n];
        break;
    case GeometryMode::Variable:
        for (const Vec4& value : attributes.first(collected_ < feed_.full_vertices ? attributes.size() : 1))
            feed_uniform(value);
        if (++collected_ < primitive_vertices_)
            return;
        break;
    case GeometryMode::Fixed:
        if (collected_ == 0)
            cursor_ = feed_.first_uniform;
        for (const Vec4& value : attributes)
            feed_uniform(value);
        if (++collected_ < feed_.vertices)
            return;
        break;
    }
    collected_ = 0;
    invoke();
}

void GeometryShaderUnit::invoke()
{
    ++invocations_;
    events_ |= run_geometry(*program_, uniforms_, feed_.output_mask, registers_,
                            [&](const std::array<VertexSlot, 3>& slots, bool invert)
                            {
                                if (drawn_ >= kMaxDrawPrimitives)
                                {
                                    events_ |= kPrimitivesLost;
                                    return;
                                }
                                ++drawn_;
                                for (const VertexSlot& slot : slots)
                                    emitted_.insert(emitted_.end(), slot.begin(), slot.begin() + outputs_);
                                inverted_.push_back(invert ? 1 : 0);
                            });
    has_run_ = true;
    uniforms_.b |= kRunBit;
}

void GeometryShaderUnit::report_past_uniforms(Report& report)
{
    report.report(ReportKind::Guest, "geometry shader inputs past c95", "dropped");
}

void GeometryShaderUnit::end(Report& report)
{
    if (past_uniforms_)
        report_past_uniforms(report);
    if (events_ != 0)
        report_run_events(events_, *program_, report);
}

void GeometryShaderUnit::ran_elsewhere(u32 invocations, u32 first, u32 fed, u32 left, Report& report)
{
    if (first + fed > 96)
        report_past_uniforms(report);
    invocations_ = invocations;
    collected_ = left;
    if (left != 0)
        cursor_ = first + left * feed_.attributes;
    if (invocations != 0)
        has_run_ = true;
    for (u32 n = first; n < std::min(first + fed, u32{96}); ++n)
        fed_.set(n);
}

CarriedGeometry GeometryShaderUnit::carried() const
{
    CarriedGeometry carried;
    carried.registers = registers_;
    carried.fed = fed_;
    for (u32 n = 0; n < fed_.size(); ++n)
        if (fed_[n])
            carried.fed_values[n] = fed_values_[n];
    carried.has_run = has_run_;
    if (collected_ != 0)
    {
        carried.collected = collected_;
        carried.cursor = cursor_;
        std::copy_n(inputs_.begin(), std::min<std::size_t>(collected_, inputs_.size()),
                    carried.inputs.begin());
    }
    return carried;
}

void GeometryShaderUnit::set_carried(const CarriedGeometry& carried)
{
    registers_ = carried.registers;
    fed_ = carried.fed;
    fed_values_ = carried.fed_values;
    has_run_ = carried.has_run;
    collected_ = carried.collected;
    cursor_ = carried.cursor;
    inputs_ = carried.inputs;
}

void GeometryShaderUnit::save(std::span<u32> words) const
{
    store_words(registers_, fed_values_, words);
}

void GeometryShaderUnit::load(std::span<const u32> words)
{
    load_words(words, registers_, fed_values_);
}

} // namespace pica
