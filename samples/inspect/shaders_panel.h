// SPDX-License-Identifier: MIT
// The shaders that the Vulkan renderer generates for the last draw, as text.
#pragma once

namespace samples
{

class Places;
class ShadersModel;

class ShadersPanel
{
public:
    ShadersPanel(ShadersModel& shaders, Places& places) : shaders_(shaders), places_(places) {}

    // Fills the current ImGui window.
    void draw();

private:
    ShadersModel& shaders_;
    Places& places_;
};

} // namespace samples
