// SPDX-License-Identifier: MIT
// picavk info: the content of a stream: elements, command lists, register writes by name, draws with their
// keys.
#include "pica/command/gpu.h"
#include "pica/command/null_backend.h"
#include "pica/state/draw.h"
#include "pica/transfer/display_transfer.h"
#include "pica/transfer/fill.h"
#include "pica/transfer/texture_copy.h"
#include "samples/cli/backend_options.h"
#include "samples/cli/console_report.h"
#include "samples/cli/info_draws.h"
#include "samples/cli/json_text.h"
#include "samples/cli/playback.h"
#include "samples/cli/synchronous_options.h"
#include "samples/cli/verbs.h"

#include <CLI/CLI.hpp>

#include <cstdio>
#include <memory>
#include <optional>

namespace samples
{

namespace
{

using namespace pica;

constexpr u64 kMaxListedWrites = 1u << 22; // per list: a list that jumps to itself ends the listing here

struct InfoArguments
{
    std::string stream;
    bool summary = false;
    std::optional<u32> frame; // nothing: all of the stream
    std::optional<u32> draw;  // nothing: all of the frame
    bool json = false;
    bool driver = false;
    u32 scale = 1;
    renderer::Options vulkan = synchronous_vulkan_options();
};

template <typename... Values>
void append(std::string& text, const char* format, Values... values)
{
    char line[160];
    std::snprintf(line, sizeof line, format, values...);
    text += line;
}

// Executes nothing. Counts operations and, if asked for, describes them.
class ListingBackend final : public NullBackend
{
public:
    ListingBackend(GuestMemory& memory, bool describe) : NullBackend(memory), describe_(describe) {}

    void draw(const Draw& draw) override
    {
        if (describe_)
        {
            Draw numbered = draw;
            numbered.serial = draws - draws_before_frame_;
            text += "    " + numbered.text() + "\n";
        }
        ++draws;
        vertices += draw.source.count;
    }
    void end_frame() override { draws_before_frame_ = draws; }
    void memory_fill(const MemoryFill& fill) override
    {
        ++fills;
        if (describe_)
            append(text, "    memory fill %08X..%08X value %08X\n", fill.start, fill.end, fill.value);
    }
    void display_transfer(const DisplayTransfer& transfer) override
    {
        ++transfers;
        if (describe_)
            append(text, "    display transfer %08X -> %08X, %u x %u\n", transfer.input, transfer.output,
                   transfer.written_width(), transfer.written_height());
    }
    void texture_copy(const TextureCopy& copy) override
    {
        ++copies;
        if (describe_)
            append(text, "    texture copy %08X -> %08X, %u bytes\n", copy.input, copy.output, copy.size);
    }

