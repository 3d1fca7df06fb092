// SPDX-License-Identifier: MIT
// Draws recorded streams with the software renderer, as `picavk render --backend software` does: the same pictures under
// the same names, in a folder for each stream. It needs neither Vulkan nor POSIX, so it runs where the program is not
// built yet (tests/systems/windows).
//   draw_streams [--kernel best|avx2|baseline] FOLDER STREAM...
#include "pica/base/bounded_file.h"
#include "pica/command/gpu.h"
#include "pica/command/live_backend.h"
#include "pica/memory/guest_arena.h"
#include "pica/soft/software_core.h"
#include "pica/trace/player.h"
#include "pica/trace/trace.h"
#include "pica/transfer/scanout.h"
#include "samples/cli/png_file.h"
#include "tests/support/kept_report.h"

#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace
{

using namespace pica;

struct Close
{
    void operator()(std::FILE* file) const { std::fclose(file); }
};

Result<Trace> read_stream(const std::filesystem::path& path)
{
    const std::unique_ptr<std::FILE, Close> file(std::fopen(path.string().c_str(), "rb"));
    if (!file)
        return Error{"cannot be opened"};
    auto bytes = read_bounded(file.get(), Trace::kMagicBytes, Trace::most_bytes);
    if (!bytes)
        return bytes.error();
    return Trace::parse(std::move(*bytes));
}

Status write_screen(const std::filesystem::path& folder, u32 frame, Screen screen, const Gpu& gpu,
                    const GuestMemory& memory, Report& report)
{
    constexpr const char* kNames[] = {"top", "top_right", "bottom"};
    static_assert(int(Screen::Top) == 0 && int(Screen::TopRight) == 1 && int(Screen::Bottom) == 2);
    const u32 width = screen_width(screen);
    std::vector<u32> words(std::size_t{width} * kScreenHeight);
    scan_out(memory, decode_screen(gpu.external(), screen), words.data(), report);
    samples::Picture picture{width, kScreenHeight, std::vector<u8>(words.size() * 4)};
    for (std::size_t i = 0; i < picture.rgba.size(); ++i)
        picture.rgba[i] = static_cast<u8>(words[i / 4] >> i % 4 * 8);
    char name[40];
    std::snprintf(name, sizeof name, "frame%04u_%s.png", frame, kNames[int(screen)]);
    return samples::write_png((folder / name).string(), picture);
}

Status draw_stream(const std::filesystem::path& path, const std::filesystem::path& folder,
                   SoftwareKernel kernel)
{
    const Result<Trace> trace = read_stream(path);
    if (!trace)
        return trace.error();
    std::filesystem::create_directories(folder);
    tests::KeptReport report;
    GuestArena arena(trace->memory());
    SoftwareCore core(arena.memory(), report, {.kernel = kernel});
    LiveBackend backend(core);
    Gpu gpu(backend, report);
    TracePlayer player(*trace, gpu);
    if (!player.status())
        return player.status();
    while (player.step(Step::Frame) == StepResult::Frame)
        for (const Screen screen : {Screen::Top, Screen::TopRight, Screen::Bottom})
            if (screen != Screen::TopRight || is_stereoscopic(gpu.external()))
                if (Status written =
                        write_screen(folder, player.frame() - 1, screen, gpu, arena.memory(), report);
                    !written)
                    return written;
    return {};
}

} // namespace

int main(int argc, char** argv)
{
    SoftwareKernel kernel = SoftwareKernel::Best;
    int first = 1;
    if (argc > 2 && argv[1] == std::string("--kernel"))
    {
        const std::string name = argv[2];
        if (name == "avx2")
            kernel = SoftwareKernel::Avx2;
        else if (name == "baseline")
            kernel = SoftwareKernel::Baseline;
        else if (name != "best")
            argc = 0;
        first = 3;
    }
    if (argc < first + 2)
    {
        std::fprintf(stderr, "usage: draw_streams [--kernel best|avx2|baseline] FOLDER STREAM...\n");
        return 2;
    }
    const std::filesystem::path folder = argv[first];
    for (int i = first + 1; i < argc; ++i)
    {
        const std::filesystem::path path = argv[i];
        if (const Status drawn = draw_stream(path, folder / path.stem(), kernel); !drawn)
        {
            std::fprintf(stderr, "%s: %s\n", argv[i], drawn.error().message.c_str());
            return 1;
        }
    }
    return 0;
}
