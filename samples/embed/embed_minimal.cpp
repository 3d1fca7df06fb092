// SPDX-License-Identifier: MIT
// The guide to embedding as one program: guest memory, a command list, a picture. Plays the part of an
// emulator whose guest clears a framebuffer, draws a triangle and shows it. Guide: renderer/EMBEDDING.md. The
// same in C: samples/embed/embed_minimal.c.
//
//     embed_minimal [software|vulkan|validate] [OUT.ppm] [SCALE]
//
// SCALE, 1 to 8, is the internal resolution: pictures have SCALE times the size.
#include <picavk/picavk.hpp>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iostream>
#include <string_view>

namespace
{

using u8 = std::uint8_t;
using u32 = std::uint32_t;

// The guest's memory layout, in physical addresses.
constexpr u32 kVram = 0x18000000, kFcram = 0x20000000;
constexpr u32 kColorBuffer = kVram, kScreenBuffer = kVram + 0x100000;
constexpr u32 kCommandList = kFcram, kVertices = kFcram + 0x10000;
constexpr u32 kWidth = 240, kHeight = 400; // of the top screen, which is mounted turned by 90 degrees

// The guest's side: the command list that its GPU library would write.
class CommandList
{
public:
    // Appends the value, then the register with the byte mask.
    void write(u32 id, u32 value)
    {
        words_.push_back(value);
        words_.push_back(id | 0xFu << 16);
    }

    // mov o0, v0; mov o1, v1; end. One operand descriptor: xyzw -> xyzw.
    void upload_program()
    {
        write(0x2CB, 0); // VSH_CODETRANSFER_INDEX
        for (const u32 instruction : {0x4C000000u, 0x4C201000u, 0x88000000u})
            write(0x2CC, instruction);
        write(0x2BF, 1); // VSH_CODETRANSFER_END
        write(0x2D5, 0); // VSH_OPDESCS_INDEX
        write(0x2D6, 0x0000036F);
        write(0x2BA, 0x7FFF0000); // VSH_ENTRYPOINT 0
        write(0x04F, 2);          // SH_OUTMAP_TOTAL
        write(0x050, 0x03020100); // o0: position
        write(0x051, 0x0B0A0908); // o1: colour
        write(0x2BD, 3);          // VSH_OUTMAP_MASK
        write(0x24A, 1);          // VSH_OUTMAP_TOTAL1, minus 1
        write(0x251, 1);          // VSH_OUTMAP_TOTAL2, minus 1
    }

    // Two attributes of four floats each, one after the other.
    void describe_vertices()
    {
        write(0x200, kVertices >> 3); // ATTRIBBUFFERS_LOC
        write(0x201, 0xFF);           // ATTRIBBUFFERS_FORMAT_LOW: 4 x float, twice
        write(0x202, 1u << 28);       // ATTRIBBUFFERS_FORMAT_HIGH: count minus 1
        write(0x203, 0);              // ATTRIBBUFFER0_OFFSET
        write(0x204, 0x10);           // ATTRIBBUFFER0_CONFIG1: attributes 0, 1
        write(0x205, 32u << 16 | 2u << 28);
        write(0x242, 1);          // VSH_NUM_ATTR, minus 1
        write(0x2B9, 0xA0000001); // VSH_INPUTBUFFER_CONFIG
        write(0x2BB, 0x10);       // attribute i goes to v<i>
    }

    void describe_fragments()
    {
        for (const u32 stage : {0x0C0u, 0x0C8u, 0x0D0u, 0x0D8u, 0x0F0u, 0x0F8u})
        {
            // TEXENV_SOURCE: stage 0 replaces by the primary colour, the others by the previous stage; no
            // scale.
            write(stage, stage == 0x0C0 ? 0 : 0x000F000F);
            for (const u32 part : {1u, 2u, 4u})
                write(stage + part, 0);
        }
        write(0x040, 0);          // no culling
        write(0x041, 0x45E000);   // VIEWPORT_WIDTH: 120 as float24
        write(0x043, 0x469000);   // VIEWPORT_HEIGHT: 200
        write(0x04D, 0xBF0000);   // DEPTHMAP_SCALE: -1
        write(0x06D, 1);          // DEPTHMAP_ENABLE
        write(0x068, 0);          // VIEWPORT_XY
        write(0x100, 0x00000100); // COLOR_OPERATION: blend
        write(0x101, 0x01010000); // BLEND_FUNC: source + 0
        write(0x104, 0);          // no alpha test
        write(0x105, 0);          // no stencil test
        write(0x107, 0x0F00);     // no depth test, all colours written
        write(0x112, 0xF);        // COLORBUFFER_READ
        write(0x113, 0xF);        // COLORBUFFER_WRITE
        write(0x117, 2);          // COLORBUFFER_FORMAT: RGBA8
        write(0x11D, kColorBuffer >> 3);
        write(0x11E, kWidth | (kHeight - 1) << 12 | 1u << 24);
    }

