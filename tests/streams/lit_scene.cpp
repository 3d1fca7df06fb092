// SPDX-License-Identifier: MIT
#include "tests/streams/lit_scene.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace tests
{

namespace
{

// Sign, exponent, mantissa truncated; what is too small is 0.
u32 short_float(f32 value, u32 exponent_bits, u32 mantissa_bits)
{
    const u32 bits = std::bit_cast<u32>(value);
    const s32 exponent = s32(bits >> 23 & 255) - 127 + (1 << (exponent_bits - 1)) - 1;
    if (exponent <= 0)
        return 0;
    return bits >> 31 << (exponent_bits + mantissa_bits) | u32(exponent) << mantissa_bits |
           (bits & 0x7FFFFF) >> (23 - mantissa_bits);
}
u32 float16(f32 value)
{
    return short_float(value, 5, 10);
}

// 0xRRGGBB -> three ten-bit fields.
u32 light_color(u32 rgb)
{
    return (rgb >> 16 & 255) << 20 | (rgb >> 8 & 255) << 10 | (rgb & 255);
}

Vec3f cross(const Vec3f& a, const Vec3f& b)
{
    return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

// Of the rotation with columns t, n x t, n.
std::array<s16, 4> quaternion_of(const Vec3f& t, const Vec3f& n)
{
    const Vec3f b = cross(n, t);
    const f32 m[3][3] = {{t[0], b[0], n[0]}, {t[1], b[1], n[1]}, {t[2], b[2], n[2]}};
    const f32 squares[4] = {1 + m[0][0] - m[1][1] - m[2][2], 1 - m[0][0] + m[1][1] - m[2][2],
                            1 - m[0][0] - m[1][1] + m[2][2], 1 + m[0][0] + m[1][1] + m[2][2]};
    const u32 largest = u32(std::max_element(squares, squares + 4) - squares);
    const f32 xy = m[1][0] + m[0][1], yz = m[2][1] + m[1][2], zx = m[0][2] + m[2][0];
    const f32 wx = m[2][1] - m[1][2], wy = m[0][2] - m[2][0], wz = m[1][0] - m[0][1];
    const f32 s = squares[largest];
    const f32 rows[4][4] = {{s, xy, zx, wx}, {xy, s, yz, wy}, {zx, yz, s, wz}, {wx, wy, wz, s}};
    std::array<s16, 4> q;
    const f32 scale = 16000.0f / (2 * std::sqrt(s));
    for (u32 i = 0; i < 4; ++i)
        q[i] = s16(std::floor(rows[largest][i] * scale + 0.5f));
    return q;
}

// Indices of a grid of rows x columns cells.
void add_grid(LitMesh& mesh, u32 rows, u32 columns)
{
    for (u32 y = 0; y < rows; ++y)
        for (u32 x = 0; x < columns; ++x)
        {
            const u32 a = y * (columns + 1) + x, b = a + 1, c4 = a + columns + 1, d = c4 + 1;
            for (const u32 i : {a, b, c4, c4, b, d})
                mesh.indices.push_back(u16(i));
        }
}

} // namespace

Vec3f unit(const Vec3f& v)
{
    const f32 length = std::sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    return {v[0] / length, v[1] / length, v[2] / length};
}

Quaternion operator*(const Quaternion& a, const Quaternion& b)
{
    return {a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1],
            a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0],
            a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3],
            a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2]};
}

Quaternion turn(u32 axis, f32 turns)
{
    Quaternion q = {0, 0, 0, cosine(turns / 2)};
    q[axis] = sine(turns / 2);
    return q;
}

Vec3f rotate(const Quaternion& q, const Vec3f& v)
{
    const Vec3f axis = {q[0], q[1], q[2]};
    Vec3f t = cross(axis, v);
    for (u32 i = 0; i < 3; ++i)
        t[i] = t[i] + q[3] * v[i];
    const Vec3f c4 = cross(axis, t);
    return {v[0] + 2 * c4[0], v[1] + 2 * c4[1], v[2] + 2 * c4[2]};
}

Pose operator*(const Pose& a, const Pose& b)
{
    Pose result{a.rotation * b.rotation, rotate(a.rotation, b.position), a.scale * b.scale};
    for (u32 i = 0; i < 3; ++i)
        result.position[i] = a.position[i] + a.scale * result.position[i];
    return result;
}

Matrix matrix_of(const Pose& pose)
{
    Matrix m;
    for (u32 column = 0; column < 3; ++column)
    {
        Vec3f axis = {};
        axis[column] = pose.scale;
        const Vec3f turned = rotate(pose.rotation, axis);
        for (u32 row = 0; row < 3; ++row)
            m.row[row][column] = turned[row];
    }
    for (u32 row = 0; row < 3; ++row)
        m.row[row][3] = pose.position[row];
    return m;
}

