// SPDX-License-Identifier: MIT
// A sketch of the adapter that an emulator writes once: picavk behind the renderer interface that 3DS
// emulators commonly have, one virtual class with a function for each thing that the GX services ask for. The
// emulator's side is played by main(): a service that handles a queue of GX commands as its guest wrote them.
// Guide: renderer/EMBEDDING.md.
//
//     embed_adapter [software|vulkan|validate] [OUT.ppm]
#include <picavk/picavk.hpp>

#include <array>
#include <cstring>
#include <fstream>
#include <iostream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace emulator
{

using u8 = std::uint8_t;
using u32 = std::uint32_t;

constexpr u32 kVram = 0x18000000, kFcram = 0x20000000;

// What the emulator has anyway.
struct Memory
{
    std::vector<u8> vram = std::vector<u8>(0x600000), fcram = std::vector<u8>(0x800000);
};
struct Picture
{
    u32 width = 0, height = 0;
    std::vector<u8> rgba;
};

// The emulator's own interface, which its other renderers implement too.
class Renderer
{
public:
    virtual ~Renderer() = default;
    virtual bool initialize(Memory& memory, std::string& error) = 0;
    virtual void draw_command_list(u32 address, u32 bytes) = 0;
    virtual void clear_buffer(u32 start, u32 end, u32 value, u32 control) = 0;
    virtual void display_transfer(u32 input, u32 output, u32 input_size, u32 output_size, u32 flags) = 0;
    virtual void texture_copy(u32 input, u32 output, u32 bytes, u32 input_rows, u32 output_rows) = 0;
    virtual void write_external_register(u32 address, u32 value) = 0;
    virtual Picture display(bool bottom) = 0;
    // The emulated CPU accesses memory of which a GPU may hold another version.
    virtual void flush_region(u32 address, u32 bytes) = 0;
    virtual void invalidate_region(u32 address, u32 bytes) = 0;
};

// Everything below is what an emulator adds.
class PicavkRenderer final : public Renderer
{
public:
    explicit PicavkRenderer(picavk::Backend backend) : backend_(backend) {}

    bool initialize(Memory& memory, std::string& error) override
    {
        picavk::Options options;
        options.backend = backend_;
        options.regions = {{kVram, static_cast<u32>(memory.vram.size()), memory.vram.data()},
                           {kFcram, static_cast<u32>(memory.fcram.size()), memory.fcram.data()}};
        options.on_interrupt = [](picavk::Interrupt) {}; // here the emulator signals its GSP event
        options.on_report = [](picavk::ReportKind, const char* cause, const char* detail)
        { std::cerr << "gpu: " << cause << ": " << detail << "\n"; };
        auto [context, status] = picavk::Context::create(std::move(options));
        context_ = std::move(context);
        error = status.message;
        return static_cast<bool>(status);
    }

    void draw_command_list(u32 address, u32 bytes) override
    {
        log(current().submit_command_list(address, bytes));
    }
    // control: as in PSC_CONTROL, bits 8-9 are the width of the value.
    void clear_buffer(u32 start, u32 end, u32 value, u32 control) override
    {
        constexpr std::array<u32, 4> kBits = {16, 24, 32, 24};
        log(current().memory_fill(start, end, value, kBits[control >> 8 & 3]));
    }
    void display_transfer(u32 input, u32 output, u32 input_size, u32 output_size, u32 flags) override
    {
        log(current().display_transfer(input, output, input_size, output_size, flags));
    }
    void texture_copy(u32 input, u32 output, u32 bytes, u32 input_rows, u32 output_rows) override
    {
        log(current().texture_copy(input, output, bytes, input_rows, output_rows));
    }
    void write_external_register(u32 address, u32 value) override
    {
        log(current().write_register(address, value));
    }
    Picture display(bool bottom) override
    {
        const picavk::Screen screen = bottom ? picavk::Screen::Bottom : picavk::Screen::Top;
        Picture picture{picavk::screen_width(screen), picavk::kScreenHeight, {}};
        log(current().end_frame());
        log(context_.read_screen(screen, picture.rgba));
        return picture;
    }
    void flush_region(u32 address, u32 bytes) override { log(current().will_read(address, bytes)); }
    // Emulators call this before they write. picavk must also hear of the write afterwards: the adapter
    // announces it before the next operation that reads memory.
    void invalidate_region(u32 address, u32 bytes) override
    {
        log(context_.will_write(address, bytes));
        written_.push_back({address, bytes});
    }

    bool failed() const { return failed_; }

private:
    // The context, after the writes so far were announced to it.
    picavk::Context& current()
    {
        for (const auto& [address, bytes] : written_)
            log(context_.did_write(address, bytes));
        written_.clear();
        return context_;
    }
    void log(const picavk::Status& status)
    {
        if (status)
            return;
        failed_ = true;
        std::cerr << "gpu: " << status.message << "\n";
    }

    picavk::Backend backend_;
    picavk::Context context_;
    std::vector<std::pair<u32, u32>> written_; // address, bytes
    bool failed_ = false;
};

} // namespace emulator

