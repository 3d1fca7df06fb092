#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Drives the breakpoints of `picavk inspect` with real clicks, typing and keys. Run inside Xvfb (-fbdir FOLDER).

  drive_inspect_breakpoints.py PICAVK STREAM.ctf WIDTH HEIGHT FOLDER

Types a register, which should change with a later draw, runs there and back; then a name that is no register. Then it
filters registers, and goes to an operation of a pixel's history. Prints what the window logged as JSON. Leaves in FOLDER:
breakpoints.xwd, filtered.xwd.
"""
import json
import sys

sys.dont_write_bytecode = True  # the tests leave nothing in the source folder
from inspect_driver import Window

with Window(*sys.argv[1:6]) as window:
    result = {"first": window.first, "places": {}}
    window.click("tab breakpoints")
    window.wait_for("breakpoints")
    window.click("break text")
    window.type("STENCIL_OP")
    window.click("break add")
    result["added"] = window.wait_for("breakpoints", lambda event: event["breakpoints"])
    window.click("break text")
    window.type("NO_SUCH")
    window.key("Return")
    window.screenshot("refused")
    window.click("run on")
    result["on"] = window.wait_for("breakpoints", lambda event: event["result"] and not event["searching"])
    window.key("F8")
    result["next"] = window.wait_for(
        "breakpoints", lambda event: event["operation"] > result["on"]["operation"] and not event["searching"]
    )
    window.key("F7")
    result["back"] = window.wait_for(
        "breakpoints", lambda event: event["operation"] < result["next"]["operation"] and not event["searching"]
    )
    window.screenshot("breakpoints")
    result["places"].update(window.places())
    window.key("F7")
    result["none"] = window.wait_for("breakpoints", lambda event: event["result"].startswith("No "))
    # The filter of registers.
    window.click("tab state")
    window.wait_for("state")
    window.click("register filter")
    window.type("STENCIL")
    result["filtered"] = window.wait_for("state", lambda event: event["shown"] == 2)
    window.screenshot("filtered")
    # A pixel's history, and back to the operation of an event of it.
    window.click("tab colour")
    window.click("picture color", 0.5, 0.5)
    result["pixel"] = window.wait_for("pixel")
    window.click("tab pixel")
    window.click("pixel event 0", 0.3)
    window.click("go to event")
    result["gone"] = window.selected(lambda event: event["operation"] < result["back"]["operation"])
    result["exit"] = window.quit()
print(json.dumps(result))
