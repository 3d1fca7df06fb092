// SPDX-License-Identifier: MIT
#include "tests/support/device/vertex_device.h"

#include "pica/base/float24.h"
#include "pica/base/numeric.h"
#include "pica/shader/interpreter.h"
#include "shadergen/batch_rows.h"
#include "shadergen/vertex.h"
#include "shadergen/vertex_interpreter.h"
#include "shaders/include/layout.h"
#include "tests/support/programs/random_program.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <memory>

namespace tests
{

namespace
{

constexpr u32 kRegionBytes = VertexJob::kRegionBytes;

u32 read_region(const VertexJob& job, u32 region, u64 offset, u32 size, u64 end)
{
    u32 value = 0;
    for (u32 i = 0; i < size; i++)
        if (offset + i < end && !job.regions[region].empty())
            value |= u32{job.regions[region][offset + i]} << (8 * i);
    return value;
}

// pica/hardware/vertex-input.md once more, straight from the block.
std::array<Vec4, 16> fetch_reference(const VertexJob& job, u32 i)
{
    const shadergen::VertexBlock& block = job.block;
    u64 vertex = u64{block.draw.first} + i;
    if (const u32 size = block.index.size; size != 0)
        vertex = read_region(job, block.index.region, u64{block.index.offset} + u64{i} * size, size,
                             u64{block.index.offset} + block.index.available);
    std::array<Vec4, 16> v{};
    for (u32 n = 0; n < 16; n++)
    {
        const auto& config = block.input_config[n];
        const u32 source = config.format & 3;
        if (source == 2)
            v[n] = block.input_fixed[n];
        if (source != 1)
            continue;
        v[n] = {0.0f, 0.0f, 0.0f, 1.0f};
        const u32 type = config.format >> 2 & 3;
        const u32 size = type == 3 ? 4 : type == 2 ? 2 : 1;
        for (u32 k = 0; k < (config.format >> 4 & 15); k++)
        {
            const u64 offset = config.offset + vertex * (config.format >> 8 & 255) + u64{k} * size;
            const u32 bits =
                read_region(job, config.region, offset, size, u64{config.offset} + config.available);
            v[n][k] = type == 3   ? f32_truncate_to_float24(std::bit_cast<f32>(bits))
                      : type == 2 ? static_cast<f32>(static_cast<s16>(bits))
                      : type == 1 ? static_cast<f32>(bits)
                                  : static_cast<f32>(static_cast<s8>(bits));
        }
    }
    return v;
}

void fill_block(shadergen::VertexBlock& block, const ShaderUniforms& uniforms)
{
    for (u32 i = 0; i < 96; i++)
        block.constants[i] = uniforms.f[i];
    for (u32 i = 0; i < 4; i++)
        for (u32 k = 0; k < 4; k++)
            block.integers[i][k] = uniforms.i[i][k];
    block.draw.bools = uniforms.b;
    block.limits = {kVertexBudget, 0, 0, 0};
}

// The block as the shaders of a batch read it, whose only draw the job is.
void write_rows(const VertexJob& job, std::byte* to)
{
    Draw draw;
    draw.program = &job.program;
    draw.uniforms = &job.uniforms;
    shadergen::BatchRows rows;
    shadergen::BatchDraw row{};
    row.draw = job.block.draw;
    row.index = job.block.index;
    std::vector<shadergen::BatchInput> inputs;
    for (u32 n = 0; n < 16; n++)
        if (job.program.usage().inputs >> n & 1)
            inputs.push_back({job.block.input_config[n], job.block.input_fixed[n]});
    row.places = {rows.add_constants(draw), rows.add_inputs(inputs), 0, 0};
    rows.add(row);
    rows.write(to);
}

// The bytes that are available from an offset on, up to the end of the last word. Regions of guest memory consist of
// whole words, and the shaders rely on it.
u32 whole_words(u32 offset, u32 available)
{
    return ((offset + available + 3) & ~3u) - offset;
}

// The payload of NaN does not matter (design.md, "The exact-arithmetic contract").
bool same(f32 a, f32 b)
{
    return std::bit_cast<u32>(a) == std::bit_cast<u32>(b) || (std::isnan(a) && std::isnan(b));
}

} // namespace

VertexJob plain_job(const Program& program, const ShaderUniforms& uniforms)
{
    VertexJob job{program, uniforms, {}, {}, {}};
    job.key.program = program.id();
    job.key.source.fill(VertexKey::kUnmapped);
    for (u8 i = 0; i < 4; i++)
        job.key.source[i] = i;
    job.key.source[0x0C] = 4; // o1.x
    fill_block(job.block, uniforms);
    job.block.draw.count = 1;
    return job;
}

VertexJob random_job(Random& random, const Program& program, const ShaderUniforms& uniforms)
{
    VertexJob job{program, uniforms, {}, {}, {}};
    shadergen::VertexBlock& block = job.block;
    fill_block(block, uniforms);
    for (u32 n = 0; n < 16; n++)
    {
        const u32 source = random.chance(1, 8) ? 0 : random.chance(1, 4) ? 2 : 1;
        const u32 components = 1 + random.below(4);
        const u32 stride = random.below(80);
        const u32 at = random.below(kRegionBytes);
        block.input_config[n] = {source | random.below(4) << 2 | components << 4 | stride << 8, at,
                                 random.below(2), random.chance(1, 4) ? random.below(64) : kRegionBytes - at};
        block.input_config[n].available =
            whole_words(at, std::min(block.input_config[n].available, kRegionBytes - at));
        for (f32& value : block.input_fixed[n])
            value = random_float24(random);
    }
    const u32 count = 1 + random.below(random.chance(1, 4) ? VertexJob::kMaxVertices : 24);
    const u32 first_shaded = random.below(5);
    const u32 first_vertex = random.chance(1, 8) ? 0x7FFFFFu - random.below(count) : random.below(50);
    block.draw = {count, first_vertex, first_shaded, uniforms.b};
    const u32 index_at = random.below(kRegionBytes - 1000);
    block.index = {random.below(3), index_at, random.below(2),
                   whole_words(index_at, random.chance(1, 4) ? 65 : 1000u)};
    block.output_target = {1, 0, 0, 0};
    for (auto& bytes : job.regions)
    {
        bytes.resize(kRegionBytes);
        for (u32 i = 0; i < kRegionBytes; i += 4)
        {
            const f32 value = random.chance(1, 2) ? random.real(-4.0f, 4.0f) : random_float24(random);
            const u32 bits = random.chance(1, 4) ? random.next() : std::bit_cast<u32>(value);
            std::memcpy(&bytes[i], &bits, 4);
        }
    }
    job.key.program = program.id();
    for (u8& source : job.key.source)
        source = random.chance(1, 8) ? VertexKey::kUnmapped : static_cast<u8>(random.below(64));
    return job;
}

constexpr std::size_t kPipelinesKept = 256;

VertexDevice::VertexDevice(ComputeRunner& runner) : runner_(runner) {}

u32 VertexDevice::pipeline(VertexForm form, const VertexJob& job, const Buffers& b)
{
    const auto make = [&](const std::string& text)
    {
        return runner_.pipeline(compile_compute(text, runner_.target()),
                                {{BINDING_MIRROR_VRAM, &b.vram},
                                 {BINDING_MIRROR_FCRAM, &b.fcram},
                                 {BINDING_VERTEX_BLOCK, &b.block, true},
                                 {BINDING_SHADED, &b.shaded},
                                 {BINDING_PROGRAM, &b.program, true},
                                 {BINDING_STATUS, &b.status},
                                 {BINDING_VERTEX_BLOCKS, &b.rows},
                                 {BINDING_VERTEX_GROUPS, &b.groups, true}});
    };
    if (form == VertexForm::Interpreted)
    {
        if (interpreter_ == ~0u)
            interpreter_ = make(shadergen::vertex_interpreter_shader(runner_.target()));
        return interpreter_;
    }
    const u64 key = hash_key(job.key);
    const auto found = compiled_.find(key);
    if (found != compiled_.end())
        return found->second;
    return compiled_[key] = make(shadergen::generate_vertex(job.key, job.program, runner_.target()));
}

std::vector<VertexDevice::Result> VertexDevice::run(VertexForm form, std::span<const VertexJob> jobs)
{
    constexpr u32 kShadedFloats = (VertexJob::kMaxVertices + 8) * SHADED_FLOATS;
    REQUIRE(jobs.size() <= kJobs);
    while (buffers_.size() < jobs.size())
        buffers_.push_back({runner_.buffer(kRegionBytes), runner_.buffer(kRegionBytes),
                            runner_.buffer(sizeof(shadergen::VertexBlock)),
                            runner_.buffer(sizeof(shadergen::ProgramBlock)),
                            runner_.buffer(kShadedFloats * 4), runner_.buffer(64),
                            runner_.buffer(sizeof(shadergen::VertexGroups)),
                            runner_.buffer((BATCH_ROWS + 16 * BATCH_INPUT_ROWS + 4 + 96) * 16)});
    for (std::size_t n = 0; n < jobs.size(); n++)
    {
        const VertexJob& job = jobs[n];
        const Buffers& b = buffers_[n];
        const renderer::Buffer* memory[2] = {&b.vram, &b.fcram};
        for (u32 i = 0; i < 2; i++)
            if (!job.regions[i].empty())
                std::memcpy(memory[i]->mapped, job.regions[i].data(), kRegionBytes);
        std::memcpy(b.block.mapped, &job.block, sizeof job.block);
        write_rows(job, static_cast<std::byte*>(b.rows.mapped));
        std::memset(b.status.mapped, 0, 64);
        for (u32 group = 0; group < MAX_VERTEX_GROUPS; group++)
            ComputeRunner::view<u32>(b.groups)[group] = group << VERTEX_GROUP_SHIFT; // all of block 0
        std::memset(b.shaded.mapped, 0xFF, kShadedFloats * 4);
        if (form == VertexForm::Interpreted)
            shadergen::pack_program_block(job.program, job.key,
                                          *reinterpret_cast<shadergen::ProgramBlock*>(b.program.mapped));
        runner_.dispatch(pipeline(form, job, b),
                         {{BINDING_MIRROR_VRAM, &b.vram},
                          {BINDING_MIRROR_FCRAM, &b.fcram},
                          {BINDING_VERTEX_BLOCK, &b.block, true},
                          {BINDING_SHADED, &b.shaded},
                          {BINDING_PROGRAM, &b.program, true},
                          {BINDING_STATUS, &b.status},
                          {BINDING_VERTEX_BLOCKS, &b.rows},
                          {BINDING_VERTEX_GROUPS, &b.groups, true}},
                         (job.block.draw.count + COMPUTE_GROUP - 1) / COMPUTE_GROUP);
    }
    runner_.submit();
    if (compiled_.size() > kPipelinesKept)
    {
        runner_.forget_pipelines();
        compiled_.clear();
        interpreter_ = ~0u;
    }
    std::vector<Result> results(jobs.size());
    for (std::size_t n = 0; n < jobs.size(); n++)
    {
        const VertexJob& job = jobs[n];
        const auto shaded =
            ComputeRunner::view<f32>(buffers_[n].shaded)
                .subspan(job.block.draw.first_shaded * SHADED_FLOATS, job.block.draw.count * SHADED_FLOATS);
        results[n].shaded.assign(shaded.begin(), shaded.end());
        results[n].events = ComputeRunner::view<u32>(buffers_[n].status)[job.block.output_target.command];
    }
    return results;
}

u32 check_job(const VertexJob& job, const VertexDevice::Result& result, BatchInterpreter& batch)
{
    const u32 count = job.block.draw.count;
    u32 events = 0;
    u32 batch_events = 0;
    batch.bind(job.program, job.uniforms);
    for (u32 i = 0; i < count; i++)
    {
        if (i % BatchInterpreter::kLanes == 0)
        {
            const u32 lanes = std::min(count - i, BatchInterpreter::kLanes);
            for (u32 lane = 0; lane < lanes; lane++)
            {
                const auto inputs = fetch_reference(job, i + lane);
                for (u32 n = 0; n < 16; n++)
                    for (u32 k = 0; k < 4; k++)
                        batch.input(n, k)[lane] = inputs[n][k];
            }
            batch_events |= batch.run(lanes);
        }
        std::array<Vec4, 16> outputs;
        events |= run_vertex(job.program, job.uniforms, fetch_reference(job, i), outputs);
        for (u32 s = 0; s < 24; s++)
        {
            const u8 source = job.key.source[s];
            f32 expected = source == VertexKey::kUnmapped ? 1.0f : outputs[source / 4][source % 4];
            if (source != VertexKey::kUnmapped &&
                !same(expected, batch.output(source / 4, source % 4)[i % BatchInterpreter::kLanes]))
            {
                FAIL_CHECK("batch interpreter: vertex ", i, " output ", source / 4, ".", source % 4);
                return events;
            }
            if (s >= 4)
                expected = s >= 8 && s < 12 ? num::vertex_color(expected) : num::vertex_attribute(expected);
            const f32 actual = result.shaded[i * SHADED_FLOATS + s];
            if (!same(expected, actual))
            {
                FAIL_CHECK("vertex ", i, " semantic ", s, " source ", source, ": ", expected, " ",
                           std::bit_cast<u32>(expected), ", device ", actual, " ", std::bit_cast<u32>(actual),
                           "\n", shadergen::describe_control_flow(job.program));
                return events;
            }
        }
    }
    CHECK_MESSAGE(result.events == events, shadergen::describe_control_flow(job.program));
    CHECK(batch_events == events);
    return events;
}

void check_random_programs(VertexForm form, RandomFlow flow, const char* name, u32 normal, u32 many)
{
    const auto runner = ComputeRunner::create();
    if (!runner)
        return;
    SeedRange range{0, is_long_run() ? many : normal};
    range.count = std::max(1u, static_cast<u32>(range.count * seed_scale()));
    chosen_seeds(range);
    auto device = std::make_unique<VertexDevice>(*runner);
    BatchInterpreter batch;
    u32 with_events = 0;
    std::vector<VertexJob> jobs;
    for (u32 done = 0; done < range.count;)
    {
        const u32 count = std::min(range.count - done, VertexDevice::kJobs);
        jobs.clear();
        for (u32 i = 0; i < count; i++)
        {
            Random random(range.first + done + i);
            // Compilers take most of the time; long runs have long programs, too.
            const bool is_short = form == VertexForm::Compiled && (!is_long_run() || random.chance(1, 2));
            const Program program(random_program(random, flow, is_short), 0, ShaderStage::Vertex);
            const ShaderUniforms uniforms = random_uniforms(random);
            jobs.push_back(random_job(random, program, uniforms));
        }
        const std::vector<VertexDevice::Result> results = device->run(form, jobs);
        for (u32 i = 0; i < count; i++)
        {
            const u32 seed = range.first + done + i;
            INFO(name, ", seed ", seed, ", repeat with: ", repeat_command(seed));
            with_events += check_job(jobs[i], results[i], batch) != 0 ? 1 : 0;
        }
        done += count;
    }
    std::printf("%s: %u programs, %u of them stopped by a rule\n", name, range.count, with_events);
    for (const std::string& message : runner->messages())
        FAIL_CHECK(message);
}

} // namespace tests
