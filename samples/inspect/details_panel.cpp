// SPDX-License-Identifier: MIT
#include "samples/inspect/details_panel.h"

#include "samples/inspect/event_log.h"
#include "samples/inspect/pixel_panel.h"
#include "samples/inspect/places.h"
#include "samples/inspect/program_model.h"
#include "samples/inspect/program_panel.h"
#include "samples/inspect/state_model.h"
#include "samples/inspect/state_panel.h"
#include "samples/inspect/stream_model.h"
#include "samples/inspect/tab_row.h"
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
};

} // namespace

struct DetailsPanel::Parts
{
    Parts(StreamModel& model, PixelModel& pixel, GlCanvas& canvas, Places& places)
        : state(model), vertices(model), program(model), pixel_panel(model, pixel, places),
          state_panel(state, places), vertices_panel(vertices, canvas, places), program_panel(program, places)
    {
    }

    StateModel state;
    VerticesModel vertices;
    ProgramModel program;
    PixelPanel pixel_panel;
    StatePanel state_panel;
    VerticesPanel vertices_panel;
    ProgramPanel program_panel;
};

DetailsPanel::DetailsPanel(StreamModel& model, PixelModel& pixel, GlCanvas& canvas, Places& places)
    : places_(places), parts_(std::make_unique<Parts>(model, pixel, canvas, places))
{
}

DetailsPanel::~DetailsPanel() = default;

void DetailsPanel::draw()
{
    draw_tabs(places_, "tab", {"pixel", "state", "vertices", "program"}, tab_);
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
    default:
        return parts_->program_panel.draw();
    }
}

void DetailsPanel::write_log(EventLog& log)
{
    if (tab_ == kState)
        log.write("state", parts_->state.log());
    if (tab_ == kVertices)
        log.write("vertices", parts_->vertices_panel.log());
    if (tab_ == kProgram)
        log.write("program", parts_->program.log());
}

} // namespace samples
