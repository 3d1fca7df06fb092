// SPDX-License-Identifier: MIT
// The textures of the last draw with all levels and faces.
#pragma once

#include "samples/inspect/picture_view.h"

namespace samples
{

class TexturesModel;

class TexturesPanel
{
public:
    TexturesPanel(TexturesModel& textures, GlCanvas& canvas, Places& places)
        : textures_(textures), places_(places), view_(canvas, places)
    {
    }

    // Fills the current ImGui window.
    void draw();

private:
    TexturesModel& textures_;
    Places& places_;
    PictureView view_;
};

} // namespace samples
