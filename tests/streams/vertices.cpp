// SPDX-License-Identifier: MIT
// How vertices reach the program (pica/hardware/vertex-input.md): the same flower with positions, colours and
// coordinates in every attribute type, with padding, from several buffers, through both index types, with
// fixed attributes and a permutation; then immediate mode in every topology.
#include "pica/base/float24.h"
#include "pica/texture/pixel.h"
#include "tests/streams/pictures.h"
#include "tests/streams/scene.h"

#include <bit>
#include <cmath>
#include <string>

namespace tests
{

namespace
{

constexpr u32 kPetals = 20; // outer vertices; vertex 0 is the centre
constexpr u32 kVertices = kPetals + 1;

struct FlowerVertex
{
    std::array<f32, 4> position, color, texcoord; // -1..1, 0..255, 0..1
};

FlowerVertex flower_vertex(u32 i)
{
    if (i == 0)
        return {{0, 0, 0, 1}, {255, 255, 255, 255}, {0.5f, 0.5f, 0, 1}};
    const f32 angle = f32(i - 1) / f32(kPetals);
    const f32 radius = i % 2 == 0 ? 1.0f : 0.55f;
    const f32 x = radius * cosine(angle), y = radius * sine(angle);
    const auto hue = [&](f32 shift) { return std::floor(127.5f + 127.5f * cosine(angle + shift)); };
    return {{x, y, 0, 1}, {hue(0), hue(0.33f), hue(0.67f), 255}, {x * 0.5f + 0.5f, y * 0.5f + 0.5f, 0, 1}};
}

void put(std::vector<u8>& bytes, AttributeType type, f32 value)
{
    const u32 word =
        type == AttributeType::F32 ? std::bit_cast<u32>(value) : u32(s32(std::floor(value + 0.5f)));
    const u32 size = type == AttributeType::F32 ? 4 : type == AttributeType::S16 ? 2 : 1;
    for (u32 i = 0; i < size; ++i)
        bytes.push_back(u8(word >> (8 * i)));
}

// How one attribute lies in memory: value * scale + offset, in `components` of this type.
struct Encoding
{
    AttributeType type = AttributeType::F32;
    u32 components = 3;
    f32 scale = 1, offset = 0;
};

struct Buffer
{
    std::vector<u32> attributes; // 0 position, 1 colour, 2 texcoord, 12..15 padding
};

struct Cell
{
    const char* name;
    std::array<Encoding, 3> encoding;
    std::vector<Buffer> buffers;
    u32 fixed_mask = 0; // attributes that come from fixed values
    bool textured = false;
    bool permuted = false; // the program's inputs are exchanged
    u32 order = 0;         // 0 fan, 1 u8 indices, 2 u16 indices, 3 array from vertex 7
};

constexpr Encoding kColorU8{AttributeType::U8, 4, 1, 0};
constexpr Encoding kCoordF32{AttributeType::F32, 2, 1, 0};
constexpr Encoding kPositionF32{AttributeType::F32, 3, 1, 0};

const std::vector<Cell>& cells()
{
    static const std::vector<Cell> all = {
        {"S8 POS", {{{AttributeType::S8, 2, 120, 0}, kColorU8, kCoordF32}}, {{{0, 1, 2}}}},
        {"U8 POS", {{{AttributeType::U8, 3, 64, 64}, kColorU8, kCoordF32}}, {{{0, 1, 2}}}},
        {"S16 POS", {{{AttributeType::S16, 4, 30000, 0}, kColorU8, kCoordF32}}, {{{0, 1, 2}}}},
        {"F32 POS", {{{AttributeType::F32, 4, 1, 0}, kColorU8, kCoordF32}}, {{{0, 1, 2}}}},
        {"S8 UV", {{kPositionF32, kColorU8, {AttributeType::S8, 2, 127, 0}}}, {{{0, 1, 2}}}, 0, true},
        {"U8 UV", {{kPositionF32, kColorU8, {AttributeType::U8, 2, 255, 0}}}, {{{0, 1, 2}}}, 0, true},
        {"S16 UV", {{kPositionF32, kColorU8, {AttributeType::S16, 2, 4096, 0}}}, {{{0, 1, 2}}}, 0, true},
        {"F32 RGB", {{kPositionF32, {AttributeType::F32, 3, 1, 0}, kCoordF32}}, {{{0, 1, 2}}}},
        {"PADDING",
         {{{AttributeType::S8, 3, 120, 0}, {AttributeType::U8, 3, 1, 0}, kCoordF32}},
         {{{0, 12, 1, 15, 13, 2, 14}}}},
        {"2 BUFFERS", {{kPositionF32, kColorU8, kCoordF32}}, {{{2, 0}}, {{1}}}, 0, true},
        {"3 BUFFERS", {{kPositionF32, kColorU8, kCoordF32}}, {{{1}}, {{0}}, {{2}}}},
        {"PERMUTED", {{kPositionF32, kColorU8, kCoordF32}}, {{{0, 1, 2}}}, 0, true, true},
        {"U8 INDEX", {{kPositionF32, kColorU8, kCoordF32}}, {{{0, 1, 2}}}, 0, false, false, 1},
        {"U16 INDEX", {{kPositionF32, kColorU8, kCoordF32}}, {{{0, 1, 2}}}, 0, true, false, 2},
        {"FIRST 7", {{kPositionF32, kColorU8, kCoordF32}}, {{{0, 1, 2}}}, 0, false, false, 3},
        {"FIXED RGBA", {{kPositionF32, kColorU8, kCoordF32}}, {{{0, 2}}}, 2, true},
    };
    return all;
}

u32 element_size(AttributeType type)
{
    return type == AttributeType::F32 ? 4 : type == AttributeType::S16 ? 2 : 1;
}

// position = c5 * v + c6 through the matrix, colour = c7 * v, coordinate = c8 * v
void upload_flower_program(StreamScene& scene, bool permuted)
{
    ProgramBuilder b;
    const ShaderOperand position = v(permuted ? 2 : 0), color = v(permuted ? 0 : 1), uv = v(permuted ? 1 : 2);
    b.mul(r(0), c(5), position);
    b.add(r(0), c(6), r(0));
    b.mov(r(0)["w"], c(9));
    for (u32 i = 0; i < 4; ++i)
        b.dp4(o(0)[std::array{"x", "y", "z", "w"}[i]], c(i), r(0));
    b.mul(o(1)["xyz"], c(7), color);
    b.mov(o(1)["w"], c(9));
    b.mul(o(2), c(8), uv["xyxy"]);
    b.end();
    scene.upload(b);
    scene.list.float_uniform(9, {1, 1, 1, 1});
}

void draw_cell(StreamScene& scene, const Cell& cell, f32 x, f32 y, f32 turn)
{
    CommandListBuilder& list = scene.list;
    scene.matrix_2d();
    upload_flower_program(scene, cell.permuted);
    const auto uniform = [&](u32 index, f32 value) {
        list.float_uniform(index, {value, value, value, value});
    };
    const Encoding& position = cell.encoding[0];
    // The flower has radius 26 around (x, y); its turn is in the colours.
    uniform(5, 26 / position.scale);
    const f32 bias = -26 * position.offset / position.scale;
    list.float_uniform(6, {x + bias, y + bias, bias, 0});
    uniform(7, 1.0f / 255);
    uniform(8, 1.0f / cell.encoding[2].scale);

    u32 formats = 0;
    for (u32 a = 0; a < 3; ++a)
        formats |= (u32(cell.encoding[a].type) | (cell.encoding[a].components - 1) << 2) << (4 * a);
    list.write(reg::ATTRIBBUFFERS_FORMAT_LOW::id, formats);
    list.write(reg::ATTRIBBUFFERS_FORMAT_HIGH::id, 2u << 28 | cell.fixed_mask << 16);
    list.write(reg::VSH_ATTRIBUTES_PERMUTATION_LOW::id, cell.permuted ? 0x102 : 0x210);
    const auto value_of = [&](u32 attribute, u32 vertex)
    {
        FlowerVertex value = flower_vertex(vertex);
        if (vertex != 0)
            value.color = flower_vertex(1 + (vertex - 1 + u32(turn)) % kPetals).color;
        return attribute == 0 ? value.position : attribute == 1 ? value.color : value.texcoord;
    };
    const u32 repeat = cell.order == 3 ? 7 : 0; // vertices in front that the draw skips
    for (u32 i = 0; i < 3; ++i)
        list.write(reg::ATTRIBBUFFER_CONFIG2::ids[i], 0);
    for (u32 i = 0; i < cell.buffers.size(); ++i)
    {
        const Buffer& buffer = cell.buffers[i];
        std::vector<u8> bytes;
        u64 components = 0;
        std::size_t stride = 0;
        for (u32 n = 0; n < kVertices + repeat; ++n)
        {
            std::vector<u8> vertex;
            components = 0;
            for (u32 at = 0; at < buffer.attributes.size(); ++at)
            {
                const u32 attribute = buffer.attributes[at];
                components |= u64{attribute} << (4 * at);
                const u32 align = attribute >= 12 ? 4 : element_size(cell.encoding[attribute].type);
                vertex.resize((vertex.size() + align - 1) / align * align);
                if (attribute >= 12)
                {
                    vertex.resize(vertex.size() + 4 * (attribute - 11), 0xEE);
                    continue;
                }
                const Encoding& encoding = cell.encoding[attribute];
                const std::array<f32, 4> value = value_of(attribute, n < repeat ? 0 : n - repeat);
                for (u32 k = 0; k < encoding.components; ++k)
                    put(vertex, encoding.type,
                        k == 3 && attribute == 0 ? 1 : value[k] * encoding.scale + encoding.offset);
            }
            stride = vertex.size();
            bytes.insert(bytes.end(), vertex.begin(), vertex.end());
        }
        list.write(reg::ATTRIBBUFFER_OFFSET::ids[i], scene.vertex_bytes(bytes));
        list.write(reg::ATTRIBBUFFER_CONFIG1::ids[i], u32(components));
        list.write(reg::ATTRIBBUFFER_CONFIG2::ids[i],
                   u32(buffer.attributes.size()) << 28 | u32(stride) << 16 | u32(components >> 32));
    }
    if (cell.fixed_mask != 0)
        list.fixed_attribute(1, {255, 190, 60 + 50 * turn, 255});
    if (cell.order == 0 || cell.order == 3)
    {
        // The fan is not closed: the gap shows where it begins.
        list.draw_arrays(Topology::TriangleFan, repeat, kVertices);
        return;
    }
    std::vector<u8> indices;
    for (u32 i = 0; i < kPetals; ++i)
        for (const u32 index : {0u, 1 + i, 1 + (i + 1) % kPetals})
            put(indices, cell.order == 1 ? AttributeType::U8 : AttributeType::S16, f32(index));
    list.draw_elements(Topology::TriangleList, scene.vertex_bytes(indices),
                       cell.order == 1 ? IndexType::U8 : IndexType::U16, 3 * kPetals);
}

void write_vertex_formats(StreamScene& scene)
{
    const SceneTexture land = scene.texture(TextureFormat::RGB565, landscape(64));
    for (u32 frame = 0; frame < 3; ++frame)
    {
        scene.begin_screen(Screen::Top, 0x182028);
        for (u32 i = 0; i < cells().size(); ++i)
        {
            const Cell& cell = cells()[i];
            const f32 x = 50 + f32(i % 4) * 100, y = 26 + f32(i / 4) * 60;
            scene.bind_texture(0, land);
            scene.combine(0, cell.textured ? CombinerOp::AddSigned : CombinerOp::Replace,
                          CombinerSource::PrimaryColor, CombinerSource::Texture0);
            draw_cell(scene, cell, x, y, f32(frame * 3));
            scene.label(x - f32(std::string_view(cell.name).size()) * 3, y + 25, cell.name);
        }
        scene.end_screen();
        scene.end_frame();
    }
}

// Position and colour through the standard program's first two inputs, a group of three words each.
void immediate_vertex(CommandListBuilder& list, f32 x, f32 y, const std::array<f32, 4>& color)
{
    for (const std::array<f32, 4>& value : {std::array<f32, 4>{x, y, 0, 1}, color, std::array<f32, 4>{}})
    {
        const u32 a = f32_to_float24(value[0]), b = f32_to_float24(value[1]), d = f32_to_float24(value[2]),
                  e = f32_to_float24(value[3]);
        list.write_consecutive(reg::FIXEDATTRIB_DATA::id,
                               std::array{e << 8 | d >> 16, d << 16 | b >> 8, b << 24 | a});
    }
}

void begin_immediate(CommandListBuilder& list, Topology topology)
{
    list.set(reg::PRIMITIVE_CONFIG::topology, topology);
    list.write(reg::RESTART_PRIMITIVE::id, 1);
    list.set(reg::START_DRAW_FUNC0::configuring, false);
    list.write(reg::FIXEDATTRIB_INDEX::id, 15);
}

void end_immediate(CommandListBuilder& list)
{
    list.set(reg::START_DRAW_FUNC0::configuring, true);
    list.write(reg::VTX_FUNC::id, 1);
}

std::array<f32, 4> rainbow(f32 t)
{
    return {127 + 127 * cosine(t), 127 + 127 * cosine(t + 0.33f), 127 + 127 * cosine(t + 0.67f), 255};
}

void write_immediate(StreamScene& scene)
{
    for (u32 frame = 0; frame < 4; ++frame)
    {
        const f32 phase = f32(frame) * 0.07f;
        scene.begin_screen(Screen::Top, 0x101828);
        CommandListBuilder& list = scene.list;
        begin_immediate(list, Topology::TriangleList);
        for (u32 i = 0; i < 16; ++i)
            for (u32 k = 0; k < 3; ++k)
            {
                const f32 angle = f32(i) / 16 + phase + (k == 0 ? 0 : (f32(k) - 1.5f) * 0.045f);
                const f32 radius = k == 0 ? 16 : 48;
                immediate_vertex(list, 66 + radius * cosine(angle), 66 + radius * sine(angle),
                                 rainbow(f32(i) / 16 + f32(k) * 0.1f));
            }
        end_immediate(list);
        scene.label(48, 118, "LIST");

        begin_immediate(list, Topology::TriangleStrip);
        for (u32 i = 0; i < 40; ++i)
        {
            const f32 t = f32(i / 2) / 19;
            immediate_vertex(list, 136 + t * 124,
                             60 + 24 * sine(t * 1.5f + phase) + (i % 2 == 0 ? -16.0f : 16.0f) * (1.2f - t),
                             rainbow(t + (i % 2 == 0 ? 0.0f : 0.2f)));
        }
        end_immediate(list);
        scene.label(180, 118, "STRIP");

        begin_immediate(list, Topology::TriangleFan);
        immediate_vertex(list, 334, 66, {255, 255, 255, 255});
        for (u32 i = 0; i <= 24; ++i)
            immediate_vertex(list, 334 + 50 * cosine(f32(i) / 24 + phase) * (i % 2 == 0 ? 1.0f : 0.7f),
                             66 + 50 * sine(f32(i) / 24 + phase) * (i % 2 == 0 ? 1.0f : 0.7f),
                             rainbow(f32(i) / 24));
        end_immediate(list);
        scene.label(322, 118, "FAN");

        // Topology 3 without a geometry shader is a list; restart in the middle of a strip; more than one
        // batch without a restart continues the strip.
        begin_immediate(list, Topology::Geometry);
        for (u32 i = 0; i < 24; ++i)
            immediate_vertex(list, 20 + f32(i / 3) * 13 + std::array{0.0f, 11.0f, 5.5f}[i % 3],
                             std::array{200.0f, 200.0f, 150.0f}[i % 3] - 8 * sine(f32(i / 3) / 8 + phase),
                             rainbow(f32(i / 3) / 8 + phase));
        end_immediate(list);
        scene.label(28, 210, "TOPOLOGY 3");

        begin_immediate(list, Topology::TriangleStrip);
        for (u32 i = 0; i < 16; ++i)
        {
            if (i == 8)
            {
                list.write(reg::RESTART_PRIMITIVE::id, 1);
                list.write(reg::FIXEDATTRIB_INDEX::id, 15);
            }
            immediate_vertex(list, 150 + f32(i / 2) * 14, (i % 2 == 0 ? 150.0f : 196.0f) + 6 * f32(frame),
                             rainbow(f32(i) / 16 + phase));
        }
        end_immediate(list);
        scene.label(176, 224, "RESTART");

        begin_immediate(list, Topology::TriangleStrip);
        for (u32 i = 0; i < 16; ++i)
        {
            if (i == 7) // the state changes, the strip goes on
                list.write(reg::FIXEDATTRIB_INDEX::id, 15);
            immediate_vertex(list, 282 + f32(i / 2) * 14, i % 2 == 0 ? 150.0f : 196.0f,
                             rainbow(f32(i) / 16 - phase));
        }
        end_immediate(list);
        scene.label(300, 210, "CONTINUED");
        scene.end_screen();
        scene.end_frame();
    }
}

const GeneratedStream kVertexFormats("t_vertex_formats", write_vertex_formats);
const GeneratedStream kImmediate("t_immediate", write_immediate);

} // namespace

} // namespace tests
