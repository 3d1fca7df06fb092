// SPDX-License-Identifier: MIT
#include "samples/inspect/compare_model.h"

#include "pica/base/silent_report.h"
#include "pica/command/gpu.h"
#include "pica/memory/guest_memory.h"
#include "pica/soft/software_core.h"
#include "samples/cli/playback.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace samples
{

using namespace pica;

namespace
{

// Of a screen's pixel, or what the buffer has of it.
u32 code_of(const ShownPicture& shown, const PixelPlace& place, const ShownMemory& of)
{
    const u32 code = read_place(of.memory, of.planes, place);
    if (shown.kind == ShownPicture::Kind::Stencil)
        return code >> 24;
    if (shown.kind == ShownPicture::Kind::Depth)
        return code & 0xFFFFFF;
    return code;
}

void add_difference(const ComparedPicture& compared, std::size_t pixel, u8* rgba)
{
    for (std::size_t channel = 0; channel < 3; ++channel)
    {
        const int difference = std::abs(int{compared.software.picture.rgba[pixel * 4 + channel]} -
                                        int{compared.vulkan.rgba[pixel * 4 + channel]});
        rgba[channel] = static_cast<u8>(std::clamp(difference * 8, int{ComparedPicture::kFaintest}, 255));
    }
}

} // namespace

ComparedPicture compare_pictures(const ShownPicture& of_software, const ShownMemory& software,
                                 const ShownPicture& of_vulkan, const ShownMemory& vulkan)
{
    ComparedPicture compared;
    compared.software = of_software;
    compared.vulkan = of_vulkan.picture;
    const u32 width = of_software.picture.width, height = of_software.picture.height;
    compared.difference = {width, height, std::vector<u8>(of_software.picture.rgba.size())};
    for (std::size_t pixel = 0; pixel < std::size_t{width} * height; ++pixel)
    {
        const u32 x = static_cast<u32>(pixel % width), y = static_cast<u32>(pixel / width);
        u8* rgba = &compared.difference.rgba[pixel * 4];
        rgba[3] = 255;
        const auto place = of_software.place(x, y);
        if (!place || code_of(of_software, *place, software) == code_of(of_software, *place, vulkan))
            continue;
        ++compared.different;
        if (!compared.first)
            compared.first = std::array{x, y};
        add_difference(compared, pixel, rgba);
    }
    return compared;
}

CompareModel::CompareModel(StreamModel& model, const renderer::Options& options)
    : model_(model), options_(std::make_unique<renderer::Options>(options)),
      report_(std::make_unique<SilentReport>())
{
}

CompareModel::~CompareModel() = default;

void CompareModel::choose(From from)
{
    known_ = known_ && from == from_;
    from_ = from;
}

bool CompareModel::is_known() const
{
    return known_ && known_at_ == model_.revision();
}

u32 CompareModel::first_step() const
{
    const auto& operations = model_.operations();
    const ReplayOperation& selected = operations[model_.selected()];
    if (from_ == From::Draw)
        return operations[model_.last_draw().value_or(model_.selected())].step;
    const auto first =
        std::find_if(operations.begin(), operations.end(),
                     [&](const ReplayOperation& operation) { return operation.frame == selected.frame; });
    return first->step;
}

bool CompareModel::start()
{
    if (playback_ && playback_->status())
        return true;
    playback_.reset(); // a device that was lost
    PlaybackOptions options;
    options.backend = BackendChoice::Vulkan;
    options.vulkan = *options_;
    options.scale = model_.scale();
    auto created = Playback::create(model_.trace(), options, *report_);
    if (!created)
    {
        problem_ = "The Vulkan renderer does not start: " + created.error().message;
        return false;
    }
    playback_ = std::move(*created);
    return true;
}

void CompareModel::add(const std::vector<ShownPicture>& of_software)
{
    Replay& replay = model_.replay();
    for (const ShownPicture& shown : of_software)
    {
        const RenderTarget& target = shown.target;
        const bool color = shown.kind == ShownPicture::Kind::Color;
        const ByteRange range = shown.kind == ShownPicture::Kind::Screen
                                    ? shown.config.input_range()
                                    : ByteRange{color ? target.color_address : target.depth_address,
                                                color ? target.color_bytes() : target.depth_bytes()};
        const GuestMemory& memory = playback_->read_back(range);
        const PlaneMemory* const planes = playback_->planes(range);
        const std::vector<ShownPicture> views =
            shown.kind == ShownPicture::Kind::Screen
                ? screen_views(model_.replay().gpu().external(), memory, planes)
                : target_views(target, memory, planes);
        const auto view = std::find_if(views.begin(), views.end(),
                                       [&](const ShownPicture& other) { return other.name == shown.name; });
        if (view != views.end())
            pictures_.push_back(
                compare_pictures(shown, {replay.memory(), replay.core().planes()}, *view, {memory, planes}));
    }
}

void CompareModel::compare()
{
    if (is_known() || model_.empty())
        return;
    known_ = true;
    known_at_ = model_.revision();
    problem_.clear();
    pictures_.clear();
    if (!start())
        return;
    Replay& replay = model_.replay();
    const u32 begin = first_step(), end = model_.operations()[model_.selected()].step + 1;
    replay.seek(begin);
    playback_->jump_to(replay);
    for (u32 step = begin; step < end; ++step)
        if (!playback_->step())
            break;
    const std::vector<ShownPicture> of_software = model_.pictures();
    model_.here();
    add(of_software);
    if (const Status status = playback_->status(); !status)
    {
        problem_ = "The Vulkan renderer failed: " + status.error().message;
        pictures_.clear();
    }
}

Json CompareModel::log() const
{
    Json json = {{"operation", model_.selected()},
                 {"known", is_known()},
                 {"from", kFrom[static_cast<u32>(from_)]},
                 {"different", Json::object()}};
    if (!problem_.empty())
        json["problem"] = problem_;
    if (is_known())
        for (const ComparedPicture& compared : pictures_)
            json["different"][compared.software.name] = compared.different;
    return json;
}

} // namespace samples
