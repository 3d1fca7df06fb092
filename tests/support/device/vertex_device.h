// SPDX-License-Identifier: MIT
// Vertex programs on the machine's Vulkan device, compiled (shadergen/vertex.h) or interpreted
// (shadergen/vertex_interpreter.h), and random draws for them: attributes from two regions of memory,
// constants, an output map.
#pragma once

#include "pica/shader/batch_interpreter.h"
#include "pica/shader/program.h"
#include "pica/state/keys.h"
#include "shadergen/uniforms.h"
#include "tests/support/device/compute_runner.h"
#include "tests/support/programs/random_program.h"
#include "tests/support/seeds.h"

#include <array>
#include <memory>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

namespace tests
{

enum class VertexForm : u8
{
    Compiled,
    Interpreted,
};

// Everything that a vertex shader reads.
struct VertexJob
{
    static constexpr u32 kMaxVertices = 96;
    static constexpr u32 kRegionBytes = 16384;

    Program program;
    ShaderUniforms uniforms;
    VertexKey key;
    shadergen::VertexBlock block{};
    std::array<std::vector<u8>, 2> regions; // empty: zeros
};

// One vertex with zero inputs. Semantics 0..3 are o0 unchanged; 8 is o1.x after the rules for colours.
VertexJob plain_job(const Program& program, const ShaderUniforms& uniforms);
// Up to 96 vertices with random inputs, indices, addresses, uniforms, output map and fetching; some are
// outside of their data.
VertexJob random_job(Random& random, const Program& program, const ShaderUniforms& uniforms);

class VertexDevice
{
public:
    explicit VertexDevice(ComputeRunner& runner);

    struct Result
    {
        std::vector<f32> shaded; // 24 per vertex
        u32 events = 0;
    };
    // Runs at most kJobs jobs, in one submission.
    static constexpr u32 kJobs = 64;
    std::vector<Result> run(VertexForm form, std::span<const VertexJob> jobs);

private:
    struct Buffers
    {
        renderer::Buffer vram, fcram, block, program, shaded, status, groups, rows;
    };
    u32 pipeline(VertexForm form, const VertexJob& job, const Buffers& buffers);

    ComputeRunner& runner_;
    std::vector<Buffers> buffers_;
    std::unordered_map<u64, u32> compiled_; // by key
    u32 interpreter_ = ~0u;
};

// Shades the job on both CPU interpreters as well. A difference in any bit of an output, or in the events,
// fails the test. Returns the events.
u32 check_job(const VertexJob& job, const VertexDevice::Result& result, BatchInterpreter& batch);

// Runs random programs with one kind of control flow through check_job: `normal` of them, or `many` in long
// runs.
void check_random_programs(VertexForm form, RandomFlow flow, const char* name, u32 normal, u32 many);

} // namespace tests
