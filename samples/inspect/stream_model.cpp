// SPDX-License-Identifier: MIT
#include "samples/inspect/stream_model.h"

#include "pica/command/gpu.h"
#include "samples/cli/opened_replay.h"
#include "samples/cli/operation_json.h"

#include <algorithm>
#include <utility>

namespace samples
{

using namespace pica;

StreamModel::StreamModel(std::unique_ptr<OpenedReplay> opened)
    : opened_(std::move(opened)), name_(opened_->name())
{
}

StreamModel::~StreamModel() = default;

const Trace& StreamModel::trace() const
{
    return opened_->trace();
}

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

const std::vector<ShownPicture>& StreamModel::pictures()
{
    if (pictured_ == revision_)
        return pictures_;
    pictures_.clear();
    if (empty())
        return pictures_;
    here();
    pictures_ = screen_views(replay().gpu().external(), replay().memory());
    if (const std::optional<std::size_t> draw = last_draw())
        for (ShownPicture& shown :
             target_views(std::get<DrawnTarget>(operations()[*draw].what).target, replay().memory()))
            pictures_.push_back(std::move(shown));
    pictured_ = revision_;
    return pictures_;
}

} // namespace samples
