// SPDX-License-Identifier: MIT
// The C ABI: what the verbs do, and that every misuse is a result code.
#include "pica/base/float24.h"
#include "pica/command/gpu.h"
#include "pica/memory/guest_arena.h"
#include "pica/regs/external.h"
#include "pica/soft/software_core.h"
#include "pica/trace/player.h"
#include "renderer/picavk.h"
#include "tests/support/message_of.h"
#include "tests/support/programs/program_builder.h"
#include "tests/support/scenes/command_list_builder.h"
#include "tests/support/scenes/plain_state.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

extern "C" size_t picavk_c89_struct_size(void);

using namespace tests;

namespace
{

constexpr u32 kVramBytes = 0x100000;
constexpr u32 kFcramBytes = 0x100000;
constexpr PhysAddr kColor = kVramBase;
constexpr PhysAddr kScreen = kVramBase + 0x80000;
constexpr PhysAddr kVertices = kFcramBase;
constexpr PhysAddr kList = kFcramBase + 0x10000;
constexpr u32 kWidth = 240, kHeight = 400; // of the top screen's framebuffer

struct Guest
{
    std::vector<u8> vram = std::vector<u8>(kVramBytes), fcram = std::vector<u8>(kFcramBytes);
    std::vector<PicavkInterrupt> interrupts;
    std::vector<std::string> reports;
    PicavkRegion regions[2] = {{kVramBase, kVramBytes, vram.data()}, {kFcramBase, kFcramBytes, fcram.data()}};

