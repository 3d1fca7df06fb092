// SPDX-License-Identifier: MIT
#include "samples/inspect/stream_model.h"

#include "pica/command/gpu.h"
#include "pica/soft/software_core.h"
#include "samples/cli/opened_replay.h"
#include "samples/cli/operation_json.h"

#include <algorithm>
#include <charconv>
#include <sstream>
#include <system_error>
#include <utility>

namespace samples
{

using namespace pica;

namespace
{

std::optional<u32> number_of(const std::string& text)
{
    u32 number = 0;
    const char* const end = text.data() + text.size();
    const auto read = std::from_chars(text.data(), end, number);
    return read.ec == std::errc() && read.ptr == end ? std::optional(number) : std::nullopt;
}

} // namespace

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

u32 StreamModel::scale()
{
    return replay().core().scale();
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

// The first draw of the command list that the draw is in.
std::optional<std::size_t> StreamModel::first_of_list(std::size_t draw) const
{
    const ReplayOperation& of = operations()[draw];
    std::optional<std::size_t> first;
    for (std::size_t number = draw + 1; number-- > 0;)
    {
        const ReplayOperation& operation = operations()[number];
        if (operation.frame != of.frame)
            break;
        if (operation.is_draw() && operation.list == of.list)
            first = number;
    }
    return first;
}

void StreamModel::select_list_after()
{
    const std::optional<std::size_t> here = last_draw();
    for (std::size_t number = selected_ + 1; number < operations().size(); ++number)
    {
        const ReplayOperation& operation = operations()[number];
        if (operation.is_draw() && (!here || operation.frame != operations()[*here].frame ||
                                    operation.list != operations()[*here].list))
            return select(number);
    }
}

void StreamModel::select_list_before()
{
    for (std::size_t number = selected_; number-- > 0;)
        if (operations()[number].is_draw())
            return select(first_of_list(number).value_or(number));
}

Status StreamModel::go_to(const std::string& text)
{
    std::istringstream words(text);
    std::vector<std::optional<u32>> numbers;
    bool is_operation = false;
    for (std::string word; words >> word;)
    {
        is_operation = is_operation || word[0] == '#';
        numbers.push_back(number_of(word[0] == '#' ? word.substr(1) : word));
    }
    const std::size_t most = is_operation ? 1 : 2;
    if (numbers.empty() || numbers.size() > most || !numbers.front() || !numbers.back())
        return Error{"a frame, a frame and a draw, or # and an operation"};
    const u32 first = *numbers.front(), second = *numbers.back();
    if (is_operation)
    {
        if (first >= operations().size())
            return Error{"the last operation is #" + std::to_string(operations().size() - 1)};
        select(first);
        return {};
    }
    if (first >= frames())
        return Error{"the last frame is " + std::to_string(frames() - 1)};
    if (numbers.size() == 1)
    {
        select_frame(first);
        return {};
    }
    u32 draws = 0;
    for (std::size_t number = 0; number < operations().size(); ++number)
    {
        const ReplayOperation& operation = operations()[number];
        if (operation.frame != first || !operation.is_draw())
            continue;
        ++draws;
        if (operation.draw != second)
            continue;
        select(number);
        return {};
    }
    return Error{"frame " + std::to_string(first) + " has " + std::to_string(draws) + " draws, from 0"};
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
    const PlaneMemory* const planes = replay().core().planes();
    pictures_ = screen_views(replay().gpu().external(), replay().memory(), planes);
    if (const std::optional<std::size_t> draw = last_draw())
        for (ShownPicture& shown :
             target_views(std::get<DrawnTarget>(operations()[*draw].what).target, replay().memory(), planes))
            pictures_.push_back(std::move(shown));
    pictured_ = revision_;
    return pictures_;
}

} // namespace samples
