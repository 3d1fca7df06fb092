#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Drives the textures and the memory of `picavk inspect` with real clicks and typing. Run inside Xvfb (-fbdir FOLDER).

  drive_inspect_memory.py PICAVK STREAM.ctf WIDTH HEIGHT FOLDER

Looks at a level of a texture of the third draw, at its memory, and at the colour buffer's memory as numbers. Prints what
the window logged as JSON. Leaves in FOLDER: textures.xwd, memory.xwd, numbers.xwd.
"""
import json
import sys

sys.dont_write_bytecode = True  # the tests leave nothing in the source folder
from inspect_driver import Window

with Window(*sys.argv[1:6]) as window:
    result = {"places": {}}
    for draw in (1, 2):
        window.key("Right")
        result["draw"] = window.selected(lambda event: event["draw"] == draw)
    window.click("tab textures")
    result["textures"] = window.wait_for("textures")
    window.click("texture0_plus_y_level1")
    result["level"] = window.wait_for("textures", lambda event: "plus y level1" in event["chosen"])
    window.click("alpha over squares", 0.1)
    window.screenshot("textures")
    result["texture_place"] = window.place("texture")
    result["places"].update(window.places())
    window.click("tab memory")
    result["memory"] = window.wait_for("memory")
    window.click("memory places")
    window.click("memory place texture 0")
    result["texture"] = window.wait_for("memory", lambda event: event["address"] != result["memory"]["address"])
    window.screenshot("memory")
    result["places"].update(window.places())
    # A click into the field, all of it selected, another address.
    window.click("memory address", 0.3)
    window.key("ctrl+a")
    window.type("0x18000100")
    result["typed"] = window.wait_for("memory", lambda event: event["address"] == "0x18000100")
    window.click("memory format")
    window.click("format u32")
    result["numbers"] = window.wait_for("memory", lambda event: event["format"] == "u32")
    window.screenshot("numbers")
    result["places"].update(window.places())
    result["exit"] = window.quit()
print(json.dumps(result))