    PicavkCreateInfo info(PicavkBackend backend)
    {
        PicavkCreateInfo info{};
        info.struct_size = sizeof info;
        info.backend = backend;
        info.regions = regions;
        info.region_count = 2;
        info.user = this;
        info.interrupt = [](void* user, PicavkInterrupt interrupt)
        { static_cast<Guest*>(user)->interrupts.push_back(interrupt); };
        info.report = [](void* user, PicavkReportKind, const char* cause, const char*)
        { static_cast<Guest*>(user)->reports.push_back(cause); };
        info.vulkan_validation = backend == PICAVK_BACKEND_VULKAN || backend == PICAVK_BACKEND_VALIDATE;
        return info;
    }
    u8* at(PhysAddr address)
    {
        return address >= kFcramBase ? &fcram[address - kFcramBase] : &vram[address - kVramBase];
    }
};

struct Destroy
{
    void operator()(PicavkContext* context) const { picavk_destroy(context); }
};
using Handle = std::unique_ptr<PicavkContext, Destroy>;

Handle create(Guest& guest, PicavkBackend backend)
{
    const PicavkCreateInfo info = guest.info(backend);
    PicavkContext* context = nullptr;
    char message[256];
    const PicavkResult result = picavk_create(&info, &context, message, sizeof message);
    REQUIRE_MESSAGE(result == PICAVK_OK, message);
    return Handle(context);
}

struct Vertex
{
    f32 position[4];
    f32 color[4];
};

// A triangle over the middle of the picture.
std::vector<u32> triangle_list()
{
    CommandListBuilder list;
    ProgramBuilder program;
    program.mov(o(0), v(0));
    program.mov(o(1), v(1));
    program.end();
    list.upload_vertex_program(program.words(), program.descriptors(), 0);
    list.set(reg::SH_OUTMAP_TOTAL::count, 2);
    list.write_consecutive(reg::SH_OUTMAP_O::id, std::array{0x03020100u, 0x0B0A0908u});
    list.set(reg::VSH_OUTMAP_MASK::mask, 3);
    list.set(reg::VSH_OUTMAP_TOTAL1::count_minus_1, 1);
    list.set(reg::VSH_OUTMAP_TOTAL2::count_minus_1, 1);
    list.set(reg::ATTRIBBUFFERS_LOC::base, kVertices >> 4);
    list.write(reg::ATTRIBBUFFERS_FORMAT_LOW::id, 0xFF);
    list.set(reg::ATTRIBBUFFERS_FORMAT_HIGH::count_minus_1, 1);
    list.write(reg::ATTRIBBUFFER_CONFIG1::id, 0x10);
    list.set(reg::ATTRIBBUFFER_CONFIG2::stride, u32(sizeof(Vertex)));
    list.set(reg::ATTRIBBUFFER_CONFIG2::count, 2);
    list.set(reg::VSH_NUM_ATTR::count_minus_1, 1);
    list.set(reg::VSH_INPUTBUFFER_CONFIG::count_minus_1, 1);
    list.set(reg::VSH_INPUTBUFFER_CONFIG::role, 0xA0);
    list.write(reg::VSH_ATTRIBUTES_PERMUTATION_LOW::id, 0x10);
    write_plain_state(list);
    list.set(reg::TEXENV_SOURCE::color_1, CombinerSource::PrimaryColor, 0);
    list.set(reg::COLORBUFFER_LOC::address, kColor >> 3);
    list.set(reg::COLORBUFFER_FORMAT::format, ColorFormat::RGBA8);
    list.set(reg::FRAMEBUFFER_DIM::width, kWidth);
    list.set(reg::FRAMEBUFFER_DIM::height_minus_1, kHeight - 1);
    list.set(reg::FRAMEBUFFER_DIM::flip, true);
    list.set(reg::VIEWPORT_WIDTH::value, f32_to_float24(f32(kWidth) / 2));
    list.set(reg::VIEWPORT_HEIGHT::value, f32_to_float24(f32(kHeight) / 2));
    list.draw_arrays(Topology::TriangleList, 0, 3);
    return list.finish();
}

// Clears, draws, and transfers the picture to the screen's framebuffer. Uses every function of the guest's
// services once.
void draw_frame(Guest& guest, PicavkContext* context)
{
    const Vertex vertices[3] = {{{-0.9f, -0.9f, -0.5f, 1}, {1, 0, 0, 1}},
                                {{0.9f, -0.9f, -0.5f, 1}, {1, 0, 0, 1}},
                                {{0, 0.9f, -0.5f, 1}, {1, 0, 0, 1}}};
    const std::vector<u32> list = triangle_list();
    CHECK(picavk_will_write(context, kVertices, 0x20000) == PICAVK_OK);
    std::memcpy(guest.at(kVertices), vertices, sizeof vertices);
    std::memcpy(guest.at(kList), list.data(), list.size() * 4);
    CHECK(picavk_did_write(context, kVertices, 0x20000) == PICAVK_OK);
    CHECK(picavk_memory_fill(context, kColor, kColor + kWidth * kHeight * 4, 0x0000FFFFu, 32, 0) ==
          PICAVK_OK);
    CHECK(picavk_submit_command_list(context, kList, u32(list.size()) * 4) == PICAVK_OK);
    const u32 size = kWidth | kHeight << 16;
    CHECK(picavk_display_transfer(context, kColor, kScreen, size, size, 1u << 12) == PICAVK_OK); // to RGB8
    CHECK(picavk_texture_copy(context, kScreen, kScreen, 0, 0, 0) == PICAVK_OK);
    CHECK(picavk_write_register(context, ext::PDC_ADDRESS_A::ids[0], kScreen, 0xF) == PICAVK_OK);
    CHECK(picavk_write_register(context, ext::PDC_FORMAT::ids[0], 1, 0xF) == PICAVK_OK);
    CHECK(picavk_write_register(context, ext::PDC_STRIDE::ids[0], kWidth * 3, 0xF) == PICAVK_OK);
    CHECK(picavk_flush(context) == PICAVK_OK);
    CHECK(picavk_end_frame(context) == PICAVK_OK);
}

std::vector<u8> top_screen(PicavkContext* context)
{
    std::vector<u8> rgba(400 * 240 * 4);
    CHECK(picavk_read_screen(context, PICAVK_SCREEN_TOP, rgba.data(), rgba.size()) == PICAVK_OK);
    return rgba;
}

std::array<u8, 4> pixel(const std::vector<u8>& rgba, u32 x, u32 y)
{
    const u8* p = &rgba[(y * 400 + x) * 4];
    return {p[0], p[1], p[2], p[3]};
}

} // namespace

