// SPDX-License-Identifier: MIT
#include "samples/inspect/stream_model.h"

#include "pica/command/gpu.h"
#include "samples/cli/dump_pictures.h"
#include "samples/cli/opened_replay.h"
#include "samples/cli/operation_json.h"
#include "samples/cli/playback.h"

#include <algorithm>
#include <utility>

namespace samples
{

using namespace pica;

namespace
{

// Its rows become columns from left to right, the last one of the picture first: y counts upwards there.
Picture turned(const Picture& picture, bool flip)
{
    Picture result{picture.height, picture.width, std::vector<u8>(picture.rgba.size())};
    for (u32 y = 0; y < picture.height; ++y)
        for (u32 x = 0; x < picture.width; ++x)
        {
            const u32 column = flip ? y : picture.height - 1 - y;
            const u32 row = picture.width - 1 - x;
            std::copy_n(&picture.rgba[(std::size_t{y} * picture.width + x) * 4], 4,
                        &result.rgba[(std::size_t{row} * result.width + column) * 4]);
        }
    return result;
}

// What the screens show is what memory holds; what is odd about it was reported when it was played.
class Silent final : public Report
{
    void report(ReportKind, std::string_view, std::string_view) override {}
};

} // namespace

std::optional<SurfacePixel> ShownPicture::target_pixel(u32 x, u32 y) const
{
    if (kind == Kind::Screen || x >= picture.width || y >= picture.height)
        return std::nullopt;
    return SurfacePixel{picture.height - 1 - y, target.flip != 0 ? picture.width - 1 - x : x};
}

std::optional<PixelPlace> ShownPicture::place(u32 x, u32 y) const
{
    if (kind == Kind::Screen)
        return screen_place(config, x, y);
    const std::optional<SurfacePixel> pixel = target_pixel(x, y);
    if (!pixel)
        return std::nullopt;
    return target_place(target, pixel->x, pixel->row, kind != Kind::Color);
}

StreamModel::StreamModel(std::unique_ptr<OpenedReplay> opened)
    : opened_(std::move(opened)), name_(opened_->name())
{
}

StreamModel::~StreamModel() = default;

Replay& StreamModel::replay()
{
    return opened_->replay();
}

Replay& StreamModel::here()
{
    const u32 step = operations()[selected_].step + 1;
    if (replay().position() != step)
        replay().seek(step);
    return replay();
}

const std::vector<ReplayOperation>& StreamModel::operations() const
{
    return opened_->replay().operations();
}

bool StreamModel::read_more(std::chrono::milliseconds time)
{
    const auto end = std::chrono::steady_clock::now() + time;
    while (!read_ && std::chrono::steady_clock::now() < end)
        read_ = !replay().step();
    describe_new();
    if (!read_)
        return true;
    const auto draw = std::find_if(operations().begin(), operations().end(),
                                   [](const ReplayOperation& operation) { return operation.is_draw(); });
    if (!empty())
        select(draw == operations().end() ? 0 : static_cast<std::size_t>(draw - operations().begin()));
    return false;
}

void StreamModel::describe_new()
{
    for (std::size_t number = descriptions_.size(); number < operations().size(); ++number)
    {
        std::string line = "frame " + std::to_string(operations()[number].frame) + ", " +
                           operation_line(operation_json(operations()[number]));
        line.pop_back(); // its end of line
        descriptions_.push_back(std::move(line));
    }
}

u32 StreamModel::frames() const
{
    return empty() ? 0 : operations().back().frame + 1;
}

std::string StreamModel::label(std::size_t number) const
{
    const ReplayOperation& operation = operations()[number];
    if (const auto* drawn = std::get_if<DrawnTarget>(&operation.what))
        return "draw " + std::to_string(operation.draw) + "  " + std::to_string(drawn->vertices) +
               " vertices  to " + hex(drawn->target.color_address);
    if (const auto* fill = std::get_if<MemoryFill>(&operation.what))
        return "fill  " + hex(fill->start) + "  with " + hex(fill->value);
    if (const auto* transfer = std::get_if<DisplayTransfer>(&operation.what))
        return "display transfer  " + hex(transfer->input) + " to " + hex(transfer->output);
    if (const auto* copy = std::get_if<TextureCopy>(&operation.what))
        return "texture copy  " + hex(copy->input) + " to " + hex(copy->output);
    const ByteRange& range = std::get<ByteRange>(operation.what);
    return "CPU write  " + hex(range.begin) + "  " + std::to_string(range.size) + " bytes";
}

void StreamModel::select(std::size_t number)
{
    if (number >= operations().size())
        return;
    const auto start = std::chrono::steady_clock::now();
    replay().seek(operations()[number].step + 1);
    const std::chrono::duration<double, std::milli> time = std::chrono::steady_clock::now() - start;
    seek_milliseconds_ = time.count();
    selected_ = number;
    ++revision_;
}

void StreamModel::select_draw_after()
{
    for (std::size_t number = selected_ + 1; number < operations().size(); ++number)
        if (operations()[number].is_draw())
            return select(number);
}

void StreamModel::select_draw_before()
{
    for (std::size_t number = selected_; number-- > 0;)
        if (operations()[number].is_draw())
            return select(number);
}

void StreamModel::select_frame(u32 frame)
{
    const auto after =
        std::find_if(operations().begin(), operations().end(),
                     [&](const ReplayOperation& operation) { return operation.frame > frame; });
    if (after != operations().begin())
        select(static_cast<std::size_t>(after - operations().begin()) - 1);
}

std::optional<std::size_t> StreamModel::last_draw() const
{
    for (std::size_t number = std::min(selected_ + 1, operations().size()); number-- > 0;)
        if (operations()[number].is_draw())
            return number;
    return std::nullopt;
}

void StreamModel::add_screens()
{
    const ExternalRegisters& registers = replay().gpu().external();
    Silent silent;
    for (const Screen screen : {Screen::Top, Screen::TopRight, Screen::Bottom})
    {
        if (screen == Screen::TopRight && !is_stereoscopic(registers))
            continue;
        ShownPicture shown;
        shown.kind = ShownPicture::Kind::Screen;
        shown.name = screen_name(screen);
        shown.screen = screen;
        shown.config = decode_screen(registers, screen);
        std::vector<u32> words(std::size_t{screen_width(screen)} * kScreenHeight);
        scan_out(replay().memory(), shown.config, words.data(), silent);
        shown.picture = to_picture(screen_width(screen), kScreenHeight, words);
        pictures_.push_back(std::move(shown));
    }
}

void StreamModel::add_target(const RenderTarget& target)
{
    for (const NamedPicture& named : target_pictures(target, "after", replay().memory()).pictures)
    {
        ShownPicture shown;
        if (named.name == "color_after")
            shown.kind = ShownPicture::Kind::Color;
        else if (named.name == "depth_after")
            shown.kind = ShownPicture::Kind::Depth;
        else if (named.name == "stencil_after")
            shown.kind = ShownPicture::Kind::Stencil;
        else
            continue;
        shown.name = named.name.substr(0, named.name.find('_'));
        shown.target = target;
        shown.picture = turned(named.picture, target.flip != 0);
        pictures_.push_back(std::move(shown));
    }
}

const std::vector<ShownPicture>& StreamModel::pictures()
{
    if (pictured_ == revision_)
        return pictures_;
    pictures_.clear();
    if (empty())
        return pictures_;
    here();
    add_screens();
    if (const std::optional<std::size_t> draw = last_draw())
        add_target(std::get<DrawnTarget>(operations()[*draw].what).target);
    pictured_ = revision_;
    return pictures_;
}

} // namespace samples
