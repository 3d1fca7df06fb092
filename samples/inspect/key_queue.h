// SPDX-License-Identifier: MIT
// Keys and characters on their way to Dear ImGui. Version 1.86 looks at keys once a frame, in an order of its own: a key that
// is pressed and released in between is lost, and so is Return after Backspace. Here a frame gets what was typed in its
// order, up to the first key that is no character; what follows waits for the next one.
#pragma once

#include <deque>
#include <functional>

struct GLFWwindow;

namespace samples
{

class KeyQueue
{
public:
    // What GLFW's callbacks tell.
    void key(int key, int scancode, int action, int mods);
    void character(unsigned character);
    // A mouse button was pressed or released: keys after it wait for the frame in which that has its effect.
    void mouse();

    // Tells Dear ImGui what one frame takes, and calls on_key for presses while no field is typed in. Returns true if more
    // is waiting.
    bool deliver(GLFWwindow* window, const std::function<void(int key)>& on_key);

private:
    enum class Kind
    {
        Key,
        Character,
        Mouse,
    };
    struct Event
    {
        Kind kind{};
        int key = 0, scancode = 0, action = 0, mods = 0;
        unsigned character = 0;

        // Is it a press that a frame takes alone?
        bool is_command() const;
    };

    std::deque<Event> events_;
};

} // namespace samples