TEST_CASE("c api: every backend draws the same picture")
{
    std::vector<u8> expected;
    for (const PicavkBackend backend : std::array<PicavkBackend, 3>{
             PICAVK_BACKEND_SOFTWARE, PICAVK_BACKEND_VULKAN, PICAVK_BACKEND_VALIDATE})
    {
        CAPTURE(int(backend));
        Guest guest;
        const Handle context = create(guest, backend);
        draw_frame(guest, context.get());
        const std::vector<u8> picture = top_screen(context.get());
        CHECK(pixel(picture, 200, 120) == std::array<u8, 4>{255, 0, 0, 255}); // the triangle
        CHECK(pixel(picture, 2, 2) == std::array<u8, 4>{0, 0, 255, 255});     // the fill: 0000FFFF is blue
        if (expected.empty())
            expected = picture;
        CHECK(picture == expected);
        CHECK(std::string(picavk_message(context.get())).empty());
        CHECK(guest.interrupts == std::vector<PicavkInterrupt>{PICAVK_INTERRUPT_PSC0, PICAVK_INTERRUPT_P3D,
                                                               PICAVK_INTERRUPT_PPF, PICAVK_INTERRUPT_PPF,
                                                               PICAVK_INTERRUPT_PDC0, PICAVK_INTERRUPT_PDC1});
    }
}

TEST_CASE("c api: the null backend raises the interrupts and draws nothing")
{
    Guest guest;
    const Handle context = create(guest, PICAVK_BACKEND_NULL);
    draw_frame(guest, context.get());
    CHECK(guest.interrupts.size() == 6);
    CHECK(std::count(guest.vram.begin(), guest.vram.end(), 0) == kVramBytes);
}

TEST_CASE("c api: statistics count what was done, as far as the caller's struct knows")
{
    Guest guest;
    const Handle software = create(guest, PICAVK_BACKEND_SOFTWARE);
    draw_frame(guest, software.get());
    PicavkStatistics counts{};
    counts.struct_size = sizeof counts;
    REQUIRE(picavk_statistics(software.get(), &counts) == PICAVK_OK);
    CHECK(counts.register_writes > 50);
    CHECK(counts.draws == 1);
    CHECK(counts.fills == 1);
    CHECK(counts.transfers == 1);
    CHECK(counts.texture_copies == 1);
    CHECK(counts.draw_commands == 0);

    const Handle vulkan = create(guest, PICAVK_BACKEND_VULKAN);
    draw_frame(guest, vulkan.get());
    draw_frame(guest, vulkan.get());
    REQUIRE(picavk_statistics(vulkan.get(), &counts) == PICAVK_OK);
    CHECK(counts.draws == 2);
    CHECK(counts.fills == 2);

    // A caller of an older header keeps what it does not know.
    counts.draws = 77;
    counts.struct_size = offsetof(PicavkStatistics, draws);
    REQUIRE(picavk_statistics(vulkan.get(), &counts) == PICAVK_OK);
    CHECK(counts.draws == 77);
    for (const u32 size : {0u, 8u, u32(sizeof counts) + 1})
    {
        counts.struct_size = size;
        CHECK(picavk_statistics(vulkan.get(), &counts) == PICAVK_INVALID_ARGUMENT);
    }
    CHECK(picavk_statistics(vulkan.get(), nullptr) == PICAVK_INVALID_ARGUMENT);
    CHECK(picavk_statistics(nullptr, &counts) == PICAVK_INVALID_ARGUMENT);
}

