// SPDX-License-Identifier: MIT
#include "renderer/pipelines/title_states.h"

#include "pica/base/bytes.h"
#include "renderer/cache/disk_cache.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <type_traits>
#include <utility>

namespace renderer
{

using pica::u32;
using pica::u8;

namespace
{

constexpr const char* kKind = "title";
// The first byte of an entry. What follows, of a draw: its state and kind of render pass; of a program: kind, size and
// bytes of its key, words of its content (Program::content).
constexpr char kDraw = 'd';
constexpr char kProgram = 'p';

static_assert(std::is_trivially_copyable_v<DrawStateKey>);
static_assert(std::has_unique_object_representations_v<PassKey>);

std::string bytes_of(const void* object, std::size_t size)
{
    return {static_cast<const char*>(object), size};
}

// Do the fields have values of their types? The shader of a state is found by the bytes of its key, so the rest
// needs no check.
bool is_valid(const pica::OutputState& output)
{
    const auto within = [](auto value, auto last) { return value <= last; };
    const pica::BlendState& blend = output.blend;
    return blend.logic <= 1 && within(blend.logic_op, pica::LogicOp{15}) &&
           within(blend.equation_color, pica::BlendEquation{4}) &&
           within(blend.equation_alpha, pica::BlendEquation{4}) &&
           within(blend.source_color, pica::BlendFactor{14}) &&
           within(blend.destination_color, pica::BlendFactor{14}) &&
           within(blend.source_alpha, pica::BlendFactor{14}) &&
           within(blend.destination_alpha, pica::BlendFactor{14}) && blend.color_mask <= 15 &&
           blend.read_destination <= 1 && output.depth_test <= 1 && output.depth_write <= 1 &&
           output.stencil_test <= 1 && within(output.depth_func, pica::CompareFunc{7}) &&
           within(output.stencil_func, pica::CompareFunc{7}) &&
           within(output.stencil_fail, pica::StencilOp{7}) &&
           within(output.stencil_depth_fail, pica::StencilOp{7}) &&
           within(output.stencil_pass, pica::StencilOp{7});
}

bool is_valid(const DrawStateKey& state, const PassKey& pass)
{
    using shadergen::ColorOutput;
    const bool flags = state.coverage_in_shader <= 1 && state.interlock <= 1 && state.ubershader <= 1 &&
                       state.layout.wide <= pica::kEdges64 && pass.has_color <= 1 && pass.has_depth <= 1;
    const bool pass_fits = pass.color_output <= ColorOutput::Unorm && pass.blend_path <= BlendPath::Barrier &&
                           state.fragment.output <= pica::OutputClass::Fetch;
    // Fixed-function blending needs the UNORM view, and only states that store themselves have no colour.
    const bool blends = state.fragment.output == pica::OutputClass::FixedBlend;
    return flags && pass_fits && is_valid(state.output) &&
           (!blends || pass.color_output == ColorOutput::Unorm) &&
           (state.interlock == 0 || (pass.blend_path == BlendPath::Interlock && pass.has_color == 0));
}

std::optional<TitleDraw> draw_from(std::string_view bytes)
{
    TitleDraw entry;
    if (bytes.size() != sizeof entry.state + sizeof entry.pass)
        return {};
    std::memcpy(&entry.state, bytes.data(), sizeof entry.state);
    std::memcpy(&entry.pass, bytes.data() + sizeof entry.state, sizeof entry.pass);
    if (!is_valid(entry.state, entry.pass))
        return {};
    return entry;
}

// Makes the program that has this content. Null if none has.
std::shared_ptr<const pica::Program> program_from(std::span<const u32> content)
{
    if (content.size() < 3 || content[0] > static_cast<u32>(pica::ShaderStage::Geometry))
        return nullptr;
    const auto stage = static_cast<pica::ShaderStage>(content[0]);
    pica::ShaderCode code(stage);
    // Runs of words follow, then the number of descriptors and as many pairs. Where the runs end shows only at the end:
    // their number is not part of the content. So all places are tried where a count of descriptors fits.
    for (std::size_t at = 2; at < content.size();)
    {
        const std::size_t left = content.size() - at - 1;
        if (left == 2 * std::size_t{content[at]})
        {
            pica::ShaderCode whole = code;
            for (std::size_t i = at + 1; i < content.size(); i += 2)
                whole.write_descriptor(content[i], content[i + 1]);
            auto program = std::make_shared<const pica::Program>(whole, content[1], stage);
            if (std::ranges::equal(program->content(), content))
                return program;
        }
        if (left < 1 || left - 1 < content[at + 1])
            return nullptr;
        for (u32 i = 0; i < content[at + 1]; ++i)
            code.write_word(content[at] + i, content[at + 2 + i]);
        at += 2 + std::size_t{content[at + 1]};
    }
    return nullptr;
}

std::optional<TitleProgram> program_entry_from(std::string_view bytes)
{
    if (bytes.size() < 2)
        return {};
    TitleProgram entry;
    entry.kind = static_cast<u8>(bytes[0]);
    const std::size_t key_size = static_cast<u8>(bytes[1]);
    bytes.remove_prefix(2);
    if (bytes.size() < key_size || (bytes.size() - key_size) % 4 != 0)
        return {};
    entry.key.assign(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(key_size));
    bytes.remove_prefix(key_size);
    std::vector<u32> content(bytes.size() / 4);
    if (!content.empty())
        std::memcpy(content.data(), bytes.data(), bytes.size());
    entry.program = program_from(content);
    if (!entry.program)
        return {};
    return entry;
}

} // namespace

TitleStates::TitleStates(DiskCache& disk, std::vector<u8> key) : disk_(disk), key_(std::move(key))
{
    const auto content = disk_.find(kKind, key_);
    if (content && !read(*content))
        disk_.refuse(kKind, "it holds no list");
}

// The content is the number of the run, then the entries: last use, size and bytes.
bool TitleStates::read(std::span<const u8> content)
{
    const auto take_word = [&](u32& word)
    {
        if (content.size() < 4)
            return false;
        word = pica::load_word(content.data());
        content = content.subspan(4);
        return true;
    };
    if (!take_word(run_))
        return false;
    ++run_;
    while (!content.empty() && entries_.size() < kMostEntries)
    {
        Entry entry;
        u32 size = 0;
        if (!take_word(entry.used) || !take_word(size) || size > content.size())
            return false;
        entry.bytes.assign(content.begin(), content.begin() + static_cast<std::ptrdiff_t>(size));
        content = content.subspan(size);
        if (places_.emplace(entry.bytes, entries_.size()).second)
            entries_.push_back(std::move(entry));
    }
    return true;
}

std::vector<TitleDraw> TitleStates::draws() const
{
    std::vector<TitleDraw> draws;
    for (const Entry& entry : entries_)
        if (!entry.bytes.empty() && entry.bytes.front() == kDraw)
            if (const auto draw = draw_from(std::string_view(entry.bytes).substr(1)))
                draws.push_back(*draw);
    return draws;
}

std::vector<TitleProgram> TitleStates::programs() const
{
    std::vector<TitleProgram> programs;
    for (const Entry& entry : entries_)
        if (!entry.bytes.empty() && entry.bytes.front() == kProgram)
            if (auto program = program_entry_from(std::string_view(entry.bytes).substr(1)))
                programs.push_back(std::move(*program));
    return programs;
}

void TitleStates::use(const DrawStateKey& state, const PassKey& pass)
{
    use(kDraw + bytes_of(&state, sizeof state) + bytes_of(&pass, sizeof pass));
}

void TitleStates::use(u8 kind, std::span<const u8> key, const pica::Program& program)
{
    std::string bytes{kProgram, static_cast<char>(kind), static_cast<char>(key.size())};
    bytes += bytes_of(key.data(), key.size());
    bytes += bytes_of(program.content().data(), program.content().size_bytes());
    use(std::move(bytes));
}

void TitleStates::use(std::string bytes)
{
    const auto [place, added] = places_.try_emplace(bytes, entries_.size());
    if (!added)
    {
        entries_[place->second].used = run_;
        return;
    }
    entries_.push_back({std::move(bytes), run_});
    additions_++;
    if (entries_.size() > kMostEntries)
        drop_oldest();
}

// Drops a quarter of the entries, those whose last use is longest ago.
void TitleStates::drop_oldest()
{
    std::vector<u32> uses;
    for (const Entry& entry : entries_)
        uses.push_back(entry.used);
    std::size_t surplus = entries_.size() - kMostEntries * 3 / 4;
    std::nth_element(uses.begin(), uses.begin() + static_cast<std::ptrdiff_t>(surplus), uses.end());
    const u32 limit = uses[surplus];
    std::erase_if(entries_,
                  [&](const Entry& entry)
                  {
                      const bool drops = surplus != 0 && entry.used <= limit;
                      surplus -= drops ? 1 : 0;
                      return drops;
                  });
    places_.clear();
    for (std::size_t i = 0; i < entries_.size(); ++i)
        places_.emplace(entries_[i].bytes, i);
}

TitleStates::Action TitleStates::save_job() const
{
    std::vector<u8> content;
    pica::append_word(content, run_);
    for (const Entry& entry : entries_)
    {
        pica::append_word(content, entry.used);
        pica::append_word(content, static_cast<u32>(entry.bytes.size()));
        content.insert(content.end(), entry.bytes.begin(), entry.bytes.end());
    }
    return [&disk = disk_, key = key_, content = std::move(content)] { disk.keep(kKind, key, content); };
}

} // namespace renderer
