// SPDX-License-Identifier: MIT
// What the software core and the Vulkan renderer leave at the selected operation, and where they differ. The Vulkan
// renderer takes over where the software core stands at the beginning of the draw or of the frame, so that what is
// different was made there. Knows nothing of the window. Tests: tests/cli/inspect_compare_test.cpp.
#pragma once

#include "samples/cli/json_text.h"
#include "samples/inspect/stream_model.h"

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace pica
{
class GuestMemory;
class PlaneMemory;
} // namespace pica

namespace renderer
{
struct Options;
}

namespace samples
{

class Playback;

struct ComparedPicture
{
    ShownPicture software;
    Picture vulkan;
    // Black where both are equal in memory; the differences of the colours otherwise, eight times as bright, and never
    // darker than kFaintest.
    Picture difference;
    static constexpr pica::u8 kFaintest = 64;
    pica::u64 different = 0;                       // pixels
    std::optional<std::array<pica::u32, 2>> first; // in the order of the picture
};

// The memory that a picture shows, and its planes at N times the resolution (null: 1x).
struct ShownMemory
{
    const pica::GuestMemory& memory;
    const pica::PlaneMemory* planes = nullptr;
};
// of_software, of_vulkan: views of the same screen or buffer.
ComparedPicture compare_pictures(const ShownPicture& of_software, const ShownMemory& software,
                                 const ShownPicture& of_vulkan, const ShownMemory& vulkan);

class CompareModel
{
public:
    enum class From : pica::u8
    {
        Draw, // the last draw up to the selected operation
        Frame,
    };
    static constexpr const char* kFrom[] = {"the last draw", "the frame so far"};

    CompareModel(StreamModel& model, const renderer::Options& options);
    ~CompareModel();
    CompareModel(const CompareModel&) = delete;
    CompareModel& operator=(const CompareModel&) = delete;

    void choose(From from);
    From from() const { return from_; }
    // Is the comparison of the selected operation known? If not, compare() makes it, which takes time: the first time the
    // renderer starts.
    bool is_known() const;
    void compare();
    // Why there is none; empty: there is.
    const std::string& problem() const { return problem_; }
    const std::vector<ComparedPicture>& pictures() const { return pictures_; }

    // What `--log` writes.
    Json log() const;

private:
    pica::u32 first_step() const;
    bool start();
    void add(const std::vector<ShownPicture>& of_software);

    StreamModel& model_;
    std::unique_ptr<renderer::Options> options_;
    std::unique_ptr<pica::Report> report_;
    std::unique_ptr<Playback> playback_;
    From from_ = From::Draw;
    bool known_ = false;
    pica::u64 known_at_ = 0; // revision
    std::string problem_;
    std::vector<ComparedPicture> pictures_;
};

} // namespace samples