TEST_CASE("c api: another backend goes on in the middle of a stream")
{
    Guest guest, straight;
    const Handle context = create(guest, PICAVK_BACKEND_SOFTWARE);
    const Handle reference = create(straight, PICAVK_BACKEND_SOFTWARE);
    for (const PicavkBackend next :
         std::array<PicavkBackend, 3>{PICAVK_BACKEND_VULKAN, PICAVK_BACKEND_NULL, PICAVK_BACKEND_SOFTWARE})
    {
        draw_frame(guest, context.get());
        draw_frame(straight, reference.get());
        CHECK(picavk_will_read(context.get(), kVramBase, kVramBytes) == PICAVK_OK);
        CHECK(guest.vram == straight.vram);
        CHECK(picavk_switch_backend(context.get(), next) == PICAVK_OK);
    }
    CHECK(picavk_switch_backend(context.get(), PICAVK_BACKEND_VALIDATE) == PICAVK_UNAVAILABLE);
    CHECK(!std::string(picavk_message(context.get())).empty());
}

TEST_CASE("c api: a state is saved by one backend and loaded by another")
{
    Guest guest, other;
    const Handle context = create(guest, PICAVK_BACKEND_VULKAN);
    draw_frame(guest, context.get());
    size_t size = 0;
    CHECK(picavk_save_state(context.get(), PICAVK_STATE_MEMORY, nullptr, &size) == PICAVK_OK);
    CHECK(size > 100);
    std::vector<u8> state(size);
    size_t written = size - 1;
    CHECK(picavk_save_state(context.get(), PICAVK_STATE_MEMORY, state.data(), &written) ==
          PICAVK_INVALID_ARGUMENT);
    CHECK(written == size);
    CHECK(std::count(state.begin(), state.end(), 0) == std::ptrdiff_t(size));
    CHECK(picavk_save_state(context.get(), PICAVK_STATE_MEMORY, state.data(), &written) == PICAVK_OK);
    CHECK(written == size);
    CHECK(picavk_save_state(context.get(), 2, nullptr, &size) == PICAVK_INVALID_ARGUMENT);
    CHECK(picavk_save_state(context.get(), 0, nullptr, nullptr) == PICAVK_INVALID_ARGUMENT);
    CHECK(picavk_save_state(nullptr, 0, nullptr, &size) == PICAVK_INVALID_ARGUMENT);

    for (const PicavkBackend backend :
         std::array<PicavkBackend, 2>{PICAVK_BACKEND_SOFTWARE, PICAVK_BACKEND_VALIDATE})
    {
        std::fill(other.vram.begin(), other.vram.end(), u8{3});
        const Handle loaded = create(other, backend);
        CHECK(picavk_load_state(loaded.get(), state.data(), size - 1) == PICAVK_INVALID_STATE);
        CHECK(std::string(picavk_message(loaded.get())).find("truncated") != std::string::npos);
        CHECK(picavk_load_state(loaded.get(), nullptr, size) == PICAVK_INVALID_ARGUMENT);
        CHECK(picavk_load_state(nullptr, state.data(), size) == PICAVK_INVALID_ARGUMENT);
        CHECK(other.vram == std::vector<u8>(kVramBytes, 3));
        CHECK(picavk_load_state(loaded.get(), state.data(), size) == PICAVK_OK);
        CHECK(other.vram == guest.vram);
        CHECK(other.fcram == guest.fcram);
        CHECK(top_screen(loaded.get()) == top_screen(context.get()));
        std::vector<u8> again(size);
        written = size;
        CHECK(picavk_save_state(loaded.get(), PICAVK_STATE_MEMORY, again.data(), &written) == PICAVK_OK);
        CHECK(again == state);
        draw_frame(other, loaded.get());
    }
    // Without memory, it is the host's business.
    std::fill(other.vram.begin(), other.vram.end(), u8{3});
    const Handle loaded = create(other, PICAVK_BACKEND_SOFTWARE);
    CHECK(picavk_save_state(context.get(), 0, nullptr, &size) == PICAVK_OK);
    state.resize(size);
    CHECK(picavk_save_state(context.get(), 0, state.data(), &size) == PICAVK_OK);
    CHECK(picavk_load_state(loaded.get(), state.data(), size) == PICAVK_OK);
    CHECK(other.vram == std::vector<u8>(kVramBytes, 3));
    u32 value = 0;
    CHECK(picavk_read_register(loaded.get(), ext::PDC_STRIDE::ids[0], &value) == PICAVK_OK);
    CHECK(value == kWidth * 3);
}