LitMesh sphere_mesh(u32 rings, u32 sectors)
{
    LitMesh mesh;
    for (u32 ring = 0; ring <= rings; ++ring)
        for (u32 sector = 0; sector <= sectors; ++sector)
        {
            const f32 latitude = f32(ring) / f32(2 * rings) - 0.25f, longitude = f32(sector) / f32(sectors);
            const f32 c4 = cosine(latitude);
            const Vec3f n = unit({c4 * sine(longitude), sine(latitude), c4 * cosine(longitude)});
            const Vec3f t = {cosine(longitude), 0, -sine(longitude)};
            mesh.vertices.push_back({n, quaternion_of(t, n), longitude, f32(ring) / f32(rings)});
        }
    add_grid(mesh, rings, sectors);
    return mesh;
}

LitMesh torus_mesh(u32 rings, u32 sectors, f32 radius)
{
    LitMesh mesh;
    for (u32 ring = 0; ring <= rings; ++ring)
        for (u32 sector = 0; sector <= sectors; ++sector)
        {
            const f32 a = f32(ring) / f32(rings), b = f32(sector) / f32(sectors);
            const Vec3f n = {cosine(a) * cosine(b), cosine(a) * sine(b), sine(a)};
            const Vec3f t = {-sine(b), cosine(b), 0};
            const Vec3f p = {cosine(b) + radius * n[0], sine(b) + radius * n[1], radius * n[2]};
            mesh.vertices.push_back({p, quaternion_of(t, n), b, a});
        }
    add_grid(mesh, rings, sectors);
    return mesh;
}

LitMesh plane_mesh()
{
    LitMesh mesh;
    for (const f32 y : {-1.0f, 1.0f})
        for (const f32 x : {-1.0f, 1.0f})
            mesh.vertices.push_back(
                {{x, y, 0}, quaternion_of({1, 0, 0}, {0, 0, 1}), x * 0.5f + 0.5f, y * 0.5f + 0.5f});
    add_grid(mesh, 1, 1);
    return mesh;
}

// c0-c3 clip space, c4-c6 minus eye space, c8-c11 rotation of quaternions, c12, c13 coordinates of unit 1.
void LitScene::begin(const Pose& camera, u32 environment, u32 tables)
{
    camera_ = camera;
    loaded_.clear();
    constexpr std::array kInputs = {SceneAttribute{AttributeType::F32, 3},
                                    SceneAttribute{AttributeType::S16, 4},
                                    SceneAttribute{AttributeType::F32, 2}};
    constexpr std::array kOutputs = {0x03020100u, 0x07060504u, 0x1F141312u, 0x1F1F0D0Cu, 0x1F1F0F0Eu};
    constexpr const char* kLanes[4] = {"x", "y", "z", "w"};
    ProgramBuilder b;
    for (u32 i = 0; i < 4; ++i)
        b.dp4(o(0)[kLanes[i]], c(i), v(0));
    for (u32 i = 0; i < 4; ++i)
        b.dp4(o(1)[kLanes[i]], c(8 + i), v(1));
    for (u32 i = 0; i < 3; ++i)
        b.dp4(o(2)[kLanes[i]], c(4 + i), v(0));
    b.mov(o(3), v(2));
    for (u32 i = 0; i < 2; ++i)
        b.dp4(o(4)[kLanes[i]], c(12 + i), v(0));
    b.end();
    scene_.program(b, kInputs, kOutputs);
    scene_.depth_test(CompareFunc::Less, true);
    CommandListBuilder& list = scene_.list;
    list.write(reg::LIGHTING_ENABLE0::id, 1);
    list.write(reg::LIGHTING_ENABLE1::id, 0);
    list.write(reg::LIGHTING_AMBIENT::id, 0);
    list.write(reg::LIGHTING_NUM_LIGHTS::id, 0);
    list.write(reg::LIGHTING_CONFIG0::id, 0x80000400 | environment << 4);
    list.write(reg::LIGHTING_CONFIG1::id, ~tables & ~0xFFu);
    list.write(reg::LIGHTING_LUTINPUT_ABS::id, 0);
    list.write(reg::LIGHTING_LUTINPUT_SELECT::id, 0);
    list.set(reg::LIGHTING_LUTINPUT_SELECT::sp, LightingInput::SP);
    list.write(reg::LIGHTING_LUTINPUT_SCALE::id, 0);
    list.write(reg::LIGHTING_LIGHT_PERMUTATION::id, 0x76543210);
    material(0xFFFFFF);
}

