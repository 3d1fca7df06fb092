// SPDX-License-Identifier: MIT
// The pictures after the selected operation: the screens, or one buffer of the current target, with zoom:
// the wheel zooms where the mouse points, the right button moves the picture. A click picks a pixel.
#pragma once

#include "samples/inspect/stream_model.h"

#include <map>
#include <string>

namespace samples
{

class GlCanvas;
class PixelModel;
class Places;

class PicturePanel
{
public:
    PicturePanel(StreamModel& model, PixelModel& pixel, GlCanvas& canvas, Places& places)
        : model_(model), pixel_(pixel), canvas_(canvas), places_(places)
    {
    }
    ~PicturePanel();
    PicturePanel(const PicturePanel&) = delete;
    PicturePanel& operator=(const PicturePanel&) = delete;

    // Fills the current ImGui window.
    void draw();

private:
    void upload();
    void draw_tab(const char* label, ShownPicture::Kind kind);
    // above: the height of the pictures above it, in pixels of pictures.
    void draw_picture(const ShownPicture& shown, float zoom, pica::u32 above);
    void draw_pointed(const ShownPicture& shown, pica::u32 x, pica::u32 y);
    // x, y: what is pointed at, in pixels of all pictures of the tab.
    void zoom_with_wheel(float zoom, float x, float y);
    void scroll(float zoom);

    StreamModel& model_;
    PixelModel& pixel_;
    GlCanvas& canvas_;
    Places& places_;
    std::map<std::string, unsigned> textures_; // by name of the picture
    pica::u64 uploaded_ = 0;                   // the revision
    int zoom_ = 0;                             // 0: as large as fits
    bool scrolls_ = false;                     // to the place below, once the new zoom is drawn
    float scroll_x_ = 0, scroll_y_ = 0;
};

} // namespace samples