TEST_CASE("c api: what goes in is recorded")
{
    Guest guest;
    const Handle context = create(guest, PICAVK_BACKEND_SOFTWARE);
    std::vector<u8> file;
    const auto write = [](void* user, const void* bytes, size_t size)
    {
        const u8* first = static_cast<const u8*>(bytes);
        static_cast<std::vector<u8>*>(user)->insert(static_cast<std::vector<u8>*>(user)->end(), first,
                                                    first + size);
        return 1;
    };
    CHECK(picavk_trace_stop(context.get()) == PICAVK_OK);
    CHECK(picavk_trace_comment(context.get(), "nobody hears") == PICAVK_OK);
    CHECK(picavk_trace_start_sink(context.get(), write, &file) == PICAVK_OK);
    CHECK(picavk_trace_start(context.get(), "/nonexistent/file.pvk") == PICAVK_INVALID_ARGUMENT);
    CHECK(picavk_trace_comment(context.get(), "a triangle") == PICAVK_OK);
    draw_frame(guest, context.get());
    CHECK(picavk_trace_stop(context.get()) == PICAVK_OK);
    const std::size_t size = file.size();
    draw_frame(guest, context.get());
    CHECK(file.size() == size);
    CHECK(picavk_trace_start(context.get(), "/nonexistent/file.pvk") == PICAVK_NOT_WRITTEN);
    CHECK(std::string(picavk_message(context.get())).find("/nonexistent/file.pvk: ") == 0);
    CHECK(picavk_trace_start(context.get(), nullptr) == PICAVK_INVALID_ARGUMENT);
    CHECK(picavk_trace_start_sink(context.get(), nullptr, nullptr) == PICAVK_INVALID_ARGUMENT);
    CHECK(picavk_trace_comment(context.get(), nullptr) == PICAVK_INVALID_ARGUMENT);
    for (const auto result :
         {picavk_trace_start(nullptr, "x"), picavk_trace_start_sink(nullptr, write, &file),
          picavk_trace_stop(nullptr), picavk_trace_comment(nullptr, "x")})
        CHECK(result == PICAVK_INVALID_ARGUMENT);

    const Result<Trace> trace = Trace::parse(file);
    REQUIRE_MESSAGE(trace, message_of(trace));
    CHECK(trace->frames() == 1);
    GuestArena arena;
    OnceReport quiet(nullptr);
    SoftwareCore core(arena.memory(), quiet, {.threads = 1});
    Gpu gpu(core, quiet);
    TracePlayer player(*trace, gpu);
    CHECK(player.step(Step::Frame) == StepResult::Frame);
    CHECK(std::equal(guest.vram.begin(), guest.vram.end(), arena.vram().begin()));
    CHECK(std::equal(guest.fcram.begin(), guest.fcram.end(), arena.fcram().begin()));
}

TEST_CASE("c api: what the CPU writes over a rendered picture stays")
{
    Guest guest;
    const Handle context = create(guest, PICAVK_BACKEND_VULKAN);
    draw_frame(guest, context.get());
    CHECK(picavk_will_write(context.get(), kColor + 16, 4) == PICAVK_OK);
    std::memset(guest.at(kColor + 16), 0x5A, 4);
    CHECK(picavk_did_write(context.get(), kColor + 16, 4) == PICAVK_OK);
    CHECK(picavk_will_read(context.get(), kColor, 64) == PICAVK_OK);
    for (u32 i = 0; i < 64; ++i)
    {
        constexpr u8 kFill[4] = {0xFF, 0xFF, 0, 0};
        CHECK(*guest.at(kColor + i) == (i >= 16 && i < 20 ? 0x5A : kFill[i % 4]));
    }
}

