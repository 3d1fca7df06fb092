// SPDX-License-Identifier: MIT
// What generated streams are written with: a few calls for whole scenes, and `list` for everything else.
//
// A family of streams is one source file in this folder:
//
//     void write_spinning(StreamScene& scene)
//     {
//         const TextureImage picture = ...;
//         const SceneTexture texture = scene.texture(TextureFormat::RGB565, picture);
//         for (u32 frame = 0; frame < 3; ++frame)
//         {
//             scene.begin_screen(Screen::Top, 0x402010);        // clears, plain state, 3D or 2D matrix
//             scene.matrix(scene.perspective() * translation(0, 0, -4) * rotation_y(0.1f * f32(frame)));
//             scene.depth_test(CompareFunc::Less, true);
//             scene.bind_texture(0, texture);                   // unit 0, texture x primary colour
//             scene.draw_box(...);  scene.draw(vertices, Topology::TriangleStrip);
//             scene.list.set(reg::LOGIC_OP::op, LogicOp::Xor);  // any register
//             scene.matrix_2d();
//             scene.label(4, 4, "SPINNING");                    // drawn on top when the screen ends
//             scene.end_screen();                               // runs the list, copies to the LCD's buffer
//             scene.end_frame();                                // LCD registers, frame marker
//         }
//     }
//     const GeneratedStream kSpinning("t_spinning", write_spinning);
//
// Then:
//     cmake ...                                                 # because there is a new file
//     ninja picavk_make_streams
//     build/.../tests/make_streams --write samples/streams t_spinning
//     picavk render ..., picavk validate ...                    # look at the pictures, compare the backends
//     tests/update-golden --update-golden t_spinning
// The ctest entry `streams` fails if a bundled file is not what its generator writes. Names start with t_.
// Keep a file below 600 KB (memory contents are stored uncompressed) and use only deterministic arithmetic
// (matrix.h).
//
// Conventions. 2D coordinates are pixels of the upright picture from its top left corner, depth 0 (near) to
// 1. The LCD is mounted rotated, so targets are 240 wide and 400 (320) high; the matrices turn the picture.
// Eye space is OpenGL's: x right, y up, looking along -z. Window depth d = -z/w: 0 at the near plane, 1 at
// the far plane.
#pragma once

#include "pica/memory/guest_memory.h"
#include "pica/transfer/scanout.h"
#include "tests/streams/matrix.h"
#include "tests/support/pictures/texture_encoder.h"
#include "tests/support/programs/program_builder.h"
#include "tests/support/recordings/ctf_writer.h"
#include "tests/support/scenes/command_list_builder.h"

#include <functional>
#include <string>
#include <string_view>

namespace tests
{

// A vertex of the standard program: position, colour (0..255), one texture coordinate for all three units.
struct StreamVertex
{
    f32 x = 0, y = 0, z = 0;
    u8 r = 255, g = 255, b = 255, a = 255;
    f32 u = 0, v = 0;
};

struct SceneTexture
{
    PhysAddr address = 0;
    u32 width = 0, height = 0;
    TextureFormat format{};
    u32 levels = 1;
};

// A colour and a depth buffer, width x height pixels of memory.
struct SceneTarget
{
    PhysAddr color = 0, depth = 0;
    u32 width = 0, height = 0;
    ColorFormat color_format = ColorFormat::RGBA8;
    DepthFormat depth_format = DepthFormat::D24S8;
};

struct SceneAttribute
{
    AttributeType type;
    u32 components;
};

class StreamScene
{
public:
    // Memory map: targets of the screens and allocate_vram() are in VRAM; LCD buffers, the command list,
    // vertices and allocate() are in FCRAM.
    static constexpr PhysAddr kListAddress = kFcramBase + 0x300000;
    static constexpr PhysAddr kVertexBase = kFcramBase + 0x400000;

    StreamScene();

    CommandListBuilder list; // submit() and end_screen() execute it
    CtfWriter trace;         // for what has no method here; comes before what is still in `list`

    // --- Memory
    PhysAddr allocate(u32 bytes);      // 128-byte aligned, not initialised
    PhysAddr allocate_vram(u32 bytes); // the same
    PhysAddr load(std::span<const u8> bytes);
    // With mipmaps: all levels down to 8 pixels.
    SceneTexture texture(TextureFormat format, const TextureImage& image, bool mipmaps = false);
    // A texture in memory that the GPU writes.
    SceneTexture texture_of(const SceneTarget& target) const;
    SceneTarget make_target(u32 width, u32 height, ColorFormat color, DepthFormat depth);

    // --- Frames
    // color: 0xRRGGBB. Clears the target, writes the plain state, selects matrix_2d().
    void begin_screen(Screen screen, u32 color, u32 stencil = 0);
    void end_screen();
    // Makes the LCDs show what end_screen() transferred, and ends the frame.
    void end_frame();
    // The format of the LCD buffers from the next end_screen() on.
    PixelFormat lcd_format = PixelFormat::RGB8;