void LitScene::light(u32 number, const Light& light)
{
    CommandListBuilder& list = scene_.list;
    const auto fixed = [](f32 x) { return u32(s32(std::floor(-x * 2047 + 0.5f))) & 0x1FFF; };
    list.write(reg::LIGHT_SPECULAR0::ids[number], light_color(light.specular0));
    list.write(reg::LIGHT_SPECULAR1::ids[number], light_color(light.specular1));
    list.write(reg::LIGHT_DIFFUSE::ids[number], light_color(light.diffuse));
    list.write(reg::LIGHT_AMBIENT::ids[number], light_color(light.ambient));
    list.write(reg::LIGHT_XY::ids[number], float16(light.position[0]) | float16(light.position[1]) << 16);
    list.write(reg::LIGHT_Z::ids[number], float16(light.position[2]));
    const Vec3f spot = unit(light.spot);
    list.write(reg::LIGHT_SPOTDIR_XY::ids[number], fixed(spot[0]) | fixed(spot[1]) << 16);
    list.write(reg::LIGHT_SPOTDIR_Z::ids[number], fixed(spot[2]));
    list.write(reg::LIGHT_CONFIG::ids[number], light.config);
    list.write(reg::LIGHT_ATTENUATION_BIAS::ids[number], short_float(light.attenuation_bias, 7, 12));
    list.write(reg::LIGHT_ATTENUATION_SCALE::ids[number], short_float(light.attenuation_scale, 7, 12));
}

void LitScene::ambient(u32 rgb)
{
    scene_.list.write(reg::LIGHTING_AMBIENT::id, light_color(rgb));
}

void LitScene::upload(LightingLut table, const std::array<f32, 257>& values, bool is_signed)
{
    const auto code = [](f32 x) { return s32(std::clamp(x, 0.0f, 1.0f) * 4095.0f + 0.5f); };
    std::array<u32, 256> words;
    for (u32 i = 0; i < 256; ++i)
    {
        const s32 here = code(values[i]), difference = (code(values[i + 1]) - here) / 2;
        words[is_signed ? (i + 128) & 255 : i] =
            u32(here) | u32(std::min(std::abs(difference), 2047)) << 12 | (difference < 0 ? 1u << 23 : 0u);
    }
    scene_.list.write(reg::LIGHTING_LUT_INDEX::id, static_cast<u32>(table) << 8);
    scene_.list.write_repeated(reg::LIGHTING_LUT_DATA::ids[0], words);
}

void LitScene::material(u32 rgb)
{
    scene_.list.write(reg::TEXENV_COLOR::ids[0],
                      0xFF000000 | (rgb & 255) << 16 | (rgb & 0xFF00) | (rgb >> 16 & 255));
    material(CombinerSource::Constant);
}

void LitScene::material(CombinerSource texture)
{
    scene_.combine(0, CombinerOp::Modulate, CombinerSource::FragmentPrimary, texture);
    scene_.combine(1, CombinerOp::Add, CombinerSource::Previous, CombinerSource::FragmentSecondary);
}

void LitScene::projection(const Vec4f& u, const Vec4f& v)
{
    projection_[0] = u;
    projection_[1] = v;
}

void LitScene::draw(const LitMesh& mesh, const Pose& world)
{
    const Pose pose = camera_ * world;
    const Matrix eye = matrix_of(pose);
    scene_.matrix(scene_.perspective() * eye);
    for (u32 i = 0; i < 3; ++i)
    {
        const Vec4f& row = eye.row[i];
        scene_.list.float_uniform(4 + i, {-row[0], -row[1], -row[2], -row[3]});
    }
    const Quaternion& q = pose.rotation;
    const Vec4f product[4] = {{q[3], -q[2], q[1], q[0]},
                              {q[2], q[3], -q[0], q[1]},
                              {-q[1], q[0], q[3], q[2]},
                              {-q[0], -q[1], -q[2], q[3]}};
    for (u32 i = 0; i < 4; ++i)
        scene_.list.float_uniform(8 + i, product[i]);
    const Matrix to_world = matrix_of(world);
    for (u32 i = 0; i < 2; ++i)
    {
        Vec4f row = {0, 0, 0, projection_[i][3]};
        for (u32 k = 0; k < 3; ++k)
            for (u32 column = 0; column < 4; ++column)
                row[column] = row[column] + projection_[i][k] * to_world.row[k][column];
        scene_.list.float_uniform(12 + i, row);
    }
    const Loaded& at = load(mesh);
    scene_.list.write(reg::ATTRIBBUFFER_OFFSET::ids[0], at.vertices);
    scene_.list.draw_elements(Topology::TriangleList, at.indices, IndexType::U16, u32(mesh.indices.size()));
}

const LitScene::Loaded& LitScene::load(const LitMesh& mesh)
{
    for (const Loaded& loaded : loaded_)
        if (loaded.mesh == &mesh)
            return loaded;
    static_assert(sizeof(LitVertex) == 28);
    const auto bytes = [](const auto& items)
    { return std::span(reinterpret_cast<const u8*>(items.data()), items.size() * sizeof items[0]); };
    const u32 vertices = scene_.vertex_bytes(bytes(mesh.vertices));
    loaded_.push_back({&mesh, vertices, scene_.vertex_bytes(bytes(mesh.indices))});
    return loaded_.back();
}

Vec3f LitScene::eye(const Vec3f& world) const
{
    const Vec3f turned = rotate(camera_.rotation, world);
    return {turned[0] + camera_.position[0], turned[1] + camera_.position[1],
            turned[2] + camera_.position[2]};
}

} // namespace tests
