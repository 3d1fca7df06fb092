// SPDX-License-Identifier: MIT
// TitleStates: which pipeline states and programs a title draws with, kept from run to run in the disk cache, so that
// workers can make their pipelines before draws need them (design D10). The list is bounded: what was not used for
// longest is dropped. For the renderer's thread. Tests: tests/renderer/title_states_test.cpp.
#pragma once

#include "pica/shader/program.h"
#include "renderer/pipelines/draw_state_key.h"
#include "renderer/pipelines/pipeline_keys.h"

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

namespace renderer
{

class DiskCache;

// A pipeline of a draw.
struct TitleDraw
{
    DrawStateKey state;
    PassKey pass;
};

// A pipeline of a program. key: the bytes of the program's key, with 0 in place of the program's number.
struct TitleProgram
{
    pica::u8 kind = 0; // chosen by the caller
    std::vector<pica::u8> key;
    std::shared_ptr<const pica::Program> program;
};

class TitleStates
{
public:
    using Action = std::function<void()>;
    // The most entries of both kinds together.
    static constexpr std::size_t kMostEntries = 384;

    // The list of a title, as earlier runs left it. key: names the title, the device, and the paths that states
    // depend on.
    TitleStates(DiskCache& disk, std::vector<pica::u8> key);

    // The entries in the order of their first use. Entries that make no sense are left out.
    std::vector<TitleDraw> draws() const;
    std::vector<TitleProgram> programs() const;

    // To be called for what draws use, once or more often.
    void use(const DrawStateKey& state, const PassKey& pass);
    void use(pica::u8 kind, std::span<const pica::u8> key, const pica::Program& program);

    // How many entries this run has added to the list.
    pica::u64 additions() const { return additions_; }
    // An action that keeps the list as it is now. It may run on any thread while the disk cache lives.
    Action save_job() const;

private:
    struct Entry
    {
        std::string bytes;
        pica::u32 used = 0; // the last run in which it was used; runs that use nothing new do not count
    };
    bool read(std::span<const pica::u8> content);
    void use(std::string bytes);
    void drop_oldest();

    DiskCache& disk_;
    const std::vector<pica::u8> key_;
    pica::u64 additions_ = 0;
    pica::u32 run_ = 1;
    std::vector<Entry> entries_;
    std::unordered_map<std::string, std::size_t> places_; // index in entries_
};

} // namespace renderer
