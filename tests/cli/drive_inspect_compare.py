#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Drives the comparison of `picavk inspect` with real clicks and keys. Run inside Xvfb (-fbdir FOLDER).

  drive_inspect_compare.py PICAVK STREAM.ctf WIDTH HEIGHT FOLDER

Compares the first draw, then the frame after some more, and picks a pixel in the comparison. Prints what the window logged
as JSON. Leaves in FOLDER: draw.xwd, frame.xwd.
"""
import json
import sys

sys.dont_write_bytecode = True  # the tests leave nothing in the source folder
from inspect_driver import Window

with Window(*sys.argv[1:6]) as window:
    result = {"first": window.first, "places": {}}
    window.click("tab compare")
    result["draw"] = window.wait_for("compare", lambda event: event["known"])
    window.screenshot("draw")
    result["places"].update(window.places())
    for _ in range(6):
        window.key("Right")
    result["selected"] = window.selected(lambda event: event["draw"] == 6)
    operation = result["selected"]["operation"]
    window.click("compare the frame so far", 0.1)
    result["frame"] = window.wait_for(
        "compare", lambda event: event["known"] and event["operation"] == operation and "frame" in event["from"]
    )
    window.screenshot("frame")
    result["places"].update(window.places())
    window.click("compare Vulkan", 0.5, 0.5)
    result["pixel"] = window.wait_for("pixel")
    result["exit"] = window.quit()
print(json.dumps(result))
