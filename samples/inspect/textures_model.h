// SPDX-License-Identifier: MIT
// The textures that the last draw up to the selected operation reads, with all levels and faces. Knows nothing of the
// window. Tests: tests/cli/inspect_memory_models_test.cpp.
#pragma once

#include "samples/cli/json_text.h"
#include "samples/inspect/stream_model.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace samples
{

// What is shown of a picture's alpha.
enum class AlphaView : pica::u8
{
    Hidden,
    Checkered, // the picture before a pattern of squares
    Alone,     // as grey
};
Picture with_alpha(const Picture& picture, AlphaView view);

struct ShownTexture
{
    std::string name; // "texture0_level1", "texture0_plus_x_level0"
    pica::u32 unit = 0;
    pica::PhysAddr address = 0;
    pica::TextureFormat format{};
    // The first row is the one with the highest t.
    Picture picture;

    // "texture 0 level 1  RGB565  32 x 32  0x18000000"
    std::string line() const;
};

class TexturesModel
{
public:
    explicit TexturesModel(StreamModel& model) : model_(model) {}

    // Nothing: no draw up to the selected operation.
    std::optional<std::size_t> draw();
    // As the draw found them.
    const std::vector<ShownTexture>& textures();
    // By name; it stays chosen when another draw has it, too. The first one if there is none of the name.
    void choose(const std::string& name) { wanted_ = name; }
    // Null: the draw has no texture.
    const ShownTexture* chosen();

    // What `--log` writes.
    Json log();

private:
    void find();

    StreamModel& model_;
    pica::u64 found_at_ = 0; // revision
    std::optional<std::size_t> draw_;
    std::vector<ShownTexture> textures_;
    std::string wanted_;
};

} // namespace samples
