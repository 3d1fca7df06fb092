#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Drives the window of `picavk inspect` with real clicks and key presses. Run inside Xvfb (-fbdir FOLDER).

  drive_inspect.py PICAVK STREAM.ctf WIDTH HEIGHT FOLDER

Selects the second draw of the stream, picks a pixel of its colour buffer, searches, and goes to the end with a key. Prints
what the window logged of each as JSON. Leaves in FOLDER: picked.xwd, state.xwd.
"""
import json
import sys
import time

sys.dont_write_bytecode = True  # the tests leave nothing in the source folder
from inspect_driver import Window

with Window(*sys.argv[1:6]) as window:
    first = window.first
    result = {"first": first}
    window.key("Right")
    second = window.selected(lambda event: event["operation"] > first["operation"])
    result["second"] = second
    window.click("tab colour")
    # On the second draw.
    window.click("picture color", 0.325, 0.345)
    result["picture_place"] = window.place("picture color")
    result["pixel"] = window.wait_for("pixel")
    window.screenshot("picked")
    window.click("tab state")
    result["state"] = window.wait_for("state")
    window.click("only what changed")
    window.screenshot("state")
    # Letters in the search field are no keys: q does not quit. After it, keys work again.
    window.click("search")
    window.type("q")
    time.sleep(0.5)
    window.key("BackSpace")
    window.key("Return")
    time.sleep(0.5)
    window.key("End")
    result["end"] = window.selected(lambda event: event["operation"] > second["operation"])
    end = result["end"]["operation"]
    result["pixel_at_end"] = window.wait_for("pixel", lambda event: event["operation"] == end)
    result["places"] = window.places()
    result["exit"] = window.quit()
print(json.dumps(result))
