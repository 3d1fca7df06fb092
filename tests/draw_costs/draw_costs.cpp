// SPDX-License-Identifier: MIT
// What the CPU does for a draw: nanoseconds of the calling thread, from the words of a command list to the work that it
// hands to other threads or to the device. The draws are of two triangles between pixels, so that nothing is drawn, in a
// list of 256 a frame. Medians over passes; run it on a quiet machine.
//     draw_costs [--passes N] [--backend null|software|vulkan] [--change nothing|color|texture|matrix|blend]
// Instructions are counted by running it with two numbers of passes under `valgrind --tool=callgrind`.
#include "pica/base/float24.h"
#include "renderer/picavk.hpp"
#include "tests/support/programs/program_builder.h"
#include "tests/support/scenes/plain_state.h"
#include "tests/support/suite/list_scene.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace
{

using namespace tests;

constexpr u32 kVram = 0x18000000, kFcram = 0x20000000, kBytes = 0x400000;
constexpr u32 kListAt = 0x100000;           // in FCRAM
constexpr u32 kTextures = kVram + 0x100000; // of 64x64 texels
constexpr u32 kDraws = 256, kSize = 256;

enum class Change : u8
{
    Nothing,
    Color,   // a constant of a combiner stage
    Texture, // the address of a texture, of eight, and the colour
    Matrix,  // four uniforms of the vertex program
    Blend,   // the blend factors, of two pairs
};

struct Measured
{
    Change change;
    const char* name;
    const char* what;
};
constexpr Measured kMeasured[] = {
    {Change::Nothing, "nothing", "nothing"},
    {Change::Color, "color", "a colour"},
    {Change::Texture, "texture", "a texture and a colour"},
    {Change::Matrix, "matrix", "a matrix"},
    {Change::Blend, "blend", "blend factors"},
};

struct NamedBackend
{
    const char* name;
    picavk::Backend backend;
};
constexpr NamedBackend kBackends[] = {
    {"null", picavk::Backend::Null},
    {"software", picavk::Backend::Software},
    {"vulkan", picavk::Backend::Vulkan},
};

// Of this thread.
double cpu_ns()
{
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return double(time.tv_sec) * 1e9 + double(time.tv_nsec);
}

// Two triangles, each between the centres of pixels.
std::vector<ListVertex> vertices()
{
    std::vector<ListVertex> vertices;
    for (const u32 corner : {0u, 1u, 2u, 2u, 1u, 3u})
    {
        ListVertex vertex;
        vertex.position = {(f32(corner % 2) * 0.25f + 0.6f) / f32(kSize),
                           (f32(corner / 2) * 0.25f + 0.6f) / f32(kSize), -0.5f, 1};
        vertices.push_back(vertex);
    }
    return vertices;
}

// The program of write_vertex_state, but that the position goes through a matrix, as in most programs.
void write_program(CommandListBuilder& list)
{
    ProgramBuilder program;
    for (u32 row = 0; row < 4; ++row)
        program.dp4(o(0)[std::array{"x", "y", "z", "w"}[row]], c(row), v(0));
    for (u32 i = 1; i < 6; ++i)
        program.mov(o(i), v(i));
    program.end();
    list.upload_vertex_program(program.words(), program.descriptors(), 0);
}

// moves: by how much the matrix moves everything to the right.
void write_matrix(CommandListBuilder& list, f32 moves)
{
    for (u32 row = 0; row < 4; ++row)
    {
        std::array<f32, 4> values{};
        values[row] = 1;
        if (row == 0)
            values[3] = moves;
        list.float_uniform(row, values);
    }
}

void write_state(CommandListBuilder& list)
{
    write_vertex_state(list, kFcram);
    write_program(list);
    write_matrix(list, 0);
    write_plain_state(list);
    list.set(reg::COLORBUFFER_LOC::address, kVram >> 3);
    list.set(reg::COLORBUFFER_FORMAT::format, ColorFormat::RGBA8);
    list.set(reg::FRAMEBUFFER_DIM::width, kSize);
    list.set(reg::FRAMEBUFFER_DIM::height_minus_1, kSize - 1);
    list.set(reg::VIEWPORT_WIDTH::value, f32_to_float24(f32(kSize) / 2));
    list.set(reg::VIEWPORT_HEIGHT::value, f32_to_float24(f32(kSize) / 2));
    list.set(reg::TEXUNIT_DIM::width, 64, 0);
    list.set(reg::TEXUNIT_DIM::height, 64, 0);
    list.set(reg::TEXUNIT_TYPE::format, TextureFormat::RGBA8, 0);
    list.set(reg::TEXUNIT_ADDR::address, kTextures >> 3, 0);
    list.set(reg::TEXUNIT_CONFIG::enable0, true);
    list.set(reg::TEXENV_SOURCE::color_1, CombinerSource::Texture0, 0);
    list.set(reg::TEXENV_SOURCE::color_2, CombinerSource::Constant, 0);
    list.set(reg::TEXENV_COMBINER::color_op, CombinerOp::Modulate, 0);
}

void write_change(CommandListBuilder& list, Change change, u32 number)
{
    switch (change)
    {
    case Change::Nothing:
        break;
    case Change::Texture:
        list.set(reg::TEXUNIT_ADDR::address, (kTextures + number % 8 * 0x4000) >> 3, 0);
        [[fallthrough]];
    case Change::Color:
        list.write(reg::TEXENV_COLOR::ids[0], number * 0x01030507);
        break;
    case Change::Matrix:
        write_matrix(list, f32(number % 7) * 1e-4f);
        break;
    case Change::Blend:
        list.set(reg::BLEND_FUNC::color_source,
                 number % 2 == 0 ? BlendFactor::One : BlendFactor::SourceAlpha);
        break;
    }
}

// A list of kDraws draws with this change before each.
std::vector<u32> list_of(Change change)
{
    CommandListBuilder list;
    write_state(list);
    for (u32 i = 0; i < kDraws; ++i)
    {
        write_change(list, change, i);
        list.draw_arrays(Topology::TriangleList, 0, 6);
    }
    return list.finish();
}

// The median over passes of nanoseconds per draw. Nothing: the host failed, which is told.
std::optional<double> measure(picavk::Backend backend, Change change, u32 passes)
{
    std::vector<u8> vram(kBytes), fcram(kBytes);
    const std::vector<ListVertex> corners = vertices();
    std::memcpy(fcram.data(), corners.data(), corners.size() * sizeof(ListVertex));
    const std::vector<u32> list = list_of(change);
    std::memcpy(fcram.data() + kListAt, list.data(), list.size() * 4);

    picavk::Options options;
    options.backend = backend;
    options.regions = {{kVram, kBytes, vram.data()}, {kFcram, kBytes, fcram.data()}};
    options.pipelines = picavk::Pipelines::AtOnce;
    auto [made, status] = picavk::Context::create(options);
    if (!status)
    {
        std::fprintf(stderr, "draw_costs: %s\n", status.message.c_str());
        return {};
    }
    std::vector<double> times;
    for (u32 pass = 0; pass < passes + 3; ++pass) // the first ones make pipelines and take memory
    {
        const double begin = cpu_ns();
        const PicavkResult submitted =
            picavk_submit_command_list(made.handle(), kFcram + kListAt, u32(list.size()) * 4);
        const PicavkResult ended = picavk_end_frame(made.handle());
        if (pass >= 3)
            times.push_back((cpu_ns() - begin) / kDraws);
        const PicavkResult read = picavk_will_read(made.handle(), kVram, 16); // the device follows
        for (const PicavkResult result : {submitted, ended, read})
            if (result != PICAVK_OK)
            {
                std::fprintf(stderr, "draw_costs: %s\n", picavk_message(made.handle()));
                return {};
            }
    }
    std::sort(times.begin(), times.end());
    return times[times.size() / 2];
}

struct Arguments
{
    u32 passes = 50;
    std::string_view backend, change; // empty: all
};

// Nothing: they are wrong, which is told.
std::optional<Arguments> parse(int argc, char** argv)
{
    Arguments arguments;
    bool known = argc % 2 == 1;
    for (int i = 1; known && i < argc; i += 2)
    {
        const std::string_view name = argv[i], value = argv[i + 1];
        const auto has_name = [&](const auto& item) { return value == item.name; };
        if (name == "--passes")
            arguments.passes = u32(std::max(1, std::atoi(argv[i + 1])));
        else if (name == "--backend")
            known = std::any_of(std::begin(kBackends), std::end(kBackends), has_name),
            arguments.backend = value;
        else if (name == "--change")
            known = std::any_of(std::begin(kMeasured), std::end(kMeasured), has_name),
            arguments.change = value;
        else
            known = false;
    }
    if (known)
        return arguments;
    std::fprintf(stderr, "usage: draw_costs [--passes N] [--backend null|software|vulkan]"
                         " [--change nothing|color|texture|matrix|blend]\n");
    return {};
}

} // namespace

int main(int argc, char** argv)
{
    const std::optional<Arguments> arguments = parse(argc, argv);
    if (!arguments)
        return 2;
    const auto is_wanted = [](std::string_view only, const char* name)
    { return only.empty() || only == name; };
    for (const NamedBackend& backend : kBackends)
        for (const Measured& measured : kMeasured)
        {
            if (!is_wanted(arguments->backend, backend.name) || !is_wanted(arguments->change, measured.name))
                continue;
            const std::optional<double> ns = measure(backend.backend, measured.change, arguments->passes);
            if (!ns)
                return 1;
            std::printf("%-8s a draw that changes %-24s %8.1f ns\n", backend.name, measured.what, *ns);
        }
    return 0;
}
