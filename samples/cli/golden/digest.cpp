// SPDX-License-Identifier: MIT
#include "samples/cli/golden/digest.h"

#include "pica/command/gpu.h"
#include "pica/memory/guest_arena.h"
#include "pica/soft/software_core.h"
#include "pica/transfer/scanout.h"
#include "pica/upscale/plane_memory.h"
#include "renderer/backend/renderer.h"
#include "samples/cli/golden/content_hash.h"
#include "samples/cli/golden/digest_backend.h"
#include "samples/cli/golden/json_input.h"
#include "samples/cli/parsed_stream.h"
#include "samples/cli/playback.h"
#include "samples/cli/version.h"

#include <algorithm>
#include <limits>
#include <memory>
#include <sstream>
#include <utility>

namespace samples
{

using namespace pica;

namespace
{

// Of digests and blocks. 2: draws are numbered in their frame.
constexpr u32 kFormVersion = 2;

const char* word(DigestAt at)
{
    return at == DigestAt::Draw ? "draw" : at == DigestAt::List ? "list" : "frame";
}

// A stream on one backend.
class Player
{
public:
    Player(const Trace& trace, Report& report) : trace_(trace), report_(report), arena_(trace.memory()) {}

    Status create(const DigestOptions& options, DigestBackend::OnOperation on_operation,
                  renderer::CreateFailure* failure)
    {
        if (options.backend == BackendChoice::Vulkan)
        {
            auto created = renderer::Renderer::create(options.vulkan, arena_.memory(), report_, failure);
            if (!created)
                return created.error();
            vulkan_ = std::move(*created);
        }
        else
        {
            SoftwareOptions software;
            software.threads = 0;
            software.scale = options.vulkan.scale;
            software_ = std::make_unique<SoftwareCore>(arena_.memory(), report_, software);
        }
        Backend& inner = vulkan_ ? static_cast<Backend&>(*vulkan_) : static_cast<Backend&>(*software_);
        scale_ = options.vulkan.scale;
        backend_.emplace(inner, std::move(on_operation), scale_ == 1 ? DigestPlanes{} : planes());
        gpu_.emplace(*backend_, report_);
        backend_->observe(*gpu_);
        player_.emplace(trace_, *gpu_);
        return player_->status();
    }

    StepResult step(Step step) { return player_->step(step); }
    DigestBackend& backend() { return *backend_; }
    u32 frame() const { return player_->frame(); }
    // The device's first failure.
    Status device_status() const { return vulkan_ ? vulkan_->status() : Status{}; }
    bool on_device() const { return vulkan_ != nullptr; }

    DigestEntry frame_entry()
    {
        DigestEntry entry = {{"what", "frame"}};
        for (const Screen screen : {Screen::Top, Screen::TopRight, Screen::Bottom})
        {
            if (screen == Screen::TopRight && !is_stereoscopic(gpu_->external()))
                continue;
            const ScreenConfig config = decode_screen(gpu_->external(), screen);
            const ByteRange range = config.input_range();
            if (range.size != 0)
                backend_->will_read(range.begin,
                                    u32(std::min<u64>(range.size, std::numeric_limits<u32>::max())));
            std::vector<u32> words(std::size_t{screen_width(screen)} * kScreenHeight * scale_ * scale_);
            show(config, words);
            ContentHash hash;
            hash.add_values(words);
            entry[screen_name(screen)] = hash.text();
        }
        entry["memory"] = backend_->memory_hash();
        return entry;
    }

private:
    DigestPlanes planes()
    {
        if (vulkan_)
            return {[this](const ByteRange& range) { return vulkan_->current_planes(range); },
                    [this](const PlaneMemory& planes) { vulkan_->take_planes(planes); }};
        return {[this](const ByteRange&) { return software_->planes(); },
                [this](const PlaneMemory& planes) { software_->planes()->take_over(planes); }};
    }

    void show(const ScreenConfig& config, std::vector<u32>& words)
    {
        if (scale_ == 1)
            scan_out(arena_.memory(), config, words.data(), report_);
        else if (vulkan_)
            vulkan_->scan_out(config, words.data(), report_);
        else
            software_->scan_out(config, words.data(), report_);
    }

