// SPDX-License-Identifier: MIT
#include "samples/inspect/details_panel.h"

#include "samples/inspect/breakpoints_model.h"
#include "samples/inspect/breakpoints_panel.h"
#include "samples/inspect/compare_model.h"
#include "samples/inspect/compare_panel.h"
#include "samples/inspect/event_log.h"
#include "samples/inspect/memory_model.h"
#include "samples/inspect/memory_panel.h"
#include "samples/inspect/pixel_panel.h"
#include "samples/inspect/places.h"
#include "samples/inspect/program_model.h"
#include "samples/inspect/program_panel.h"
#include "samples/inspect/shaders_model.h"
#include "samples/inspect/shaders_panel.h"
#include "samples/inspect/state_model.h"
#include "samples/inspect/state_panel.h"
#include "samples/inspect/stream_model.h"
#include "samples/inspect/tab_row.h"
#include "samples/inspect/tables_model.h"
#include "samples/inspect/tables_panel.h"
#include "samples/inspect/textures_model.h"
#include "samples/inspect/textures_panel.h"
#include "samples/inspect/vertices_model.h"
#include "samples/inspect/vertices_panel.h"

#include <optional>

namespace samples
{

namespace
{

enum Tab : std::size_t
{
    kPixel,
    kState,
    kVertices,
    kProgram,
    kTextures,
    kMemory,
    kTables,
    kShaders,
    kBreakpoints,
    kCompare,
};

} // namespace

struct DetailsPanel::Parts
{
    Parts(StreamModel& model, PixelModel& pixel, const renderer::Options& vulkan, GlCanvas& canvas,
          Places& places)
        : state(model), vertices(model), program(model), textures(model), memory(model), tables(model, pixel),
          shaders(model, vulkan), breakpoints(model), compare(model, vulkan),
          pixel_panel(model, pixel, places), state_panel(state, places),
          vertices_panel(vertices, canvas, places), program_panel(program, places),
          textures_panel(textures, canvas, places), memory_panel(memory, canvas, places),
          tables_panel(tables, places), shaders_panel(shaders, places),
          breakpoints_panel(breakpoints, places), compare_panel(compare, pixel, canvas, places)
    {
    }

    StateModel state;
    VerticesModel vertices;
    ProgramModel program;
    TexturesModel textures;
    MemoryModel memory;
    TablesModel tables;
    ShadersModel shaders;
    BreakpointsModel breakpoints;
    CompareModel compare;
    PixelPanel pixel_panel;
    StatePanel state_panel;
    VerticesPanel vertices_panel;
    ProgramPanel program_panel;
    TexturesPanel textures_panel;
    MemoryPanel memory_panel;
    TablesPanel tables_panel;
    ShadersPanel shaders_panel;
    BreakpointsPanel breakpoints_panel;
    ComparePanel compare_panel;
};

DetailsPanel::DetailsPanel(StreamModel& model, PixelModel& pixel, const renderer::Options& vulkan,
                           GlCanvas& canvas, Places& places)
    : places_(places), parts_(std::make_unique<Parts>(model, pixel, vulkan, canvas, places))
{
}

DetailsPanel::~DetailsPanel() = default;

void DetailsPanel::draw()
{
    draw_tabs(places_, "tab",
              {"pixel", "state", "vertices", "program", "textures", "memory", "tables", "shaders",
               "breakpoints", "compare"},
              tab_);
    switch (tab_)
    {
    case kPixel:
        return parts_->pixel_panel.draw();
    case kState:
        return parts_->state_panel.draw();
    case kVertices:
        if (const std::optional<pica::u32> element = parts_->vertices_panel.draw())
        {
            parts_->program.choose(ProgramModel::Unit::Vertex, *element);
            tab_ = kProgram;
        }
        return;
    case kProgram:
        return parts_->program_panel.draw();
    case kTextures:
        return parts_->textures_panel.draw();
    case kMemory:
        return parts_->memory_panel.draw();
    case kTables:
        return parts_->tables_panel.draw();
    case kShaders:
        return parts_->shaders_panel.draw();
    case kBreakpoints:
        return parts_->breakpoints_panel.draw();
    default:
        return parts_->compare_panel.draw();
    }
}

void DetailsPanel::run(bool forwards)
{
    tab_ = kBreakpoints; // which says what stopped it
    parts_->breakpoints.start(forwards);
}

bool DetailsPanel::work(std::chrono::milliseconds time)
{
    const bool compares = tab_ == kCompare && !parts_->compare.is_known();
    return parts_->breakpoints.search(time) || compares;
}

void DetailsPanel::write_log(EventLog& log)
{
    if (tab_ == kState)
        log.write("state", parts_->state.log());
    if (tab_ == kVertices)
        log.write("vertices", parts_->vertices_panel.log());
    if (tab_ == kProgram)
        log.write("program", parts_->program.log());
    if (tab_ == kTextures)
        log.write("textures", parts_->textures.log());
    if (tab_ == kMemory)
        log.write("memory", parts_->memory.log());
    if (tab_ == kTables)
        log.write("tables", parts_->tables.log(parts_->tables_panel.chosen()));
    if (tab_ == kShaders)
        log.write("shaders", parts_->shaders.log());
    if (tab_ == kBreakpoints)
        log.write("breakpoints", parts_->breakpoints.log());
    if (tab_ == kCompare)
        log.write("compare", parts_->compare.log());
}

} // namespace samples