TEST_CASE("c api: registers are read and written")
{
    Guest guest;
    const Handle context = create(guest, PICAVK_BACKEND_SOFTWARE);
    u32 value = 0;
    CHECK(picavk_write_register(context.get(), ext::PSC_VALUE::ids[0], 0x12345678, 0xF) == PICAVK_OK);
    CHECK(picavk_write_register(context.get(), ext::PSC_VALUE::ids[0], 0xFFFFFFFF, 0x2) == PICAVK_OK);
    CHECK(picavk_read_register(context.get(), ext::PSC_VALUE::ids[0], &value) == PICAVK_OK);
    CHECK(value == 0x1234FF78);
    CHECK(picavk_write_register(context.get(), 0x12345678, 1, 0xF) == PICAVK_OK); // the guest's mistake
    CHECK(guest.reports.size() == 1);
    CHECK(picavk_write_register(context.get(), 0x12345678, 1, 0xF) == PICAVK_OK);
    CHECK(guest.reports.size() == 1); // told once
}

TEST_CASE("c api: creation refuses what is wrong and says why")
{
    Guest guest;
    PicavkContext* context = nullptr;
    char message[128];
    const auto refused = [&](const PicavkCreateInfo& info, PicavkResult expected)
    {
        context = reinterpret_cast<PicavkContext*>(&guest);
        std::memset(message, 'x', sizeof message);
        CHECK(picavk_create(&info, &context, message, sizeof message) == expected);
        CHECK(context == nullptr);
        CHECK(std::memchr(message, 0, sizeof message) != nullptr);
        CHECK(message[0] != 0);
        CHECK(std::strchr(message, '\n') == nullptr);
    };
    const PicavkCreateInfo good = guest.info(PICAVK_BACKEND_SOFTWARE);
    PicavkCreateInfo info = good;
    info.struct_size = 0;
    refused(info, PICAVK_INVALID_ARGUMENT);
    info.struct_size = sizeof info + 8;
    refused(info, PICAVK_INVALID_ARGUMENT);
    info = good;
    info.backend = 17;
    refused(info, PICAVK_INVALID_ARGUMENT);
    info = good;
    info.regions = nullptr;
    refused(info, PICAVK_INVALID_ARGUMENT);
    info = good;
    info.region_count = 0;
    refused(info, PICAVK_INVALID_ARGUMENT);
    for (const PicavkRegion& bad :
         {PicavkRegion{kVramBase + 0x1000, 0x1000, guest.vram.data()},
          PicavkRegion{kFcramBase, 0x1000, nullptr}, PicavkRegion{kFcramBase, 0, guest.fcram.data()},
          PicavkRegion{0xFFFFF000u, 0x2000, guest.fcram.data()}})
    {
        PicavkRegion regions[2] = {guest.regions[0], bad};
        info = good;
        info.regions = regions;
        refused(info, PICAVK_INVALID_ARGUMENT);
    }
    CHECK(picavk_create(&good, nullptr, message, sizeof message) == PICAVK_INVALID_ARGUMENT);
    CHECK(picavk_create(nullptr, &context, nullptr, 0) == PICAVK_INVALID_ARGUMENT);
    // Members that an older caller does not know are zero.
    info = good;
    info.struct_size = offsetof(PicavkCreateInfo, user);
    CHECK(picavk_create(&info, &context, nullptr, 0) == PICAVK_OK);
    CHECK(picavk_end_frame(context) == PICAVK_OK);
    picavk_destroy(context);
    CHECK(guest.interrupts.empty());
}