    void draw_triangles(u32 vertices)
    {
        write(0x25E, 1);          // PRIMITIVE_CONFIG: a list of triangles
        write(0x25F, 1);          // RESTART_PRIMITIVE
        write(0x227, 0x80000000); // INDEXBUFFER_CONFIG: no indices, as citro3d sets it
        write(0x228, vertices);   // NUMVERTICES
        write(0x22A, 0);          // VERTEX_OFFSET
        write(0x253, 1);          // GEOSTAGE_CONFIG2: arrays
        write(0x245, 0);          // START_DRAW_FUNC0: drawing
        write(0x22E, 1);          // DRAWARRAYS
        write(0x245, 1);
        write(0x253, 0);
    }

    const std::vector<u32>& finish()
    {
        write(0x010, 0x12345678); // the list ends: interrupt P3D
        while (words_.size() % 4 != 0)
            words_.push_back(0);
        return words_;
    }

private:
    std::vector<u32> words_;
};

void check(const picavk::Status& status)
{
    if (status)
        return;
    std::cerr << "embed_minimal: " << status.message << "\n";
    std::exit(1);
}

} // namespace

int main(int argc, char** argv)
{
    const std::string_view backend = argc > 1 ? argv[1] : "software";
    const char* out = argc > 2 ? argv[2] : "embed_minimal.ppm";
    // The console has 128 MiB of FCRAM. Memory that is not there reads as 0.
    std::vector<u8> vram(6 * 1024 * 1024), fcram(1024 * 1024);

    // 1. A context over the emulator's memory.
    int command_lists = 0;
    picavk::Options options;
    options.backend = backend == "vulkan"     ? picavk::Backend::Vulkan
                      : backend == "validate" ? picavk::Backend::Validate
                                              : picavk::Backend::Software;
    options.scale = argc > 3 ? static_cast<u32>(std::strtoul(argv[3], nullptr, 10)) : 1;
    options.regions = {{kVram, static_cast<u32>(vram.size()), vram.data()},
                       {kFcram, static_cast<u32>(fcram.size()), fcram.data()}};
    options.on_interrupt = [&](picavk::Interrupt which) { command_lists += which == picavk::Interrupt::P3d; };
    options.on_report = [](picavk::ReportKind, const char* cause, const char* detail)
    { std::cerr << cause << ": " << detail << "\n"; };
    auto [context, created] = picavk::Context::create(std::move(options));
    check(created);

    // 2. The guest's CPU writes vertices and a command list. Both are announced to picavk, before and after.
    CommandList list;
    list.upload_program();
    list.describe_vertices();
    list.describe_fragments();
    list.draw_triangles(3);
    const std::vector<u32>& words = list.finish();
    const u32 list_bytes = static_cast<u32>(words.size() * sizeof(u32));
    const float triangle[3][8] = {{-0.8f, -0.8f, -0.5f, 1, 1, 0, 0, 1},
                                  {0.8f, -0.8f, -0.5f, 1, 0, 1, 0, 1},
                                  {0, 0.8f, -0.5f, 1, 0, 0, 1, 1}};
    check(context.will_write(kFcram, static_cast<u32>(fcram.size())));
    std::memcpy(&fcram[kVertices - kFcram], triangle, sizeof triangle);
    std::memcpy(&fcram[kCommandList - kFcram], words.data(), list_bytes);
    check(context.did_write(kFcram, static_cast<u32>(fcram.size())));

    // 3. The guest's GX service clears, draws, and converts the tiles to the screen's rows of RGB8.
    const u32 size = kWidth | kHeight << 16;
    check(context.memory_fill(kColorBuffer, kColorBuffer + kWidth * kHeight * 4, 0x404040FF, 32));
    check(context.submit_command_list(kCommandList, list_bytes));
    check(context.display_transfer(kColorBuffer, kScreenBuffer, size, size, 1u << 12));

    // 4. The guest's GSP service makes the top screen show that buffer, and the frame ends.
    PicavkFramebuffer framebuffer{};
    framebuffer.left_address = kScreenBuffer;
    framebuffer.stride = kWidth * 3;
    framebuffer.format = 1; // RGB8
    check(context.set_framebuffer(picavk::Screen::Top, framebuffer));
    check(context.end_frame());

    // 5. The host shows it: a picture of SCALE times the screen's size.
    u32 width = 0, height = 0;
    check(context.screen_size(picavk::Screen::Top, width, height));
    std::vector<u8> picture;
    check(context.read_screen(picavk::Screen::Top, picture));
    std::ofstream file(out, std::ios::binary);
    file << "P6\n" << width << " " << height << "\n255\n";
    for (std::size_t i = 0; i < picture.size(); i += 4)
        file.write(reinterpret_cast<const char*>(&picture[i]), 3);
    if (!file.flush())
        return std::fprintf(stderr, "embed_minimal: cannot write %s\n", out), 1;
    std::cout << out << ": " << command_lists << " command list\n";
}
