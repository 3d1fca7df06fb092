// SPDX-License-Identifier: MIT
// The geometry shader unit between vertex program and primitive assembly: collects the inputs of invocations
// in the three modes, runs the program for one invocation after the other, and keeps what persists. Source:
// pica/hardware/geometry-unit.md. Tests: geometry_stage_test.cpp.
#pragma once

#include "pica/base/report.h"
#include "pica/state/carryover.h"
#include "pica/state/draw.h"

#include <span>
#include <vector>

namespace pica
{

class GeometryShaderUnit
{
public:
    // Configures the unit for a draw. Inputs that an earlier draw left incomplete are dropped, unless this
    // draw continues with them.
    void begin(const Draw& draw, Report& report);
    // Variable mode: a primitive of this many vertices follows.
    void begin_primitive(u32 vertices);
    // Adds the next vertex with feed.attributes attributes. May run the program.
    void push(std::span<const Vec4> attributes);
    void end(Report& report);

    // For a draw whose invocations a device ran instead (begin() was called as above). invocations: how many
    // ran; the c registers [first, first + fed), as far as they exist, were fed; left: vertices of an
    // incomplete invocation (fixed mode). The registers come back with load().
    void ran_elsewhere(u32 invocations, u32 first, u32 fed, u32 left, Report& report);
    // Everything that later draws need, in the form that is the same from every backend.
    CarriedGeometry carried() const;
    void set_carried(const CarriedGeometry& carried);
    // The unit's registers and fed constants, as the words STATE_* of shaders/include/layout.h.
    void save(std::span<u32> words) const;
    void load(std::span<const u32> words);
    // Uniforms of the current draw: the guest's, with fed values and b15 applied; and which c registers are
    // fed.
    const ShaderUniforms& uniforms() const { return uniforms_; }
    const std::bitset<96>& fed() const { return fed_; }
    bool has_run() const { return has_run_; }    // since the guest wrote the bools
    u32 collected() const { return collected_; } // inputs or vertices of an incomplete invocation

    // Primitives emitted since the last clear(): three vertices with outputs() vectors each, in the order of
    // their vertex slots, and whether the winding flag was set.
    u32 primitives() const { return static_cast<u32>(inverted_.size()); }
    u32 outputs() const { return outputs_; }
    const Vec4& output(u32 primitive, u32 vertex, u32 n) const
    {
        return emitted_[(primitive * 3 + vertex) * outputs_ + n];
    }
    bool inverted(u32 primitive) const { return inverted_[primitive] != 0; }
    void clear()
    {
        emitted_.clear();
        inverted_.clear();
    }

    u32 invocations() const { return invocations_; } // of the current draw

private:
    void feed_uniform(const Vec4& value);
    static void report_past_uniforms(Report& report);
    void invoke();

    GeometryFeed feed_;
    const Program* program_ = nullptr;
    GeometryRegisters registers_;
    // A fed uniform replaces the guest's value until the guest writes that register again.
    std::bitset<96> fed_;
    std::array<Vec4, 96> fed_values_{};
    bool has_run_ = false; // since the guest wrote the bools: b15 is set [HW]
    ShaderUniforms uniforms_;

    std::array<Vec4, 16> inputs_{}; // point mode: of the incomplete invocation
    u32 collected_ = 0;             // number of its inputs (point) or vertices (fixed, variable)
    u32 primitive_vertices_ = 0;    // variable mode: vertices of the current primitive
    u32 cursor_ = 0;                // fixed and variable mode: next c register

    u32 outputs_ = 0;
    std::vector<Vec4> emitted_;
    std::vector<u8> inverted_;
    u32 drawn_ = 0;
    u32 invocations_ = 0;
    u32 events_ = 0;
    bool past_uniforms_ = false;
};

} // namespace pica
