// SPDX-License-Identifier: MIT
// Geometry shaders in their three modes (geometry-unit.md): what the vendor library's programs do, written as
// ordinary ones. Point: sprites, wide lines, silhouettes of a mesh with adjacency, by arrays and by immediate
// mode. Variable: a smoothed ring of any number of vertices. Fixed: particles along a Bezier path.
#include "pica/base/float24.h"
#include "tests/streams/geometry_scene.h"

#include <bit>

namespace tests
{

namespace
{

// v0 position, v1 colour, v2.x size; c85-c88 the corners of the sprite, c89 shades them.
ProgramBuilder sprite_program()
{
    ProgramBuilder b;
    for (u32 k = 0; k < 4; ++k)
    {
        b.mul(r(1), c(85 + k), v(2)["xxxx"]);
        b.add(r(1), r(1), v(0));
        project(b, r(1));
        if (k < 2)
            b.mov(o(1), v(1));
        else
            b.mul(o(1), c(89), v(1));
        emit_corner(b, k);
    }
    b.end();
    return b;
}

void sprite_corners(StreamScene& scene, f32 turn)
{
    for (u32 k = 0; k < 4; ++k)
    {
        const f32 at = turn + std::array{0.0f, 0.25f, 0.75f, 0.5f}[k];
        scene.list.geometry_float_uniform(85 + k, {cosine(at), sine(at), 0, 0});
    }
    scene.list.geometry_float_uniform(89, {0.3f, 0.3f, 0.3f, 1});
}

// v0, v3 ends of a line, v1, v4 colours; c85 = (-width, width, 0, 0).
ProgramBuilder line_program()
{
    ProgramBuilder b;
    b.add(r(1), v(3), -v(0));
    b.dp3(r(2)["x"], r(1), r(1));
    b.rsq(r(2)["x"], r(2));
    b.mul(r(1), r(1)["yxzw"], r(2)["xxxx"]);
    b.mul(r(1), c(85), r(1));
    for (u32 k = 0; k < 4; ++k)
    {
        b.add(r(3), v(k < 2 ? 0 : 3), k % 2 == 0 ? r(1) : -r(1));
        project(b, r(3));
        b.mov(o(1), v(k < 2 ? 1 : 4));
        emit_corner(b, k);
    }
    b.end();
    return b;
}

// r13.x = twice the signed area of the triangle of screen positions a, b, c (registers).
void area(ProgramBuilder& p, u32 a, u32 b, u32 c)
{
    p.add(r(12)["xy"], r(b), -r(a));
    p.add(r(12)["zw"], r(c)["xxxy"], -r(a)["xxxy"]);
    p.mul(r(13)["xy"], r(12), r(12)["wzzz"]);
    p.add(r(13)["x"], r(13), -r(13)["yyyy"]);
}

// Six vertices of two attributes: the triangle 0, 2, 4, its neighbours' third vertices 1, 3, 5. Front faces
// are drawn, with a line along each edge whose neighbour is a back face. c85 = (-width, width, 0, 0), c86 =
// 0, c87 the line's colour. r0-r5 clip positions, r6-r11 screen positions.
ProgramBuilder silhouette_program()
{
    ProgramBuilder b;
    const FlagCondition x_holds{};
    for (u32 n = 0; n < 6; ++n)
    {
        for (u32 i = 0; i < 4; ++i)
            b.dp4(r(n)[std::array{"x", "y", "z", "w"}[i]], c(kGeometryMatrix + i), v(2 * n));
        b.rcp(r(12)["x"], r(n)["wwww"]);
        b.mul(r(6 + n), r(n), r(12)["xxxx"]);
    }
    area(b, 6, 8, 10);
    b.cmp(c(86), CompareOp::Less, CompareOp::Less, r(13)); // 0 < area
    b.if_flags(x_holds);
    for (u32 n = 0; n < 3; ++n)
    {
        b.mov(o(0), r(2 * n));
        b.mov(o(1), v(4 * n + 1));
        b.set_emit(n, n == 2, false);
        b.emit();
    }
    for (u32 edge = 0; edge < 3; ++edge)
    {
        const u32 from = 2 * edge, to = (2 * edge + 2) % 6;
        area(b, 6 + to, 6 + from, 6 + from + 1);
        b.cmp(c(86), CompareOp::GreaterEqual, CompareOp::GreaterEqual, r(13)); // 0 >= area
        b.if_flags(x_holds);
        b.add(r(12), r(6 + to), -r(6 + from));
        b.mov(r(14), r(from));
        b.mov(r(15), r(to));
        b.call("line");
        b.nop();
        b.end_if();
        b.nop();
    }
    b.nop();
    b.end_if();
    b.nop();
    b.end();
    b.function("line"); // r14, r15 ends, r12 their difference on the screen
    b.mov(r(12)["zw"], c(86));
    b.dp3(r(13)["x"], r(12), r(12));
    b.rsq(r(13)["x"], r(13));
    b.mul(r(12), r(12)["yxzw"], r(13)["xxxx"]);
    b.mul(r(12), c(85), r(12));
    for (u32 k = 0; k < 4; ++k)
    {
        const u32 end = k < 2 ? 14 : 15;
        b.mul(r(13), r(12), r(end)["wwww"]);
        b.add(o(0), r(end), k % 2 == 0 ? r(13) : -r(13));
        b.mov(o(1), c(87));
        emit_corner(b, k);
    }
    b.nop();
    b.end_function();
    return b;
}

StreamVertex colored(f32 x, f32 y, f32 z, f32 hue, f32 u = 0, f32 v = 0)
{
    const auto channel = [&](f32 turn) { return u8((0.55f + 0.45f * cosine(hue - turn)) * 255); };
    return {x, y, z, channel(0.0f), channel(1.0f / 3), channel(2.0f / 3), 255, u, v};
}

void immediate_sprites(StreamScene& scene, std::span<const StreamVertex> vertices)
{
    const auto attribute = [&](const std::array<f32, 4>& value)
    {
        std::array<u32, 4> raw;
        for (u32 i = 0; i < 4; ++i)
            raw[i] = f32_to_float24(value[i]);
        const std::array<u32, 3> words = {raw[3] << 8 | raw[2] >> 16, raw[2] << 16 | raw[1] >> 8,
                                          raw[1] << 24 | raw[0]};
        scene.list.write_consecutive(reg::FIXEDATTRIB_DATA::id, words);
    };
    scene.list.set(reg::PRIMITIVE_CONFIG::topology, Topology::Geometry);
    scene.list.write(reg::RESTART_PRIMITIVE::id, 1);
    scene.list.set(reg::FIXEDATTRIB_INDEX::index, 15);
    for (const StreamVertex& v : vertices)
    {
        attribute({v.x, v.y, v.z, 1});
        attribute({f32(v.r), f32(v.g), f32(v.b), f32(v.a)});
        attribute({v.u, v.v, 0, 1});
    }
    scene.list.set(reg::FIXEDATTRIB_INDEX::index, 0);
}

// Triangles with adjacency of a torus, rings x sides quads; position and colour.
std::vector<u8> torus(u32 rings, u32 sides)
{
    std::vector<u8> bytes;
    const auto vertex = [&](u32 ring, u32 side)
    {
        const f32 a = f32(ring % rings) / f32(rings), t = f32(side % sides) / f32(sides);
        const f32 radius = 1.0f + 0.45f * cosine(t);
        const StreamVertex v = colored(radius * cosine(a), radius * sine(a), 0.45f * sine(t), t);
        const auto* begin = reinterpret_cast<const u8*>(&v);
        bytes.insert(bytes.end(), begin, begin + 16);
    };
    for (u32 i = rings; i < 2 * rings; ++i)
    {
        for (u32 j = sides; j < 2 * sides; ++j)
        {
            vertex(i, j), vertex(i + 1, j - 1), vertex(i + 1, j), vertex(i + 2, j + 1), vertex(i + 1, j + 1),
                vertex(i, j + 1);
            vertex(i, j), vertex(i + 1, j), vertex(i + 1, j + 1), vertex(i + 1, j + 2), vertex(i, j + 1),
                vertex(i - 1, j);
        }
    }
    return bytes;
}

void write_point(StreamScene& scene)
{
    for (u32 frame = 0; frame < 3; ++frame)
    {
        const f32 turn = 0.04f * f32(frame);
        scene.begin_screen(Screen::Top, 0x182030);
        begin_geometry(scene, sprite_program(), {GeometryMode::Point});
        sprite_corners(scene, turn);
        std::vector<StreamVertex> points;
        for (u32 i = 0; i < 40; ++i)
        {
            const f32 t = f32(i) / 40;
            points.push_back(colored(100 + (20 + 60 * t) * cosine(3 * t + turn),
                                     74 + (10 + 36 * t) * sine(3 * t + turn), 0.5f, t, 3 + 9 * t));
        }
        scene.draw(points, Topology::Geometry);
        std::vector<StreamVertex> row;
        for (u32 i = 0; i < 9; ++i)
            row.push_back(colored(220 + 18 * f32(i), 214, 0.5f, f32(i) / 9, 8));
        immediate_sprites(scene, row);
        end_geometry(scene);

        begin_geometry(scene, line_program(), {GeometryMode::Point, 2});
        scene.list.geometry_float_uniform(85, {-2.5f, 2.5f, 0, 0});
        std::vector<StreamVertex> lines;
        for (u32 i = 0; i < 12; ++i)
        {
            const f32 t = f32(i) / 12 + turn;
            lines.push_back(colored(100 + 12 * cosine(t), 186 + 8 * sine(t), 0.5f, t));
            lines.push_back(colored(100 + 72 * cosine(t), 186 + 40 * sine(t), 0.5f, t + 0.3f));
        }
        scene.draw(lines, Topology::Geometry);
        end_geometry(scene);

        begin_geometry(scene, silhouette_program(), {GeometryMode::Point, 6, 0, 2});
        geometry_matrix(scene, scene.perspective() * translation(1.45f, 0.35f, -4.2f) *
                                   rotation_x(0.12f + turn) * rotation_y(0.06f - turn));
        scene.list.geometry_float_uniform(85, {-0.018f, 0.018f, 0, 0});
        scene.list.geometry_float_uniform(86, {0, 0, 0, 0});
        scene.list.geometry_float_uniform(87, {1, 1, 1, 1});
        scene.depth_test(CompareFunc::LessOrEqual, true);
        const std::vector<u8> mesh = torus(18, 10);
        scene.draw_bytes(mesh, u32(mesh.size() / 16), Topology::Geometry);
        scene.depth_test(CompareFunc::Always, true);
        end_geometry(scene);
        scene.label(8, 6, "POINT MODE: SPRITES", 0xFFFFE080);
        scene.label(230, 6, "SILHOUETTE", 0xFFFFE080);
        scene.label(8, 136, "LINES", 0xFFFFE080);
        scene.label(220, 190, "IMMEDIATE", 0xFFFFE080);
        scene.end_screen();
        scene.end_frame();
    }
}

// One step of subdivision around a vertex. c0 = N, c1-c3 the vertex in the middle, c4... the N - 1 of its
// ring. The ring's corners P become (P before + 6 P + P behind) / 8, and between two of them comes their
// middle. c85 = (1, 0, 0.75, 0.125), c86.x = 0.5, c87 shades the rim; i0 bounds the loop.
ProgramBuilder ring_program()
{
    ProgramBuilder b;
    const FlagCondition x_holds{};
    const auto next = [&](const char* lane, const char* source) // r1.lane = number behind r1.source, in turns
    {
        b.add(r(1)[lane], c(85)["xxxx"], r(1)[source]);
        b.sge(r(2)["x"], r(1)[std::string(4, lane[0]).c_str()], r(0)["xxxx"]);
        b.mul(r(2)["x"], r(2), r(0));
        b.add(r(1)[lane], r(1)[std::string(4, lane[0]).c_str()], -r(2)["xxxx"]);
    };
    const auto rim = [&](u32 slot, bool primitive, const ShaderOperand& position)
    {
        project(b, position);
        b.mul(o(1), c(87), r(9));
        b.set_emit(slot, primitive, false);
        b.emit();
    };
    const auto corner = [&](u32 result) // r[result] = smoothed corner, from r1.x, y, z: before, at, behind
    {
        b.mova("xy", r(1));
        b.mov(r(4), c(4)[A0x]);
        b.mov(r(result), c(4)[A0y]);
        b.mul(r(result), c(85)["zzzz"], r(result));
        b.mad(r(result), r(4), c(85)["wwww"], r(result));
        b.mova("x", r(1)["zzzz"]);
        b.mov(r(4), c(4)[A0x]);
        b.mad(r(result), r(4), c(85)["wwww"], r(result));
    };
    b.mov(r(8), c(1));
    b.mov(r(9), c(2));
    b.mov(r(0), c(0));
    b.add(r(0), -c(85)["xxxx"], r(0)); // vertices of the ring
    b.mov(r(1), c(85)["yyyy"]);
    b.add(r(1)["x"], -c(85)["xxxx"], r(0)); // the last one is before the first
    next("z", "yyyy");
    corner(5);
    b.mov(r(3), c(85)["yyyy"]); // ring vertices done
    b.loop(0);
    b.mova("xy", r(1)["yzyz"]);
    b.mov(r(6), c(4)[A0x]);
    b.add(r(6), c(4)[A0y], r(6));
    b.mul(r(6), c(86)["xxxx"], r(6)); // the middle
    b.mov(r(1)["x"], r(1)["yyyy"]);
    b.mov(r(1)["y"], r(1)["zzzz"]);
    next("z", "yyyy");
    corner(7);
    project(b, r(8));
    b.mov(o(1), r(9));
    b.set_emit(0, false, false);
    b.emit();
    rim(1, false, r(5));
    rim(2, true, r(6));
    rim(1, true, r(7)); // the middle stays in slot 2
    b.mov(r(5), r(7));
    b.add(r(3), c(85)["xxxx"], r(3));
    b.cmp(r(3), CompareOp::GreaterEqual, CompareOp::GreaterEqual, r(0));
    b.break_if(x_holds);
    b.nop();
    b.end_loop();
    b.end();
    return b;
}

void write_variable(StreamScene& scene)
{
    for (u32 frame = 0; frame < 3; ++frame)
    {
        const f32 turn = 0.03f * f32(frame);
        scene.begin_screen(Screen::Top, 0x201828);
        begin_geometry(scene, ring_program(), {GeometryMode::Variable});
        scene.list.geometry_float_uniform(85, {1, 0, 0.75f, 0.125f});
        scene.list.geometry_float_uniform(86, {0.5f, 0, 0, 0});
        scene.list.geometry_float_uniform(87, {0.35f, 0.35f, 0.5f, 1});
        scene.list.write(reg::GSH_INTUNIFORM_I::ids[0], 62);
        std::vector<StreamVertex> vertices;
        std::vector<u16> indices;
        for (u32 n = 0; n < 10; ++n)
        {
            const u32 ring = 3 + n + n / 5 * 2;
            const f32 x = 44 + 78 * f32(n % 5), y = 70 + 100 * f32(n / 5);
            indices.push_back(u16(ring + 1));
            indices.push_back(u16(vertices.size()));
            vertices.push_back(colored(x, y, 0.5f, 0.1f * f32(n)));
            for (u32 i = 0; i < ring; ++i)
            {
                const f32 t = f32(i) / f32(ring) + turn, radius = i % 2 == 0 ? 36.0f : 26.0f;
                indices.push_back(u16(vertices.size()));
                vertices.push_back(colored(x + radius * cosine(t), y + radius * sine(t), 0.5f, t));
            }
        }
        scene.draw_indexed(vertices, indices, Topology::Geometry);
        end_geometry(scene);
        scene.label(8, 6, "VARIABLE MODE: SUBDIVIDED RINGS OF 3 TO 14", 0xFFFFE080);
        scene.end_screen();
        scene.end_frame();
    }
}

// Four vertices of three attributes from c10 on: control points, colours, x size. Particles at t = c70.x,
// then c70.y further each, as many as i0 says; c71.x = 1, c71.yz = 3, c71.w = 0; corners in c85-c88, c89
// shades.
ProgramBuilder particle_program()
{
    ProgramBuilder b;
    b.mov(r(0), c(70)["xxxx"]);
    b.loop(0);
    b.add(r(1), c(71)["xxxx"], -r(0)); // 1 - t
    b.mul(r(2), r(1), r(1));
    b.mul(r(3), r(0), r(0));
    b.mul(r(4)["x"], r(2), r(1)); // Bernstein polynomials
    b.mul(r(4)["y"], r(2), r(0));
    b.mul(r(4)["z"], r(3), r(1));
    b.mul(r(4)["w"], r(3), r(0));
    b.mul(r(4)["yz"], c(71), r(4));
    for (u32 n = 0; n < 3; ++n) // position, colour, size
    {
        b.mul(r(5 + n), c(10 + n), r(4)["xxxx"]);
        b.mad(r(5 + n), r(4)["yyyy"], c(13 + n), r(5 + n));
        b.mad(r(5 + n), r(4)["zzzz"], c(16 + n), r(5 + n));
        b.mad(r(5 + n), r(4)["wwww"], c(19 + n), r(5 + n));
    }
    for (u32 k = 0; k < 4; ++k)
    {
        b.mul(r(8), c(85 + k), r(7)["xxxx"]);
        b.add(r(8), r(8), r(5));
        project(b, r(8));
        b.mul(o(1), c(89), r(6));
        emit_corner(b, k);
    }
    b.add(r(0), c(70)["yyyy"], r(0));
    b.nop();
    b.end_loop();
    b.end();
    return b;
}

void write_fixed(StreamScene& scene)
{
    constexpr u32 kParticles = 28;
    for (u32 frame = 0; frame < 3; ++frame)
    {
        scene.begin_screen(Screen::Top, 0x101018);
        begin_geometry(scene, particle_program(), {GeometryMode::Fixed, 4, 10});
        sprite_corners(scene, 0.02f * f32(frame));
        scene.list.geometry_float_uniform(89, {0.6f, 0.6f, 0.6f, 1});
        scene.list.geometry_float_uniform(70, {0.01f * f32(frame), 1.0f / kParticles, 0, 0});
        scene.list.geometry_float_uniform(71, {1, 3, 3, 0});
        scene.list.write(reg::GSH_INTUNIFORM_I::ids[0], kParticles - 1);
        scene.blend(BlendEquation::Add, BlendFactor::One, BlendFactor::One);
        std::vector<StreamVertex> paths;
        for (u32 i = 0; i < 7; ++i)
        {
            const f32 x = 200, t = f32(i) / 7 + 0.5f / 7, way = (f32(i) - 3) * 70;
            paths.push_back(colored(x, 226, 0.5f, 0.08f, 9));
            paths.push_back(colored(x + 0.2f * way, 60, 0.5f, t, 5));
            paths.push_back(colored(x + 0.7f * way, -20, 0.5f, t, 7));
            paths.push_back(colored(x + 0.9f * way, 190, 0.5f, t + 0.2f, 1));
        }
        scene.draw(paths, Topology::Geometry);
        const std::vector<StreamVertex> ring = {
            colored(20, 40, 0.5f, 0.5f, 3), colored(60, 10, 0.5f, 0.6f, 3), colored(300, 70, 0.5f, 0.7f, 6),
            colored(380, 40, 0.5f, 0.9f, 2)};
        immediate_sprites(scene, ring);
        scene.blend(BlendEquation::Add, BlendFactor::One, BlendFactor::Zero);
        end_geometry(scene);
        scene.label(8, 6, "FIXED MODE: PARTICLES ON PATHS", 0xFFFFE080);
        scene.end_screen();
        scene.end_frame();
    }
}

const GeneratedStream kPoint("t_geometry_point", write_point);
const GeneratedStream kVariable("t_geometry_variable", write_variable);
const GeneratedStream kFixed("t_geometry_fixed", write_fixed);

} // namespace

} // namespace tests