    const Trace& trace_;
    Report& report_;
    u32 scale_ = 1;
    GuestArena arena_;
    std::unique_ptr<SoftwareCore> software_;
    std::unique_ptr<renderer::Renderer> vulkan_;
    std::optional<DigestBackend> backend_;
    std::optional<Gpu> gpu_;
    std::optional<TracePlayer> player_;
};

bool is_digest_head(const DigestEntry& entry)
{
    return entry.value("picavk_digest", DigestEntry()) == kFormVersion && has_text(entry, "at") &&
           (!entry.contains("scale") || has_number(entry, "scale")) &&
           entry.value("is_truncated", DigestEntry(false)).is_boolean();
}

bool is_digest_entry(const DigestEntry& entry)
{
    return has_text(entry, "what") && has_number(entry, "frame") &&
           (!entry.contains("draw") || has_number(entry, "draw")) &&
           (!entry.contains("draw_of_stream") || has_number(entry, "draw")) &&
           (!entry.contains("parameters") || has_text(entry, "parameters"));
}

bool is_block(const DigestEntry& block)
{
    if (!block.is_object() || !has_text(block, "block") || !has_text(block, "hash"))
        return false;
    const auto registers = block.find("registers");
    return registers == block.end() ||
           (registers->is_object() && std::ranges::all_of(*registers, &DigestEntry::is_string));
}

} // namespace

Status make_digest(const Trace& trace, const DigestOptions& options, Report& report,
                   const OnDigestEntry& on_entry, renderer::CreateFailure* failure)
{
    Player player(trace, report);
    bool goes_on = true;
    pica::u32 frame = 0;
    pica::u64 draws_before = 0; // this frame
    const auto pass_on = [&](DigestEntry entry)
    {
        entry["frame"] = player.frame();
        if (entry.contains("draw_of_stream"))
        {
            const pica::u64 number = entry.at("draw_of_stream");
            if (std::exchange(frame, player.frame()) != player.frame())
                draws_before = number;
            entry["draw"] = number - draws_before;
        }
        goes_on = goes_on && on_entry(entry);
    };
    const bool each = options.at == DigestAt::Draw;
    if (Status made = player.create(options, each ? DigestBackend::OnOperation(pass_on) : nullptr, failure);
        !made)
        return made;
    goes_on = on_entry({{"picavk_digest", kFormVersion},
                        {"version", version_text()},
                        {"stream", options.name},
                        {"at", word(options.at)},
                        {"backend", player.on_device() ? "vulkan" : "software"},
                        {"scale", options.vulkan.scale},
                        {"is_truncated", trace.is_truncated()}});
    while (goes_on)
    {
        const StepResult result = player.step(options.at == DigestAt::Frame ? Step::Frame : Step::List);
        if (Status device = player.device_status(); !device)
        {
            if (failure != nullptr)
                *failure = renderer::CreateFailure::DeviceFailed;
            return device;
        }
        if (result == StepResult::End)
            break;
        if (result == StepResult::Frame)
        {
            DigestEntry entry = player.frame_entry();
            entry["frame"] = player.frame() - 1; // the one that ends here
            goes_on = goes_on && on_entry(entry);
        }
        else if (options.at == DigestAt::List)
        {
            const char* what = result == StepResult::Fill       ? "memory fill"
                               : result == StepResult::Transfer ? "transfer or copy"
                                                                : "list";
            const u64 draws = player.backend().draws();
            pass_on({{"what", what}, {"draws", draws}, {"written", player.backend().take_written()}});
        }
    }
    return {};
}

Result<DigestEntry> digest_blocks(const Trace& trace, const DigestOptions& options, DrawNumber number,
                                  Report& report, renderer::CreateFailure* failure)
{
    Player player(trace, report);
    if (Status made = player.create(options, nullptr, failure); !made)
        return made.error();
    bool more = true;
    while (more && player.frame() < number.frame)
        more = player.step(Step::Frame) != StepResult::End;
    const u64 before = player.backend().draws();
    player.backend().probe(before + number.draw);
    while (more && player.frame() == number.frame && !player.backend().blocks())
        more = player.step(Step::Draw) != StepResult::End;
    if (Status device = player.device_status(); !device)
    {
        if (failure != nullptr)
            *failure = renderer::CreateFailure::DeviceFailed;
        return device.error();
    }
    const u64 draws = player.backend().draws() - before;
    if (!player.backend().blocks() && draws == 0 && number.frame >= trace.frames())
        return Error{no_frame_text(number.frame, trace.frames())};
    if (!player.backend().blocks())
        return Error{no_draw_text(number.frame, number.draw, draws)};
    return DigestEntry{
        {"picavk_blocks", kFormVersion}, {"version", version_text()},
        {"stream", options.name},        {"backend", player.on_device() ? "vulkan" : "software"},
        {"scale", options.vulkan.scale}, {"frame", number.frame},
        {"draw", number.draw},           {"blocks", *player.backend().blocks()}};
}

Result<std::vector<DigestEntry>> parse_digest(const std::string& text)
{
    std::vector<DigestEntry> entries;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);)
    {
        auto entry = parse_object(line);
        if (!entry || !(entries.empty() ? is_digest_head(*entry) : is_digest_entry(*entry)))
            return Error{"line " + std::to_string(entries.size() + 1) +
                         " is not that of a digest, or of a version that is not known"};
        entries.push_back(std::move(*entry));
    }
    if (entries.empty())
        return Error{"a digest has lines, and here are none"};
    return entries;
}

Result<DigestEntry> parse_blocks(const std::string& text)
{
    auto entry = parse_object(text);
    if (!entry || entry->value("picavk_blocks", DigestEntry()) != kFormVersion ||
        !entry->contains("blocks") || !entry->at("blocks").is_array() ||
        !std::ranges::all_of(entry->at("blocks"), is_block))
        return Error{"there are no blocks of a draw in this"};
    return std::move(*entry);
}

} // namespace samples
