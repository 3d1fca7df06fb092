#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Drives the buttons that seek, and the zoom, of `picavk inspect` with real clicks. Run inside Xvfb (-fbdir FOLDER).

  drive_inspect_seek.py PICAVK STREAM.ctf WIDTH HEIGHT FOLDER

Goes to a draw by its number, to command lists and frames by buttons and keys, and zooms into a pixel with the wheel.
Prints what the window logged of each as JSON. Leaves in FOLDER: sought.xwd, zoomed.xwd.
"""
import json
import sys
import time

sys.dont_write_bytecode = True  # the tests leave nothing in the source folder
from inspect_driver import Window, xdotool


def go_to(window, text):
    window.click("go to")
    window.key("ctrl+a")
    window.type(text)
    window.key("Return")


with Window(*sys.argv[1:6]) as window:
    result = {"first": window.first}

    def moved(action):
        """The operation that is selected after the action, which selects another one."""
        before = window.last("selected")["operation"]
        action()
        return window.selected(lambda event: event["operation"] != before)

    result["gone"] = moved(lambda: go_to(window, "1 5"))
    go_to(window, "7")  # there is no such frame
    time.sleep(0.5)
    window.screenshot("sought")
    result["still"] = window.last("selected")
    for name in ["list before", "list after", "draw after", "draw before", "frame after", "frame before", "last"]:
        result[name] = moved(lambda: window.click("seek " + name))
    result["to first"] = moved(lambda: window.click("seek first"))
    result["key l"] = moved(lambda: window.key("l"))
    result["next l"] = moved(lambda: window.key("l"))
    result["key k"] = moved(lambda: window.key("k"))
    # The wheel zooms where it points: what is there stays there.
    window.click("tab colour")
    window.wait("picture", lambda: "picture color" in window.places())
    window.click("zoom 8x")
    window.wait("8x", lambda: window.place("picture color")[2] == 3200)
    left, top, wide, high = window.place("picture color")
    x, y = left + 300, top + 250
    xdotool("mousemove", x, y)
    time.sleep(0.5)
    for zoom in (16, 32):
        xdotool("click", 4)
        window.wait(f"{zoom}x", lambda: window.place("picture color")[2] == zoom * 400)
    time.sleep(0.5)
    result["zoomed"] = window.place("picture color")
    result["before"] = [left, top, wide, high]
    result["mouse"] = [x, y]
    xdotool("click", 1)
    result["pixel"] = window.wait_for("pixel")
    window.screenshot("zoomed")
    # A frame has to see the mouse where it was, and another one the button, before the mouse moves.
    xdotool("mousemove", x, y)
    time.sleep(1)
    xdotool("mousedown", 3)
    time.sleep(1)
    xdotool("mousemove", x + 40, y + 30)
    window.wait("the picture to move", lambda: window.place("picture color")[:2] != result["zoomed"][:2])
    xdotool("mouseup", 3)
    time.sleep(1)
    result["dragged"] = window.place("picture color")
    result["places"] = {name: place for name, place in window.places().items() if not name.startswith("picture")}
    result["exit"] = window.quit()
print(json.dumps(result))
