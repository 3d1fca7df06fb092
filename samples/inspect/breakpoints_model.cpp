// SPDX-License-Identifier: MIT
#include "samples/inspect/breakpoints_model.h"

#include "pica/command/gpu.h"
#include "pica/inspect/draw_state.h"
#include "pica/memory/guest_memory.h"
#include "pica/regs/registers.h"
#include "pica/state/vertex_memory.h"
#include "samples/cli/state_json.h"

#include <algorithm>
#include <cctype>
#include <utility>

namespace samples
{

using namespace pica;

namespace
{

constexpr std::size_t kChunk = 16; // operations that are looked at together

std::string upper(std::string text)
{
    std::transform(text.begin(), text.end(), text.begin(),
                   [](unsigned char letter) { return static_cast<char>(std::toupper(letter)); });
    return text;
}

std::string trimmed(const std::string& text)
{
    const std::size_t begin = text.find_first_not_of(' ');
    if (begin == std::string::npos)
        return {};
    return text.substr(begin, text.find_last_not_of(' ') - begin + 1);
}

std::optional<u32> find_register(const std::string& name)
{
    u32 id = 0;
    if (parse_number(name, id))
        return id < kRegisterCount ? std::optional(id) : std::nullopt;
    for (id = 0; id < kRegisterCount; ++id)
        if (register_name(id) == upper(name))
            return id;
    return std::nullopt;
}

bool contains(PhysAddr begin, u64 size, PhysAddr address)
{
    return address >= begin && address - begin < size;
}

bool reads_texture(const Draw& draw, u32 unit, PhysAddr address)
{
    const TextureUnitKey& key = draw.fragment.texture[unit];
    const TextureBinding& binding = draw.texture[unit];
    if (!key.samples())
        return false;
    if (!key.is_cube())
        return contains(binding.address, binding.byte_size(), address);
    return std::any_of(draw.cube_faces.begin(), draw.cube_faces.end(),
                       [&](PhysAddr face) { return contains(face, binding.byte_size(), address); });
}

// Textures, indices and vertex arrays.
bool reads(const Draw& draw, const GuestMemory& memory, PhysAddr address)
{
    for (u32 unit = 0; unit < draw.texture.size(); ++unit)
        if (reads_texture(draw, unit, address))
            return true;
    const VertexSource& source = draw.source;
    if (source.count == 0)
        return false;
    bool found = source.indexed != 0 && contains(source.index_address, index_bytes(source), address);
    for_each_attribute_range(source, index_range(source, memory),
                             [&](const FetchInput&, PhysAddr begin, u64 size)
                             { found = found || contains(begin, size, address); });
    return found;
}

bool reads(const ReplayWork& what, PhysAddr address)
{
    ByteRange range;
    if (const auto* transfer = std::get_if<DisplayTransfer>(&what))
        range = transfer->input_range();
    if (const auto* copy = std::get_if<TextureCopy>(&what))
        range = copy->input_range();
    return contains(range.begin, range.size, address);
}

} // namespace

std::string Breakpoint::line() const
{
    return std::string(kKinds[static_cast<u32>(kind)]) + ": " + text;
}

// Looks at operations while they are executed.
class BreakpointsModel::Hunt final : public ReplayObserver
{
public:
    Hunt(Replay& replay, const std::vector<Breakpoint>& breakpoints, std::size_t first)
        : replay_(replay), breakpoints_(breakpoints), words_(breakpoints.size())
    {
        for (std::size_t i = 0; i < breakpoints.size(); ++i)
            if (breakpoints[i].kind == Breakpoint::Kind::Register && breakpoints[i].enabled && !last_)
                last_ = last_draw_state(replay, first);
        replay.seek(replay.operations()[first].step);
        for (std::size_t i = 0; i < breakpoints.size(); ++i)
            words_[i] = word(i);
        replay.set_observer(this);
    }
    ~Hunt() override { replay_.set_observer(nullptr); }
    Hunt(const Hunt&) = delete;
    Hunt& operator=(const Hunt&) = delete;

    std::vector<Hit> take_hits() { return std::move(hits_); }

    void before(std::size_t number, const Draw* draw) override
    {
        for (std::size_t i = 0; i < breakpoints_.size(); ++i)
        {
            const Breakpoint& breakpoint = breakpoints_[i];
            if (!breakpoint.enabled)
                continue;
            const bool is_read = breakpoint.kind == Breakpoint::Kind::Read;
            if (draw != nullptr ? stops(breakpoint, *draw)
                                : is_read && reads(replay_.operations()[number].what, breakpoint.number))
                hits_.push_back({number, i});
        }
        if (draw != nullptr)
            last_.emplace(replay_.gpu().processor());
    }

