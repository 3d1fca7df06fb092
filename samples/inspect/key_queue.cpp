// SPDX-License-Identifier: MIT
#include "samples/inspect/key_queue.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <imgui/backends/imgui_impl_glfw.h>
#include <imgui/imgui.h>

#include <algorithm>

namespace samples
{

bool KeyQueue::Event::is_command() const
{
    if (kind != Kind::Key || action == GLFW_RELEASE)
        return false;
    if (key >= GLFW_KEY_LEFT_SHIFT && key <= GLFW_KEY_RIGHT_SUPER)
        return false; // it changes what the next key means
    return key >= GLFW_KEY_ESCAPE || (mods & (GLFW_MOD_CONTROL | GLFW_MOD_ALT | GLFW_MOD_SUPER)) != 0;
}

void KeyQueue::key(int key, int scancode, int action, int mods)
{
    // Repeats that nobody has seen are one.
    const auto waits = [&](const Event& event)
    { return event.kind == Kind::Key && event.key == key && event.action == GLFW_REPEAT; };
    if (action != GLFW_REPEAT || std::none_of(events_.begin(), events_.end(), waits))
        events_.push_back({Kind::Key, key, scancode, action, mods, 0});
}

void KeyQueue::character(unsigned character)
{
    events_.push_back({Kind::Character, 0, 0, 0, 0, character});
}

void KeyQueue::mouse()
{
    events_.push_back({Kind::Mouse, 0, 0, 0, 0, 0});
}

bool KeyQueue::deliver(GLFWwindow* window, const std::function<void(int key)>& on_key)
{
    // While no button is held, what is active is a field that is typed in. WantTextInput would say so a frame late.
    const bool types = ImGui::IsAnyItemActive();
    bool full = false;
    while (!full && !events_.empty())
    {
        const Event event = events_.front();
        events_.pop_front();
        full = event.kind == Kind::Mouse || event.is_command();
        if (event.kind == Kind::Character)
            ImGui_ImplGlfw_CharCallback(window, event.character);
        if (event.kind != Kind::Key)
            continue;
        if (event.action != GLFW_RELEASE && !types)
            on_key(event.key);
        ImGui_ImplGlfw_KeyCallback(window, event.key, event.scancode, event.action, event.mods);
    }
    return !events_.empty();
}

} // namespace samples