    // --- Other targets. `list` is submitted first, so that clears and draws keep their order.
    void use_target(const SceneTarget& target);
    // color: RGBA8, R in bits 0-7. depth_word: a depth code in the target's format.
    void clear(const SceneTarget& target, u32 rgba, u32 depth_word);
    // Executes `list` and loads the vertices that it reads.
    void submit();

    // --- State (everything else: list.set)
    void plain_state(); // as after begin_screen(), but keeps target and matrix
    void matrix(const Matrix& m);
    void matrix_2d();                              // pixels of the current screen or target
    Matrix perspective(f32 eye_shift = 0) const;   // of the current screen; see below
    void depth_test(CompareFunc func, bool write); // CompareFunc::Always: test off
    void alpha_blending();                         // source alpha, 1 - source alpha
    // A rectangle of the upright picture.
    void scissor(ScissorMode mode, u32 x, u32 y, u32 width, u32 height);
    void stencil(CompareFunc func, u32 reference, u32 compare_mask = 0xFF, u32 write_mask = 0xFF);
    void stencil_ops(StencilOp fail, StencilOp depth_fail, StencilOp pass);
    void blend(BlendEquation equation, BlendFactor source, BlendFactor destination); // for colour and alpha
    void color_mask(bool r, bool g, bool b, bool a);
    void bind_texture(u32 unit, const SceneTexture& texture); // nearest filter, clamped; see combine()
    void filter(u32 unit, TextureFilter filter);
    // One combiner stage with three operands as they are (colour as RGB, alpha as A).
    void combine(u32 stage, CombinerOp op, CombinerSource a, CombinerSource b = CombinerSource::PrimaryColor,
                 CombinerSource c = CombinerSource::PrimaryColor);
    // Uploads only the program, or the program and the layout of its inputs in memory (interleaved); output
    // maps are as for SH_OUTMAP_O0... begin_screen() selects the standard program: c0-c3 matrix, c4 = 1/255.
    void upload(const ProgramBuilder& program);
    void program(const ProgramBuilder& program, std::span<const SceneAttribute> inputs,
                 std::span<const u32> outputs);
    void standard_program();

    // --- Draws with the current state
    void draw(std::span<const StreamVertex> vertices, Topology topology = Topology::TriangleList);
    void draw_bytes(std::span<const u8> vertices, u32 count, Topology topology);
    void draw_indexed(std::span<const StreamVertex> vertices, std::span<const u16> indices,
                      Topology topology = Topology::TriangleList);
    // 2D rectangles. Colour is 0xAARRGGBB; texture coordinates are (0,0) at the lower left.
    void rectangle(f32 x, f32 y, f32 width, f32 height, u32 argb, f32 depth = 0);
    void sprite(f32 x, f32 y, f32 width, f32 height, f32 u_range = 1, f32 v_range = 1);
    // A box with edge length 2 around the origin; each face has a colour and the whole texture.
    void draw_box(const std::array<u32, 6>& face_argb);
    // Puts bytes into the vertex memory of this list. Returns the value for ATTRIBBUFFER_OFFSET and
    // INDEXBUFFER_CONFIG.
    u32 vertex_bytes(std::span<const u8> bytes);

    // Text on top of everything. Coordinates are in pixels of the upright screen.
    void label(f32 x, f32 y, std::string_view text, u32 argb = 0xFFFFFFFF, f32 scale = 1);

    // Number of completed frames; the LCD buffers alternate with it.
    u32 frame() const { return frame_; }
    const SceneTarget& screen_target() const { return target_; }

private:
    void write_target(const SceneTarget& target);
    void draw_labels();
    PhysAddr lcd_buffer(Screen screen) const;

    u32 next_ = kFcramBase + 0x800000;
    u32 next_vram_ = kVramBase + 0x100000;
    std::vector<u8> vertices_;
    std::vector<StreamVertex> labels_; // four for each letter
    SceneTexture font_;
    Screen screen_ = Screen::Top;
    SceneTarget target_;
    bool rotated_ = true; // a screen; other targets are upright
    u32 frame_ = 0;
    u32 shown_ = 0; // a bit for each Screen that was transferred in this frame
    std::vector<u32> code_, descriptors_;
};

// A clear value of the memory fill engine for one pixel of this colour, and its width.
struct FillValue
{
    u32 value;
    FillWidth width;
};
FillValue fill_value(ColorFormat format, u32 rgba);

// Registers itself, so that make_streams writes it.
struct GeneratedStream
{
    GeneratedStream(std::string name, std::function<void(StreamScene&)> write);

    std::string name;
    std::function<void(StreamScene&)> write;

    static std::vector<const GeneratedStream*>& all();
};

} // namespace tests
