// SPDX-License-Identifier: MIT
// The adapter that an emulator writes once: picavk behind the renderer interface that the emulator has already, and
// behind each of the three ways in which emulators hear of the CPU's accesses to memory.
// Guides: renderer/EMBEDDING.md; for every call of the system's services, renderer/EMBEDDING_GSP.md.
//
//     embed_adapter [software|vulkan|validate] [OUT.ppm] [announce|flush|fault|fault16k] [SCALE]
//
// announce: the emulator hears of each access before it happens.
// flush: it hears of the guest's cache flushes only.
// fault: it protects pages, and hears of page faults (on Linux, macOS and Windows).
// fault16k: as on a system whose pages have 16 KiB, which some phones and Apple's computers are.
// SCALE: after a first frame the user sets this internal resolution, and the second frame is drawn with it.
//
// embed_adapter_system.h is what the emulator has anyway, embed_adapter_memory.h its memory in the three ways, and
// embed_adapter_guest.h the program that it runs.
#include "samples/embed/embed_adapter_guest.h"
#include "samples/embed/embed_adapter_memory.h"
#include "samples/embed/embed_adapter_system.h"

#include <picavk/picavk.hpp>

#include <array>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <functional>
#include <iostream>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace
{

using emulator::u32;
using emulator::u8;

// What the adapter is told about pages that it must hear of.
using PageAccess = std::function<void(u32 address, u32 bytes, picavk::PageAccess)>;

class PicavkRenderer final : public emulator::Renderer
{
public:
    explicit PicavkRenderer(picavk::Backend backend) : backend_(backend) {}

    // To be called before initialize, by emulators that protect pages.
    void on_page_access(PageAccess tell) { page_access_ = std::move(tell); }

    bool initialize(const emulator::Memory& memory, std::string& error) override
    {
        memory_ = &memory;
        picavk::Options options;
        options.backend = backend_;
        for (const emulator::Memory::Bank& bank : memory.banks())
            options.regions.push_back({bank.address, bank.bytes, bank.shared});
        options.on_interrupt = [](picavk::Interrupt) {}; // here the emulator queues it for the guest
        options.on_report = [](picavk::ReportKind, const char* cause, const char* detail)
        { std::cerr << "gpu: " << cause << ": " << detail << "\n"; };
        options.on_page_access = page_access_;
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
    void clear_buffer(u32 unit, u32 start, u32 end, u32 value, u32 control) override
    {
        constexpr std::array<u32, 4> kBits = {16, 24, 32, 24};
        log(current().memory_fill(start, end, value, kBits[control >> 8 & 3], unit));
    }
    void display_transfer(u32 input, u32 output, u32 input_size, u32 output_size, u32 flags) override
    {
        log(current().display_transfer(input, output, input_size, output_size, flags));
    }
    void texture_copy(u32 input, u32 output, u32 bytes, u32 input_rows, u32 output_rows) override
    {
        log(current().texture_copy(input, output, bytes, input_rows, output_rows));
    }
    void set_framebuffer(bool bottom, const emulator::BufferInfo& info) override
    {
        PicavkFramebuffer framebuffer{};
        framebuffer.buffer = info.active;
        framebuffer.left_address = info.left;
        framebuffer.right_address = info.right;
        framebuffer.stride = info.stride;
        framebuffer.format = info.format;
        framebuffer.select = info.select;
        log(current().set_framebuffer(screen(bottom), framebuffer));
    }
    void force_black(bool black) override
    {
        for (const bool bottom : {false, true})
            log(current().set_lcd_fill(screen(bottom), black));
    }
    emulator::Picture display(bool bottom) override
    {
        emulator::Picture picture;
        log(current().end_frame());
        log(context_.screen_size(screen(bottom), picture.width, picture.height));
        log(context_.read_screen(screen(bottom), picture.rgba));
        return picture;
    }
    void set_resolution(u32 scale) override { log(current().set_scale(scale)); }
    // The emulator knows both ranges, so it announces them, however it hears of the guest's own accesses. It does not
    // go through the guest's mapping, which may be protected.
    void copy_by_cpu(u32 from, u32 to, u32 bytes) override
    {
        log(current().will_read(from, bytes));
        log(context_.will_write(to, bytes));
        if (u8* const source = shared(from, bytes), * const target = shared(to, bytes); source && target)
            std::memmove(target, source, bytes);
        log(context_.did_write(to, bytes));
    }

    void before_read(u32 address, u32 bytes) override { log(current().will_read(address, bytes)); }
    // Emulators announce before they write. picavk must also hear of the write afterwards: the adapter announces it
    // before the next operation that looks at memory.
    void before_write(u32 address, u32 bytes) override
    {
        log(context_.will_write(address, bytes));
        written_.push_back({address, bytes});
    }
    // The call at the start, for all addresses, makes picavk keep what it needs for those that follow.
    void expect_flushes() { log(context_.may_have_written(0, 0xFFFFFFFF)); }
    void after_flush(u32 address, u32 bytes) override { log(current().may_have_written(address, bytes)); }
    void after_write_to_pages(u32 address, u32 bytes) noexcept override
    {
        context_.mark_written(address, bytes);
    }

    bool failed() const { return failed_; }

private:
    static picavk::Screen screen(bool bottom)
    {
        return bottom ? picavk::Screen::Bottom : picavk::Screen::Top;
    }
    u8* shared(u32 address, u32 bytes) const
    {
        for (const emulator::Memory::Bank& bank : memory_->banks())
            if (address - bank.address < bank.bytes && bytes <= bank.bytes - (address - bank.address))
                return bank.shared + (address - bank.address);
        return nullptr;
    }
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
    PageAccess page_access_;
    const emulator::Memory* memory_ = nullptr;
    picavk::Context context_;
    std::vector<std::pair<u32, u32>> written_; // address, bytes
    bool failed_ = false;
};

// Memory of the named kind, and what it needs of the renderer. Null: there is none of that name.
std::unique_ptr<emulator::Memory> make_memory(std::string_view name, PicavkRenderer& gpu)
{
    if (name == "announce")
        return std::make_unique<emulator::AnnouncingMemory>(gpu);
    if (name == "flush")
        return std::make_unique<emulator::FlushingMemory>(gpu);
#if defined(__linux__) || defined(__APPLE__) || defined(_WIN32)
    if (name == "fault" || name == "fault16k")
    {
        const std::size_t page_bytes = name == "fault" ? emulator::system_page_bytes() : 16384;
        auto memory = std::make_unique<emulator::FaultingMemory>(gpu, page_bytes);
        gpu.on_page_access(
            [&pages = *memory](u32 address, u32 bytes, picavk::PageAccess access)
            {
                pages.protect(address, bytes, access == picavk::PageAccess::ReadWrite,
                              access != picavk::PageAccess::None);
            });
        return memory;
    }
#endif
    return nullptr;
}

} // namespace

int main(int argc, char** argv)
{
    const std::string_view name = argc > 1 ? argv[1] : "software";
    const char* const out = argc > 2 ? argv[2] : "embed_adapter.ppm";
    std::unique_ptr<emulator::Memory> memory; // outlives the context, which works on it
    PicavkRenderer gpu(name == "vulkan"     ? picavk::Backend::Vulkan
                       : name == "validate" ? picavk::Backend::Validate
                                            : picavk::Backend::Software);
    const std::string_view model = argc > 3 ? argv[3] : "announce";
    memory = make_memory(model, gpu);
    if (!memory)
        return std::cerr << "embed_adapter: no such kind of memory: " << model << "\n", 1;
    std::string error;
    if (!gpu.initialize(*memory, error))
        return std::cerr << "embed_adapter: " << error << "\n", 1;
    if (model == "flush")
        gpu.expect_flushes();

    emulator::System system(*memory, gpu);
    guest::run(system);
    emulator::Picture picture = gpu.display(false);
    if (argc > 4)
    {
        gpu.set_resolution(static_cast<u32>(std::strtoul(argv[4], nullptr, 10)));
        if (gpu.failed())
            return 1;
        guest::run(system);
        picture = gpu.display(false);
    }

    std::ofstream file(out, std::ios::binary);
    file << "P6\n" << picture.width << " " << picture.height << "\n255\n";
    for (std::size_t i = 0; i < picture.rgba.size(); i += 4)
        file.write(reinterpret_cast<const char*>(&picture.rgba[i]), 3);
    if (!file.flush())
        return std::cerr << "embed_adapter: cannot write " << out << "\n", 1;
    std::cout << out << "\n";
    return gpu.failed() ? 1 : 0;
}