    std::string text; // of the operations since it was last emptied
    u64 draws = 0;
    u64 vertices = 0;
    u64 fills = 0;
    u64 transfers = 0;
    u64 copies = 0;

private:
    u64 draws_before_frame_ = 0;
    bool describe_;
};

std::vector<u32> read_words(const GuestMemory& memory, PhysAddr address, u32 bytes)
{
    std::vector<u32> words(memory.clamp_size(address, bytes) / 4);
    for (std::size_t i = 0; i < words.size(); ++i)
        words[i] = memory.read32(address + u32(i) * 4);
    return words;
}

// Prints the list that a kick of this channel starts, and the lists to which it jumps.
void print_list(const GuestMemory& memory, RegisterFile regs, u32 channel)
{
    u64 writes = 0;
    for (bool jumped = true; jumped && writes < kMaxListedWrites;)
    {
        jumped = false;
        const PhysAddr address = regs.get(reg::CMDBUF_ADDR::address, channel) << 4;
        const u32 bytes = regs.get(reg::CMDBUF_SIZE::size, channel) << 4;
        std::printf("    command list %08X, %u bytes\n", address, bytes);
        const std::vector<u32> words = read_words(memory, address, bytes);
        CommandListReader reader(words);
        for (RegisterWrite write; !jumped && writes < kMaxListedWrites && reader.next(write); ++writes)
        {
            regs.write(write.id, write.value, write.byte_mask);
            std::printf("      %03X %s", write.id, describe_write(write.id, write.value).c_str());
            if (write.byte_mask != 0xF)
                std::printf(" (byte mask %X)", write.byte_mask);
            std::printf("\n");
            for (u32 target = 0; target < 2; ++target)
            {
                if (write.id == reg::CMDBUF_JUMP::ids[target] && write.byte_mask != 0)
                {
                    jumped = true;
                    channel = target;
                }
            }
            if (write.id == reg::FINALIZE::id && write.byte_mask != 0)
                break;
        }
    }
}

void print_element(std::size_t index, const TraceElement& element)
{
    switch (element.kind)
    {
    case TraceElementKind::MemoryLoad:
        std::printf("%6zu load %08X, %zu bytes\n", index, element.address, element.data.size());
        break;
    case TraceElementKind::RegisterWrite:
        std::printf("%6zu %08X %s\n", index, element.address,
                    ext::describe_write(element.address, u32(element.value)).c_str());
        break;
    case TraceElementKind::FrameMarker:
        std::printf("%6zu frame marker\n", index);
        break;
    case TraceElementKind::State:
        std::printf("%6zu state, %zu bytes\n", index, element.data.size());
        break;
    case TraceElementKind::Comment:
        std::printf("%6zu comment: %.*s\n", index, int(element.data.size()),
                    reinterpret_cast<const char*>(element.data.data()));
        break;
    }
}

struct ElementCounts
{
    u64 loads = 0;
    u64 bytes = 0;
    u64 writes = 0;
    u64 lists = 0;
};

// Prints elements first..last-1, and the lists that they start. regs: the registers before the first of them.
void list_elements(const Trace& trace, std::size_t first, std::size_t last, const GuestMemory& memory,
                   RegisterFile regs, bool print, ElementCounts& counts)
{
    for (std::size_t index = first; index < last; ++index)
    {
        const TraceElement& element = trace.elements()[index];
        if (print)
            print_element(index, element);
        const bool loads = element.kind == TraceElementKind::MemoryLoad;
        counts.loads += loads;
        counts.bytes += loads ? element.data.size() : 0;
        if (element.kind != TraceElementKind::RegisterWrite)
            continue;
        ++counts.writes;
        const u32 id = (element.address - kP3dWindowBase) / 4;
        if (element.address < kP3dWindowBase || id >= kRegisterCount)
            continue;
        regs.write(id, u32(element.value));
        for (u32 channel = 0; channel < 2; ++channel)
        {
            if (id != reg::CMDBUF_JUMP::ids[channel])
                continue;
            ++counts.lists;
            if (print)
                print_list(memory, regs, channel);
        }
    }
}

struct Totals
{
    const Trace& trace;
    const InfoArguments& arguments;
    const ElementCounts& counts;
    const ListingBackend& backend;
    u64 register_writes; // all, those of command lists, too
};

void print_totals(const Totals& totals)
{
    const auto number = [](u64 value) { return static_cast<unsigned long long>(value); };
    const char* layout = totals.trace.format() == TraceFormat::Pvk         ? "picavk"
                         : totals.trace.format() == TraceFormat::CtfAzahar ? "32-bit"
                                                                           : "sized";
    if (totals.arguments.json)
    {
        Json json;
        json["stream"] = stream_name(totals.arguments.stream);
        json["bytes"] = totals.trace.file_size();
        json["register_writes_are"] = layout;
        json["is_truncated"] = totals.trace.is_truncated();
        json["frames"] = totals.trace.frames();
        json["elements"] = totals.trace.elements().size();
        json["memory_loads"] = totals.counts.loads;
        json["loaded_bytes"] = totals.counts.bytes;
        json["command_lists"] = totals.counts.lists;
        json["register_writes"] = totals.register_writes;
        json["draws"] = totals.backend.draws;
        json["vertices"] = totals.backend.vertices;
        json["memory_fills"] = totals.backend.fills;
        json["display_transfers"] = totals.backend.transfers;
        json["texture_copies"] = totals.backend.copies;
        print_json(json, true);
        return;
    }
    std::printf("%s: %zu bytes, %s register writes%s\n", stream_name(totals.arguments.stream).c_str(),
                totals.trace.file_size(), layout,
                totals.trace.is_truncated() ? "; the end of the recording is missing" : "");
    std::printf("  %u frames, %zu elements: %llu memory loads (%llu bytes), %llu register writes\n",
                totals.trace.frames(), totals.trace.elements().size(), number(totals.counts.loads),
                number(totals.counts.bytes), number(totals.counts.writes));
    std::printf("  %llu command lists, %llu register writes in all\n", number(totals.counts.lists),
                number(totals.register_writes));
    std::printf(
        "  %llu draws of %llu vertices, %llu memory fills, %llu display transfers, %llu texture copies\n",
        number(totals.backend.draws), number(totals.backend.vertices), number(totals.backend.fills),
        number(totals.backend.transfers), number(totals.backend.copies));
}

int run_info(const InfoArguments& arguments)
{
    if (arguments.draw)
        return print_draw(arguments.stream, *arguments.frame, *arguments.draw, arguments.json,
                          arguments.driver ? &arguments.vulkan : nullptr, arguments.scale);
    if (arguments.frame)
        return print_frame(arguments.stream, *arguments.frame, arguments.json);
    const Result<Trace> trace = open_stream(arguments.stream);
    if (!trace)
        return bad_input(trace.error().message);
    const bool print = !arguments.summary && !arguments.json;
    ConsoleReport report;
    GuestArena arena(trace->memory());
    ListingBackend backend(arena.memory(), print);
    Gpu gpu(backend, report);
    TracePlayer player(*trace, gpu);
    if (!player.status())
        return bad_input(arguments.stream + ": " + player.status().error().message);
    ElementCounts counts;
    // The state of a recording is loaded already.
    list_elements(*trace, 0, player.position(), arena.memory(), gpu.processor().registers(), print, counts);
    for (bool more = true; more && !output_is_lost();)
    {
        // The elements of a step are listed after it, because only the step knows where it stops.
        const std::size_t first = player.position();
        const RegisterFile regs = gpu.processor().registers();
        more = player.step(Step::List) != StepResult::End;
        list_elements(*trace, first, player.position(), arena.memory(), regs, print, counts);
        std::fputs(backend.text.c_str(), stdout);
        backend.text.clear();
    }
    print_totals({*trace, arguments, counts, backend, gpu.register_writes()});
    return kExitSuccess;
}

} // namespace

Verb add_info(CLI::App& program)
{
    const auto arguments = std::make_shared<InfoArguments>();
    CLI::App* app = program.add_subcommand(
        "info", "List a stream: elements, command lists, register writes by name, draws with their keys");
    app->add_option("STREAM", arguments->stream, "Recorded stream (.pvk or CiTrace)")->required();
    app->add_flag("--summary", arguments->summary, "Only the totals");
    CLI::Option* frame =
        app->add_option("--frame", arguments->frame,
                        "Only this frame, from 0: its operations, and what changed before each draw")
            ->option_text("F")
            ->excludes("--summary");
    CLI::Option* draw = app->add_option("--draw", arguments->draw,
                                        "Only this draw of the frame, from 0: its state, and what changed "
                                        "since the draw before it; with "
                                        "--frame")
                            ->option_text("D")
                            ->needs(frame);
    app->add_flag("--json", arguments->json, "Print JSON: the frame, the draw, or else the totals");
    CLI::Option* driver = app->add_flag("--driver", arguments->driver,
                                        "Also print which pipelines the Vulkan renderer binds for the draw, "
                                        "and the statistics that the "
                                        "driver tells of them")
                              ->needs(draw);
    add_scale_option(*app, arguments->scale)->needs(driver);
    add_force_option(*app, arguments->vulkan);
    add_device_options(*app, arguments->vulkan);
    return {app, [arguments] { return run_info(*arguments); }};
}

} // namespace samples