// The guest: registers and values as its GPU library would write them. embed_minimal.cpp explains them.
namespace guest
{

using emulator::u32;

constexpr u32 kColorBuffer = emulator::kVram, kScreenBuffer = emulator::kVram + 0x100000;
constexpr u32 kCommandList = emulator::kFcram, kVertices = emulator::kFcram + 0x10000;
constexpr u32 kWidth = 240, kHeight = 400, kSize = kWidth | kHeight << 16;

constexpr u32 kTriangle[][2] = {
    // The vertex program and its outputs.
    {0x2CB, 0},
    {0x2CC, 0x4C000000},
    {0x2CC, 0x4C201000},
    {0x2CC, 0x88000000},
    {0x2BF, 1},
    {0x2D5, 0},
    {0x2D6, 0x36F},
    {0x2BA, 0x7FFF0000},
    {0x04F, 2},
    {0x050, 0x03020100},
    {0x051, 0x0B0A0908},
    {0x2BD, 3},
    {0x24A, 1},
    {0x251, 1},
    // the vertices
    {0x200, kVertices >> 3},
    {0x201, 0xFF},
    {0x202, 1u << 28},
    {0x203, 0},
    {0x204, 0x10},
    {0x205, 32u << 16 | 2u << 28},
    {0x242, 1},
    {0x2B9, 0xA0000001},
    {0x2BB, 0x10},
    // texture combiners
    {0x0C0, 0},
    {0x0C1, 0},
    {0x0C2, 0},
    {0x0C4, 0},
    {0x0C8, 0xF000F},
    {0x0C9, 0},
    {0x0CA, 0},
    {0x0CC, 0},
    {0x0D0, 0xF000F},
    {0x0D1, 0},
    {0x0D2, 0},
    {0x0D4, 0},
    {0x0D8, 0xF000F},
    {0x0D9, 0},
    {0x0DA, 0},
    {0x0DC, 0},
    {0x0F0, 0xF000F},
    {0x0F1, 0},
    {0x0F2, 0},
    {0x0F4, 0},
    {0x0F8, 0xF000F},
    {0x0F9, 0},
    {0x0FA, 0},
    {0x0FC, 0},
    // rasteriser, fragment operations, the target
    {0x040, 0},
    {0x041, 0x45E000},
    {0x043, 0x469000},
    {0x04D, 0xBF0000},
    {0x06D, 1},
    {0x068, 0},
    {0x100, 0x100},
    {0x101, 0x01010000},
    {0x104, 0},
    {0x105, 0},
    {0x107, 0xF00},
    {0x112, 0xF},
    {0x113, 0xF},
    {0x117, 2},
    {0x11D, kColorBuffer >> 3},
    {0x11E, kWidth | (kHeight - 1) << 12 | 1u << 24},
    // the draw, and the end of the list
    {0x25E, 1},
    {0x25F, 1},
    {0x227, 0x80000000},
    {0x228, 3},
    {0x22A, 0},
    {0x253, 1},
    {0x245, 0},
    {0x22E, 1},
    {0x245, 1},
    {0x253, 0},
    {0x010, 0x12345678}};

constexpr float kCorners[3][8] = {{-0.8f, -0.8f, -0.5f, 1, 1, 0, 0, 1},
                                  {0.8f, -0.8f, -0.5f, 1, 0, 1, 0, 1},
                                  {0, 0.8f, -0.5f, 1, 0, 0, 1, 1}};

} // namespace guest

