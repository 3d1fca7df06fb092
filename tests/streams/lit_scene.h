// SPDX-License-Identifier: MIT
// Lit objects in generated streams: meshes with quaternions, a camera, lights and their tables, in the terms
// of pica/hardware/lighting.md. Lights are given in eye space, as in the hardware.
#pragma once

#include "tests/streams/scene.h"

#include <algorithm>
#include <vector>

namespace tests
{

using Vec3f = std::array<f32, 3>;
Vec3f unit(const Vec3f& v);

// x, y, z, w
using Quaternion = std::array<f32, 4>;
Quaternion operator*(const Quaternion& a, const Quaternion& b); // b first
Quaternion turn(u32 axis, f32 turns);
Vec3f rotate(const Quaternion& q, const Vec3f& v);

// p -> position + scale * (rotation p)
struct Pose
{
    Quaternion rotation = {0, 0, 0, 1};
    Vec3f position = {};
    f32 scale = 1;
};
Pose operator*(const Pose& a, const Pose& b); // b first
Matrix matrix_of(const Pose& pose);

// The quaternion rotates z to the normal and x to the tangent (the direction of u).
struct LitVertex
{
    Vec3f position{};
    std::array<s16, 4> quaternion{};
    f32 u = 0, v = 0;
};

struct LitMesh
{
    std::vector<LitVertex> vertices;
    std::vector<u16> indices;
};
LitMesh sphere_mesh(u32 rings, u32 sectors);            // of radius 1, poles on y, u around
LitMesh torus_mesh(u32 rings, u32 sectors, f32 radius); // around z, its ring has radius 1
LitMesh plane_mesh();                                   // -1..1 in x and y, facing z

struct Light
{
    Vec3f position = {};                                        // or direction to the light
    u32 config = 0;                                             // of 0x149: kDirectional | ...
    u32 diffuse = 0, ambient = 0, specular0 = 0, specular1 = 0; // 0xRRGGBB
    Vec3f spot = {0, 0, -1};                                    // the direction in which it shines
    f32 attenuation_scale = 0, attenuation_bias = 0;

    static constexpr u32 kDirectional = 1, kTwoSided = 2, kGeometric0 = 4, kGeometric1 = 8;
};

class LitScene
{
public:
    explicit LitScene(StreamScene& scene) : scene_(scene) {}

    // Call it after begin_screen(). Sets up the program and an empty lighting state. environment: of 0x1C3.
    // tables: the tables in use, with the bits of 0x1C4, but set = on.
    void begin(const Pose& camera, u32 environment, u32 tables);
    static constexpr u32 kD0 = 1u << 16, kD1 = 1u << 17, kFR = 1u << 19, kRB = 1u << 20, kRG = 1u << 21,
                         kRR = 1u << 22, kSpots = 0xFF00, kDistances = 0xFFu << 24;
    void light(u32 number, const Light& light);
    void lights(u32 count) { scene_.list.set(reg::LIGHTING_NUM_LIGHTS::count_minus_1, count - 1); }
    void ambient(u32 rgb);
    // Entry i is curve(i/256), i = 0..256; in a signed table curve(i/128), i = -128..128.
    template <typename Curve>
    void table(LightingLut table, Curve curve)
    {
        std::array<f32, 257> values;
        for (u32 i = 0; i <= 256; ++i)
            values[i] = curve(f32(i) / 256);
        upload(table, values, false);
    }
    template <typename Curve>
    void signed_table(LightingLut table, Curve curve)
    {
        std::array<f32, 257> values;
        for (u32 i = 0; i <= 256; ++i)
            values[i] = curve((f32(i) - 128) / 128);
        upload(table, values, true);
    }
    // Stage 0: primary colour x this colour (or x the texture of a unit). Stage 1: + secondary colour.
    void material(u32 rgb);
    void material(CombinerSource texture);

    // How the coordinates of units 1 and 2 are computed: rows that are multiplied with world positions.
    void projection(const Vec4f& u, const Vec4f& v);
    // A mesh is loaded once after each begin(); it must exist until the next one.
    void draw(const LitMesh& mesh, const Pose& world);
    // Transforms to positions on the screen and in eye space.
    Vec3f eye(const Vec3f& world) const;
    Vec3f eye_direction(const Vec3f& world) const { return rotate(camera_.rotation, world); }
    const Pose& camera() const { return camera_; }

private:
    void upload(LightingLut table, const std::array<f32, 257>& values, bool is_signed);

    struct Loaded
    {
        const LitMesh* mesh;
        u32 vertices, indices;
    };
    const Loaded& load(const LitMesh& mesh);

    StreamScene& scene_;
    Pose camera_;
    std::vector<Loaded> loaded_;
    Vec4f projection_[2] = {{1, 0, 0, 0}, {0, 1, 0, 0}};
};

// x to the power of 2^n.
inline f32 power(f32 x, u32 n)
{
    for (u32 i = 0; i < n; ++i)
        x = x * x;
    return x;
}
inline f32 smooth_step(f32 low, f32 high, f32 x)
{
    const f32 t = std::min(std::max((x - low) / (high - low), 0.0f), 1.0f);
    return t * t * (3 - 2 * t);
}

} // namespace tests
