// SPDX-License-Identifier: MIT
// The shaders that the Vulkan renderer generates for the last draw up to the selected operation: their keys, GLSL and
// SPIR-V, and what the driver tells of the draw's pipelines. Knows nothing of the window. Tests:
// tests/cli/inspect_draw_models_test.cpp.
#pragma once

#include "samples/cli/json_text.h"
#include "samples/inspect/stream_model.h"

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace pica
{
class Report;
}

namespace renderer
{
struct Options;
}

namespace samples
{

class DrawPipelines;

class ShadersModel
{
public:
    enum class Stage : pica::u8
    {
        Vertex,
        Geometry,
        Fragment,
    };
    enum class Form : pica::u8
    {
        Key,
        Glsl,
        Spirv,
        Driver, // of all stages
    };
    static constexpr const char* kStages[] = {"vertex", "geometry", "fragment"};
    static constexpr const char* kForms[] = {"key", "GLSL", "SPIR-V", "driver"};

    // vulkan: for the driver; must outlive the model.
    ShadersModel(StreamModel& model, const renderer::Options& vulkan);
    ~ShadersModel();
    ShadersModel(const ShadersModel&) = delete;
    ShadersModel& operator=(const ShadersModel&) = delete;

    // Nothing: no draw up to the selected operation.
    std::optional<std::size_t> draw();
    void choose(Stage stage, Form form);
    Stage stage() const { return stage_; }
    Form form() const { return form_; }
    // As `picavk shader` prints it; of the driver as `picavk info --driver` does. Empty if the draw has no such shader, or cannot be compiled: problem() says so.
    const std::vector<std::string>& lines();
    const std::string& problem();
    // The longest line.
    std::size_t columns();

    // What `--log` writes.
    Json log();

private:
    void find();
    void ask_driver();
    void set_text(const std::string& text);

    StreamModel& model_;
    const renderer::Options& vulkan_;
    std::unique_ptr<pica::Report> report_;
    std::unique_ptr<DrawPipelines> pipelines_; // null until the driver is asked
    Stage stage_ = Stage::Fragment;
    Form form_ = Form::Glsl;
    bool found_ = false;
    pica::u64 found_at_ = 0; // revision
    std::optional<std::size_t> draw_;
    std::string problem_;
    std::vector<std::string> lines_;
    std::size_t columns_ = 0;
};

} // namespace samples