    void after(std::size_t number, const Draw*) override
    {
        for (std::size_t i = 0; i < breakpoints_.size(); ++i)
            if (breakpoints_[i].enabled && breakpoints_[i].kind == Breakpoint::Kind::Written)
                if (const u32 now = word(i); std::exchange(words_[i], now) != now)
                    hits_.push_back({number, i});
    }

private:
    u32 word(std::size_t breakpoint) const
    {
        if (breakpoints_[breakpoint].kind != Breakpoint::Kind::Written)
            return 0;
        return replay_.memory().read32(breakpoints_[breakpoint].number);
    }

    bool stops(const Breakpoint& breakpoint, const Draw& draw)
    {
        switch (breakpoint.kind)
        {
        case Breakpoint::Kind::Register:
        {
            const u32 now = replay_.gpu().processor().registers()[breakpoint.number];
            if (breakpoint.value)
                return now == *breakpoint.value;
            return last_ && last_->registers[breakpoint.number] != now;
        }
        case Breakpoint::Kind::State:
            return upper(json_text(draw_json(draw))).find(upper(breakpoint.text)) != std::string::npos;
        case Breakpoint::Kind::Read:
            return reads(draw, replay_.memory(), breakpoint.number);
        default:
            return false;
        }
    }

    Replay& replay_;
    const std::vector<Breakpoint>& breakpoints_;
    std::vector<u32> words_; // by breakpoint
    std::optional<DrawState> last_;
    std::vector<Hit> hits_;
};

Status BreakpointsModel::add(Breakpoint::Kind kind, const std::string& text)
{
    Breakpoint breakpoint;
    breakpoint.kind = kind;
    breakpoint.text = trimmed(text);
    if (breakpoint.text.empty())
        return Error{"There is no text."};
    if (kind == Breakpoint::Kind::Register)
    {
        const std::size_t equal = breakpoint.text.find('=');
        const std::string name = trimmed(breakpoint.text.substr(0, equal));
        const std::optional<u32> id = find_register(name);
        if (!id)
            return Error{"There is no register \"" + name + "\"."};
        breakpoint.number = *id;
        if (equal != std::string::npos)
        {
            u32 value = 0;
            if (!parse_number(trimmed(breakpoint.text.substr(equal + 1)), value))
                return Error{"The value is no number."};
            breakpoint.value = value;
        }
    }
    else if (kind != Breakpoint::Kind::State && !parse_number(breakpoint.text, breakpoint.number))
        return Error{"The address is no number."};
    breakpoints_.push_back(std::move(breakpoint));
    return {};
}

void BreakpointsModel::remove(std::size_t number)
{
    breakpoints_.erase(breakpoints_.begin() + static_cast<std::ptrdiff_t>(number));
}

void BreakpointsModel::start(bool forwards)
{
    result_.clear();
    searching_ = true;
    forwards_ = forwards;
    place_ = model_.selected() + (forwards ? 1 : 0);
}

std::vector<BreakpointsModel::Hit> BreakpointsModel::hits(std::size_t begin, std::size_t end)
{
    Replay& replay = model_.replay();
    Hunt hunt(replay, breakpoints_, begin);
    while (replay.position() <= replay.operations()[end - 1].step)
        if (!replay.step())
            break;
    std::vector<Hit> hits = hunt.take_hits();
    // A step may have more operations.
    std::erase_if(hits, [&](const Hit& hit) { return hit.operation < begin || hit.operation >= end; });
    std::stable_sort(hits.begin(), hits.end(),
                     [](const Hit& a, const Hit& b) { return a.operation < b.operation; });
    return hits;
}

bool BreakpointsModel::search_on()
{
    const std::size_t count = model_.operations().size();
    const std::size_t begin = forwards_ ? place_ : place_ - std::min(place_, kChunk);
    const std::size_t end = forwards_ ? std::min(place_ + kChunk, count) : place_;
    if (begin >= end)
    {
        result_ = forwards_ ? "No breakpoint further on." : "No breakpoint before.";
        return false;
    }
    const std::vector<Hit> found = hits(begin, end);
    place_ = forwards_ ? end : begin;
    if (found.empty())
        return true;
    const Hit& hit = forwards_ ? found.front() : found.back();
    result_ = "Stopped by " + breakpoints_[hit.breakpoint].line();
    model_.select(hit.operation);
    return false;
}

bool BreakpointsModel::search(std::chrono::milliseconds time)
{
    const auto end = std::chrono::steady_clock::now() + time;
    while (searching_ && std::chrono::steady_clock::now() < end)
        searching_ = search_on();
    return searching_;
}

Json BreakpointsModel::log() const
{
    Json lines = Json::array();
    for (const Breakpoint& breakpoint : breakpoints_)
        lines.push_back(breakpoint.line() + (breakpoint.enabled ? "" : " (off)"));
    return {{"breakpoints", std::move(lines)},
            {"searching", searching_},
            {"operation", model_.selected()},
            {"result", result_}};
}

} // namespace samples
