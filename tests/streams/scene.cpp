// SPDX-License-Identifier: MIT
#include "tests/streams/scene.h"

#include "pica/base/float24.h"
#include "pica/regs/external.h"
#include "pica/texture/format.h"
#include "pica/texture/pixel.h"
#include "tests/streams/font.h"
#include "tests/support/scenes/plain_state.h"

#include <utility>

namespace tests
{

namespace
{

constexpr u32 kLcdBufferBytes = 0x60000; // 240 x 400 RGBA8 and some
constexpr u32 kDepthFar = 0x00FFFFFF;
constexpr std::array kUnitEnable = {reg::TEXUNIT_CONFIG::enable0, reg::TEXUNIT_CONFIG::enable1,
                                    reg::TEXUNIT_CONFIG::enable2};
constexpr std::array kStandardInputs = {SceneAttribute{AttributeType::F32, 3},
                                        SceneAttribute{AttributeType::U8, 4},
                                        SceneAttribute{AttributeType::F32, 2}};
// Position, colour, texcoord 0 and 1, texcoord 2.
constexpr std::array kStandardOutputs = {0x03020100u, 0x0B0A0908u, 0x0F0E0D0Cu, 0x1F1F1716u};

u32 align128(u32 bytes)
{
    return (bytes + 127) & ~127u;
}

} // namespace

FillValue fill_value(ColorFormat format, u32 rgba)
{
    std::array<u8, 4> pixel{};
    pack_pixel(format, pixel.data(), rgba);
    const u32 word = load_le<4>(pixel.data());
    switch (bytes_per_pixel(format))
    {
    case 4:
        return {word, FillWidth::Bits32};
    case 3:
        return {word, FillWidth::Bits24};
    default:
        return {word, FillWidth::Bits16};
    }
}

StreamScene::StreamScene()
{
    font_ = texture(TextureFormat::A4, font_image());
}

PhysAddr StreamScene::allocate(u32 bytes)
{
    const PhysAddr address = next_;
    next_ += align128(bytes);
    return address;
}

PhysAddr StreamScene::allocate_vram(u32 bytes)
{
    const PhysAddr address = next_vram_;
    next_vram_ += align128(bytes);
    return address;
}

PhysAddr StreamScene::load(std::span<const u8> bytes)
{
    const PhysAddr address = allocate(u32(bytes.size()));
    trace.memory_load(address, bytes);
    return address;
}

SceneTexture StreamScene::texture(TextureFormat format, const TextureImage& image, bool mipmaps)
{
    SceneTexture result{0, image.width, image.height, format, 1};
    std::vector<u8> bytes = encode_texture(format, image);
    TextureImage level = image;
    while (mipmaps && level.width > 8 && level.height > 8)
    {
        level = half_size(level);
        const std::vector<u8> more = encode_texture(format, level);
        bytes.insert(bytes.end(), more.begin(), more.end());
        ++result.levels;
    }
    result.address = load(bytes);
    return result;
}

SceneTexture StreamScene::texture_of(const SceneTarget& target) const
{
    return {target.color, target.width, target.height, static_cast<TextureFormat>(target.color_format), 1};
}

SceneTarget StreamScene::make_target(u32 width, u32 height, ColorFormat color, DepthFormat depth)
{
    SceneTarget target{0, 0, width, height, color, depth};
    target.color = allocate_vram(width * height * bytes_per_pixel(color));
    target.depth = allocate_vram(width * height * bytes_per_pixel(depth));
    return target;
}

PhysAddr StreamScene::lcd_buffer(Screen screen) const
{
    return kFcramBase + (u32(screen) * 2 + frame_ % 2) * kLcdBufferBytes;
}

void StreamScene::begin_screen(Screen screen, u32 color, u32 stencil)
{
    screen_ = screen;
    const u32 rgba = make_rgba(color >> 16 & 255, color >> 8 & 255, color & 255, 255);
    const SceneTarget target{kVramBase, kVramBase + 0x80000, kScreenHeight, screen_width(screen)};
    use_target(target);
    clear(target, rgba, stencil << 24 | kDepthFar);
    rotated_ = true;
    plain_state();
    standard_program();
    matrix_2d();
}

void StreamScene::use_target(const SceneTarget& target)
{
    submit();
    target_ = target;
    rotated_ = false;
    write_target(target);
}

void StreamScene::write_target(const SceneTarget& target)
{
    list.write(reg::FRAMEBUFFER_FLUSH::id, 1);
    list.write(reg::FRAMEBUFFER_INVALIDATE::id, 1);
    list.set(reg::COLORBUFFER_LOC::address, target.color >> 3);
    list.set(reg::DEPTHBUFFER_LOC::address, target.depth >> 3);
    list.set(reg::COLORBUFFER_FORMAT::format, target.color_format);
    list.set(reg::COLORBUFFER_FORMAT::pixel_size, bytes_per_pixel(target.color_format) - 2);
    list.set(reg::DEPTHBUFFER_FORMAT::format, target.depth_format);
    list.set(reg::FRAMEBUFFER_DIM::width, target.width);
    list.set(reg::FRAMEBUFFER_DIM::height_minus_1, target.height - 1);
    list.set(reg::FRAMEBUFFER_DIM::flip, true);
    list.set(reg::VIEWPORT_WIDTH::value, f32_to_float24(f32(target.width) * 0.5f));
    list.set(reg::VIEWPORT_HEIGHT::value, f32_to_float24(f32(target.height) * 0.5f));
    list.write(reg::VIEWPORT_XY::id, 0);
}

void StreamScene::clear(const SceneTarget& target, u32 rgba, u32 depth_word)
{
    submit();
    const FillValue color = fill_value(target.color_format, rgba);
    const u32 pixels = target.width * target.height;
    trace.memory_fill(target.color, target.color + pixels * bytes_per_pixel(target.color_format), color.value,
                      u32(color.width) << 8);
    const u32 depth_bytes = bytes_per_pixel(target.depth_format);
    if (depth_bytes == 0)
        return;
    const FillWidth width = depth_bytes == 4   ? FillWidth::Bits32
                            : depth_bytes == 3 ? FillWidth::Bits24
                                               : FillWidth::Bits16;
    trace.memory_fill(target.depth, target.depth + pixels * depth_bytes, depth_word, u32(width) << 8);
}

void StreamScene::end_screen()
{
    draw_labels();
    list.write(reg::FRAMEBUFFER_FLUSH::id, 1);
    submit();
    const u32 size = target_.height << 16 | target_.width;
    trace.display_transfer(target_.color, lcd_buffer(screen_), size, size, u32(lcd_format) << 12);
    shown_ |= 1u << u32(screen_);
}

void StreamScene::end_frame()
{
    const u32 b = frame_ % 2;
    const bool stereo = (shown_ >> u32(Screen::TopRight) & 1) != 0;
    for (const Screen screen : {Screen::Top, Screen::TopRight, Screen::Bottom})
    {
        if ((shown_ >> u32(screen) & 1) == 0)
            continue;
        const u32 panel = screen == Screen::Bottom ? 1 : 0;
        const auto& ids = screen == Screen::TopRight
                              ? (b != 0 ? ext::PDC_RIGHT_ADDRESS_B::ids : ext::PDC_RIGHT_ADDRESS_A::ids)
                              : (b != 0 ? ext::PDC_ADDRESS_B::ids : ext::PDC_ADDRESS_A::ids);
        trace.register_write(ids[panel], lcd_buffer(screen));
        // libctru writes 0x80000 and, for one picture without stereo, bit 6 to pass each line twice.
        const u32 interlace = stereo && panel == 0 ? u32(LcdInterlace::AlternateAB) << 4
                              : panel == 0         ? 1u << 6
                                                   : 0;
        trace.register_write(ext::PDC_FORMAT::ids[panel], 0x80000 | interlace | u32(lcd_format));
        trace.register_write(ext::PDC_STRIDE::ids[panel], kScreenHeight * bytes_per_pixel(lcd_format));
        trace.register_write(ext::PDC_SELECT::ids[panel], b);
    }
    trace.frame_marker();
    shown_ = 0;
    ++frame_;
}

void StreamScene::submit()
{
    const std::vector<u32> words = list.finish();
    if (!vertices_.empty())
        trace.memory_load(kVertexBase, std::span<const u8>(vertices_));
    vertices_.clear();
    if (words.size() > 4) // something before the end mark
        trace.command_list(kListAddress, words);
}

void StreamScene::plain_state()
{
    list.write(reg::FRAGOP_ALPHA_TEST::id, 0);
    list.write(reg::STENCIL_TEST::id, 0);
    list.write(reg::STENCIL_OP::id, 0);
    list.write(reg::COLOR_OPERATION::id, 0xE40100);
    list.write(reg::BLEND_FUNC::id, 0);
    list.write(reg::SCISSORTEST_MODE::id, 0);
    list.write(reg::FACECULLING_CONFIG::id, 0);
    list.write(reg::DEPTHMAP_OFFSET::id, 0);
    list.write(reg::TEXENV_UPDATE_BUFFER::id, 0);
    list.write(reg::TEXUNIT_CONFIG::id, 0x1000);
    list.write(reg::LIGHTING_ENABLE0::id, 0);
    list.write(reg::LIGHTING_ENABLE1::id, 1);
    for (u32 stage = 0; stage < 6; ++stage)
    {
        list.write(reg::TEXENV_SOURCE::ids[stage], 0);
        list.write(reg::TEXENV_COLOR::ids[stage], 0);
    }
    write_plain_state(list);
}

void StreamScene::matrix(const Matrix& m)
{
    for (u32 row = 0; row < 4; ++row)
        list.float_uniform(row, m.row[row]);
}

void StreamScene::matrix_2d()
{
    Matrix m;
    if (rotated_)
    {
        // Clip x is up, clip y is left.
        m.row[0] = {0, -2.0f / f32(target_.width), 0, 1};
        m.row[1] = {-2.0f / f32(target_.height), 0, 0, 1};
    }
    else
    {
        m.row[0] = {2.0f / f32(target_.width), 0, 0, -1};
        m.row[1] = {0, -2.0f / f32(target_.height), 0, 1};
    }
    m.row[2] = {0, 0, -1, 0};
    matrix(m);
}

// 53 degrees upwards, near 0.5, far 32. eye_shift moves the eye to the right; what is 4 away has no parallax.
Matrix StreamScene::perspective(f32 eye_shift) const
{
    const f32 width = f32(rotated_ ? target_.height : target_.width);
    const f32 height = f32(rotated_ ? target_.width : target_.height);
    const f32 near = 0.5f, far = 32.0f, focus = 4.0f;
    const f32 sy = 2.0f, sx = sy * height / width;
    const Vec4f x = {sx, 0, -sx * eye_shift / focus, -sx * eye_shift};
    const Vec4f y = {0, sy, 0, 0};
    Matrix m;
    m.row[0] = rotated_ ? y : x;
    m.row[1] = rotated_ ? Vec4f{-x[0], 0, -x[2], -x[3]} : y;
    m.row[2] = {0, 0, far / (far - near), far * near / (far - near)};
    m.row[3] = {0, 0, -1, 0};
    return m;
}

void StreamScene::depth_test(CompareFunc func, bool write)
{
    list.set(reg::DEPTH_COLOR_MASK::depth_test, func != CompareFunc::Always);
    list.set(reg::DEPTH_COLOR_MASK::depth_func, func);
    list.set(reg::DEPTH_COLOR_MASK::depth_write, write);
}

void StreamScene::alpha_blending()
{
    list.set(reg::BLEND_FUNC::color_source, BlendFactor::SourceAlpha);
    list.set(reg::BLEND_FUNC::color_dest, BlendFactor::OneMinusSourceAlpha);
    list.set(reg::BLEND_FUNC::alpha_source, BlendFactor::One);
    list.set(reg::BLEND_FUNC::alpha_dest, BlendFactor::OneMinusSourceAlpha);
}

void StreamScene::scissor(ScissorMode mode, u32 x, u32 y, u32 width, u32 height)
{
    u32 x1 = x, y1 = target_.height - y - height; // window coordinates, y up
    if (rotated_)
    {
        x1 = target_.width - y - height;
        y1 = target_.height - x - width;
        std::swap(width, height);
    }
    list.set(reg::SCISSORTEST_MODE::mode, mode);
    list.write(reg::SCISSORTEST_POS::id, x1 | y1 << 16);
    list.write(reg::SCISSORTEST_DIM::id, (x1 + width - 1) | (y1 + height - 1) << 16);
}

void StreamScene::stencil(CompareFunc func, u32 reference, u32 compare_mask, u32 write_mask)
{
    list.write(reg::STENCIL_TEST::id,
               1 | u32(func) << 4 | write_mask << 8 | reference << 16 | compare_mask << 24);
}

void StreamScene::stencil_ops(StencilOp fail, StencilOp depth_fail, StencilOp pass)
{
    list.write(reg::STENCIL_OP::id, u32(fail) | u32(depth_fail) << 4 | u32(pass) << 8);
}

void StreamScene::blend(BlendEquation equation, BlendFactor source, BlendFactor destination)
{
    list.write(reg::BLEND_FUNC::id, u32(equation) | u32(equation) << 8 | u32(source) << 16 |
                                        u32(destination) << 20 | u32(source) << 24 | u32(destination) << 28);
}

void StreamScene::color_mask(bool r, bool g, bool b, bool a)
{
    list.set(reg::DEPTH_COLOR_MASK::write_r, r);
    list.set(reg::DEPTH_COLOR_MASK::write_g, g);
    list.set(reg::DEPTH_COLOR_MASK::write_b, b);
    list.set(reg::DEPTH_COLOR_MASK::write_a, a);
}

void StreamScene::bind_texture(u32 unit, const SceneTexture& bound)
{
    list.set(reg::TEXUNIT_ADDR::address, bound.address >> 3, unit);
    list.set(reg::TEXUNIT_DIM::width, bound.width, unit);
    list.set(reg::TEXUNIT_DIM::height, bound.height, unit);
    list.set(reg::TEXUNIT_TYPE::format, bound.format, unit);
    list.write(reg::TEXUNIT_PARAM::ids[unit], bound.format == TextureFormat::ETC1 ? 0x20 : 0);
    list.write(reg::TEXUNIT_LOD::ids[unit], (bound.levels - 1) << 16);
    list.set(reg::TEXUNIT_CONFIG::clear_cache, true);
    list.set(kUnitEnable[unit], true);
    if (unit == 0)
        combine(0, CombinerOp::Modulate, CombinerSource::Texture0, CombinerSource::PrimaryColor);
}

void StreamScene::filter(u32 unit, TextureFilter wanted)
{
    list.set(reg::TEXUNIT_PARAM::mag_filter, wanted, unit);
    list.set(reg::TEXUNIT_PARAM::min_filter, wanted, unit);
}

void StreamScene::combine(u32 stage, CombinerOp op, CombinerSource a, CombinerSource b, CombinerSource c)
{
    list.set(reg::TEXENV_SOURCE::color_1, a, stage);
    list.set(reg::TEXENV_SOURCE::color_2, b, stage);
    list.set(reg::TEXENV_SOURCE::color_3, c, stage);
    list.set(reg::TEXENV_SOURCE::alpha_1, a, stage);
    list.set(reg::TEXENV_SOURCE::alpha_2, b, stage);
    list.set(reg::TEXENV_SOURCE::alpha_3, c, stage);
    list.write(reg::TEXENV_OPERAND::ids[stage], 0);
    list.set(reg::TEXENV_COMBINER::color_op, op, stage);
    list.set(reg::TEXENV_COMBINER::alpha_op, op, stage);
}

void StreamScene::upload(const ProgramBuilder& shader)
{
    const std::vector<u32> code = shader.words();
    if (code != code_ || shader.descriptors() != descriptors_)
        list.upload_vertex_program(code, shader.descriptors(), 0);
    code_ = code;
    descriptors_ = shader.descriptors();
}

void StreamScene::program(const ProgramBuilder& shader, std::span<const SceneAttribute> inputs,
                          std::span<const u32> outputs)
{
    upload(shader);
    u32 formats = 0, stride = 0, components = 0, permutation = 0;
    for (u32 i = 0; i < inputs.size(); ++i)
    {
        const u32 bytes = inputs[i].type == AttributeType::F32   ? 4
                          : inputs[i].type == AttributeType::S16 ? 2
                                                                 : 1;
        formats |= (u32(inputs[i].type) | (inputs[i].components - 1) << 2) << (4 * i);
        stride += bytes * inputs[i].components;
        components |= i << (4 * i);
        permutation |= i << (4 * i);
    }
    const u32 count = u32(inputs.size());
    list.set(reg::ATTRIBBUFFERS_LOC::base, kVertexBase >> 4);
    list.write(reg::ATTRIBBUFFERS_FORMAT_LOW::id, formats);
    list.write(reg::ATTRIBBUFFERS_FORMAT_HIGH::id, (count - 1) << 28);
    list.write(reg::ATTRIBBUFFER_CONFIG1::ids[0], components);
    list.write(reg::ATTRIBBUFFER_CONFIG2::ids[0], count << 28 | stride << 16);
    for (u32 buffer = 1; buffer < 12; ++buffer)
        list.write(reg::ATTRIBBUFFER_CONFIG2::ids[buffer], 0);
    list.set(reg::VSH_NUM_ATTR::count_minus_1, count - 1);
    list.set(reg::VSH_INPUTBUFFER_CONFIG::count_minus_1, count - 1);
    list.set(reg::VSH_INPUTBUFFER_CONFIG::role, 0xA0);
    list.write(reg::VSH_ATTRIBUTES_PERMUTATION_LOW::id, permutation);
    list.write(reg::VSH_ATTRIBUTES_PERMUTATION_HIGH::id, 0);
    list.set(reg::SH_OUTMAP_TOTAL::count, u32(outputs.size()));
    list.write_consecutive(reg::SH_OUTMAP_O::id, outputs);
    list.set(reg::VSH_OUTMAP_MASK::mask, (1u << outputs.size()) - 1);
    list.set(reg::VSH_OUTMAP_TOTAL1::count_minus_1, u32(outputs.size()) - 1);
    list.set(reg::VSH_OUTMAP_TOTAL2::count_minus_1, u32(outputs.size()) - 1);
    list.set(reg::PRIMITIVE_CONFIG::outputs_minus_1, u32(outputs.size()) - 1);
}

void StreamScene::standard_program()
{
    ProgramBuilder b;
    for (u32 i = 0; i < 4; ++i)
        b.dp4(o(0)[std::array{"x", "y", "z", "w"}[i]], c(i), v(0));
    b.mul(o(1), c(4), v(1));
    b.mov(o(2), v(2)["xyxy"]);
    b.mov(o(3), v(2)["xyxy"]);
    b.end();
    program(b, kStandardInputs, kStandardOutputs);
    list.float_uniform(4, {1.0f / 255, 1.0f / 255, 1.0f / 255, 1.0f / 255});
}

std::vector<const GeneratedStream*>& GeneratedStream::all()
{
    static std::vector<const GeneratedStream*> streams;
    return streams;
}

GeneratedStream::GeneratedStream(std::string name_, std::function<void(StreamScene&)> write_)
    : name(std::move(name_)), write(std::move(write_))
{
    all().push_back(this);
}

} // namespace tests