TEST_CASE("c api: null and wrong arguments are results")
{
    Guest guest;
    const Handle owner = create(guest, PICAVK_BACKEND_SOFTWARE);
    PicavkContext* const context = owner.get();
    u8 byte = 0;
    u32 word = 0;
    char text[8];
    CHECK(picavk_write_register(nullptr, 0, 0, 0) == PICAVK_INVALID_ARGUMENT);
    CHECK(picavk_read_register(nullptr, 0, &word) == PICAVK_INVALID_ARGUMENT);
    CHECK(picavk_read_register(context, 0, nullptr) == PICAVK_INVALID_ARGUMENT);
    CHECK(picavk_submit_command_list(nullptr, 0, 0) == PICAVK_INVALID_ARGUMENT);
    CHECK(picavk_memory_fill(nullptr, 0, 0, 0, 32, 0) == PICAVK_INVALID_ARGUMENT);
    CHECK(picavk_memory_fill(context, 0, 0, 0, 8, 0) == PICAVK_INVALID_ARGUMENT);
    CHECK(picavk_memory_fill(context, 0, 0, 0, 32, 2) == PICAVK_INVALID_ARGUMENT);
    CHECK(picavk_display_transfer(nullptr, 0, 0, 0, 0, 0) == PICAVK_INVALID_ARGUMENT);
    CHECK(picavk_texture_copy(nullptr, 0, 0, 0, 0, 0) == PICAVK_INVALID_ARGUMENT);
    CHECK(picavk_will_read(nullptr, 0, 0) == PICAVK_INVALID_ARGUMENT);
    CHECK(picavk_will_write(nullptr, 0, 0) == PICAVK_INVALID_ARGUMENT);
    CHECK(picavk_did_write(nullptr, 0, 0) == PICAVK_INVALID_ARGUMENT);
    CHECK(picavk_flush(nullptr) == PICAVK_INVALID_ARGUMENT);
    CHECK(picavk_end_frame(nullptr) == PICAVK_INVALID_ARGUMENT);
    CHECK(picavk_read_screen(nullptr, PICAVK_SCREEN_TOP, &byte, 1) == PICAVK_INVALID_ARGUMENT);
    CHECK(picavk_read_screen(context, PICAVK_SCREEN_TOP, nullptr, 400 * 240 * 4) == PICAVK_INVALID_ARGUMENT);
    CHECK(picavk_read_screen(context, PICAVK_SCREEN_TOP, &byte, 1) == PICAVK_INVALID_ARGUMENT);
    CHECK(picavk_read_screen(context, 9u, &byte, 1) == PICAVK_INVALID_ARGUMENT);
    CHECK(picavk_switch_backend(nullptr, PICAVK_BACKEND_NULL) == PICAVK_INVALID_ARGUMENT);
    CHECK(picavk_switch_backend(context, ~0u) == PICAVK_INVALID_ARGUMENT);
    CHECK(picavk_describe(nullptr, text, sizeof text) == PICAVK_INVALID_ARGUMENT);
    CHECK(picavk_describe(context, nullptr, 8) == PICAVK_INVALID_ARGUMENT);
    CHECK(picavk_describe(context, text, 0) == PICAVK_INVALID_ARGUMENT);
    CHECK(picavk_describe(context, text, sizeof text) == PICAVK_OK);
    CHECK(std::string(text) == "backend");
    CHECK(std::string(picavk_message(nullptr)).empty());
    picavk_destroy(nullptr);
    // Guest mistakes are none of the caller's: addresses outside memory, sizes that wrap.
    CHECK(picavk_submit_command_list(context, 0xFFFFFFF8, 0xFFFFFFFF) == PICAVK_OK);
    CHECK(picavk_memory_fill(context, 0xFFFFFFF8, 8, 1, 32, 1) == PICAVK_OK);
    CHECK(picavk_will_read(context, 0xFFFFFFFF, 0xFFFFFFFF) == PICAVK_OK);
    CHECK(picavk_did_write(context, kVramBase + kVramBytes - 1, 0xFFFFFFFF) == PICAVK_OK);
    CHECK(picavk_version() == PICAVK_VERSION);
    CHECK(picavk_c89_struct_size() == sizeof(PicavkCreateInfo));
}
