#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Drives the tables and the shaders of `picavk inspect` with real clicks. Run inside Xvfb (-fbdir FOLDER).

  drive_inspect_tables.py PICAVK STREAM.ctf WIDTH HEIGHT FOLDER

Picks a pixel of the first draw's colour buffer, which should be lit, looks at the table that the draw reads first, and at
the shaders. Prints what the window logged as JSON. Leaves in FOLDER: tables.xwd, glsl.xwd, spirv.xwd.
"""
import json
import sys

sys.dont_write_bytecode = True  # the tests leave nothing in the source folder
from inspect_driver import Window

with Window(*sys.argv[1:6]) as window:
    result = {"first": window.first, "places": {}}
    window.click("tab colour")
    # On the sphere that the first draw draws.
    window.click("picture color", 0.205, 0.165)
    result["pixel"] = window.wait_for("pixel")
    window.click("tab tables")
    result["tables"] = window.wait_for("tables", lambda event: event["marks"])
    window.screenshot("tables")
    result["places"].update(window.places())
    window.click("tab shaders")
    result["glsl"] = window.wait_for("shaders")
    window.screenshot("glsl")
    result["places"].update(window.places())
    window.click("shader vertex")
    window.click("shader SPIR-V")
    result["spirv"] = window.wait_for("shaders", lambda event: event["form"] == "SPIR-V")
    window.screenshot("spirv")
    window.click("shader geometry")
    result["none"] = window.wait_for("shaders", lambda event: event["stage"] == "geometry")
    result["exit"] = window.quit()
print(json.dumps(result))