namespace
{

using emulator::u32;

// The emulator's GX service: one command of the guest's queue.
enum class Gx : u32
{
    ProcessCommandList = 1,
    MemoryFill = 2,
    DisplayTransfer = 3,
    TextureCopy = 4,
};

void handle(emulator::Renderer& gpu, const std::array<u32, 6>& command)
{
    switch (static_cast<Gx>(command[0]))
    {
    case Gx::ProcessCommandList:
        return gpu.draw_command_list(command[1], command[2]);
    case Gx::MemoryFill:
        return gpu.clear_buffer(command[1], command[2], command[3], command[4]);
    case Gx::DisplayTransfer:
        return gpu.display_transfer(command[1], command[2], command[3], command[4], command[5]);
    case Gx::TextureCopy:
        return gpu.texture_copy(command[1], command[2], command[3], command[4], command[5]);
    }
}

} // namespace

int main(int argc, char** argv)
{
    const std::string_view name = argc > 1 ? argv[1] : "software";
    const char* out = argc > 2 ? argv[2] : "embed_adapter.ppm";
    emulator::Memory memory;
    emulator::PicavkRenderer gpu(name == "vulkan"     ? picavk::Backend::Vulkan
                                 : name == "validate" ? picavk::Backend::Validate
                                                      : picavk::Backend::Software);
    std::string error;
    if (!gpu.initialize(memory, error))
        return std::cerr << "embed_adapter: " << error << "\n", 1;

    // The guest's CPU writes.
    gpu.invalidate_region(emulator::kFcram, 0x20000);
    u32 words = 0;
    for (const auto& [id, value] : guest::kTriangle)
    {
        const u32 command[2] = {value, id | 0xFu << 16};
        std::memcpy(&memory.fcram[words++ * 8], command, 8);
    }
    std::memcpy(&memory.fcram[guest::kVertices - emulator::kFcram], guest::kCorners, sizeof guest::kCorners);

    // The guest's queue: draws the picture, converts it to a buffer of rows, and copies it to the buffer that
    // the screen shows.
    using guest::kColorBuffer, guest::kScreenBuffer, guest::kSize;
    constexpr u32 kRows = kScreenBuffer + 0x100000, kRowBytes = guest::kWidth * 3 * guest::kHeight;
    const std::array<u32, 6> queue[] = {
        {u32(Gx::MemoryFill), kColorBuffer, kColorBuffer + guest::kWidth * guest::kHeight * 4, 0x404040FF,
         2u << 8 | 1},
        {u32(Gx::ProcessCommandList), guest::kCommandList, (words + 1) / 2 * 16},
        {u32(Gx::DisplayTransfer), kColorBuffer, kRows, kSize, kSize, 1u << 12},
        {u32(Gx::TextureCopy), kRows, kScreenBuffer, kRowBytes, 0, 0},
    };
    for (const std::array<u32, 6>& command : queue)
        handle(gpu, command);
    gpu.write_external_register(0x10400468, kScreenBuffer);
    gpu.write_external_register(0x10400470, 1);
    gpu.write_external_register(0x10400490, guest::kWidth * 3);

    const emulator::Picture picture = gpu.display(false);
    std::ofstream file(out, std::ios::binary);
    file << "P6\n" << picture.width << " " << picture.height << "\n255\n";
    for (std::size_t i = 0; i < picture.rgba.size(); i += 4)
        file.write(reinterpret_cast<const char*>(&picture.rgba[i]), 3);
    if (!file.flush())
        return std::cerr << "embed_adapter: cannot write " << out << "\n", 1;
    std::cout << out << "\n";
    return gpu.failed() ? 1 : 0;
}
