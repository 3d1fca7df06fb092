#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Drives the vertices and the program of `picavk inspect` with real clicks. Run inside Xvfb (-fbdir FOLDER).

  drive_inspect_vertices.py PICAVK STREAM.ctf WIDTH HEIGHT FOLDER

Looks at the vertices of the first draw, chooses a triangle and an element, and steps through the program of the element.
At the end it clicks the end of the timeline. Prints what the window logged as JSON. Leaves in FOLDER: table.xwd,
before.xwd, after.xwd, triangles.xwd, outside.xwd, program.xwd.
"""
import json
import sys

sys.dont_write_bytecode = True  # the tests leave nothing in the source folder
from inspect_driver import Window

with Window(*sys.argv[1:6]) as window:
    result = {"first": window.first, "places": {}}
    window.click("tab vertices")
    result["vertices"] = window.wait_for("vertices")
    window.screenshot("table")
    result["places"].update(window.places())
    for tab in ["before", "after", "triangles"]:
        window.click("vertices " + tab)
        window.wait_for("vertices", lambda event: event["tab"] == tab)
        if tab == "triangles":
            window.click("triangle 1")
            result["chosen"] = window.wait_for("vertices", lambda event: event["triangle"] is not None)
        window.screenshot(tab)
        result["places"].update(window.places())
    window.click("vertices before")
    window.click("side z y", 0.2)
    result["side"] = window.wait_for("vertices", lambda event: event["side"] == 2)
    window.click("vertices after")
    window.wait_for("vertices", lambda event: event["tab"] == "after")
    window.screenshot("chosen")
    window.click("outside", 0.05)
    result["outside"] = window.wait_for("vertices", lambda event: event["outside"])
    window.screenshot("outside")
    window.click("vertices table")
    window.click("element 2")
    result["program"] = window.wait_for("program")
    for times in range(1, 4):
        window.click("step on")
        result["forward"] = window.wait_for("program", lambda event: event["position"] == times)
    window.screenshot("program")
    result["places"].update(window.places())
    window.click("step back")
    result["back"] = window.wait_for("program", lambda event: event["position"] == 2)
    window.click("step last")
    result["last"] = window.wait_for("program", lambda event: event["position"] == event["steps"])
    window.screenshot("program_end")
    window.click("step first")
    window.wait_for("program", lambda event: event["position"] == 0)
    # The listing is at its start again; a click runs on to the instruction.
    address = sorted(name for name in window.places() if name.startswith("instruction "))[4]
    window.click(address, 0.1)
    result["run_to"] = window.wait_for("program", lambda event: event["position"] > 0)
    start = sorted(name for name in window.places() if name.startswith("instruction "))[0]
    window.click(start, 0.1, button=3)
    result["run_back"] = window.wait_for("program", lambda event: event["position"] == 0)
    # The slider, and an element that the draw does not have.
    window.click("step slider", 0.5)
    result["slid"] = window.wait_for("program", lambda event: event["position"] > 0)
    window.click("program number", 0.2)
    window.key("ctrl+a")
    window.type("99999")
    window.key("Return")
    result["no_element"] = window.wait_for("program", lambda event: "problem" in event)
    # The end of the stream, by the timeline.
    window.click("timeline", 0.999)
    result["end"] = window.selected(lambda event: event["operation"] > window.first["operation"])
    result["exit"] = window.quit()
print(json.dumps(result))
