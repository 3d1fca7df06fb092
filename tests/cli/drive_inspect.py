#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Drives the window of `picavk inspect` with real clicks and key presses. Run inside Xvfb (-fbdir FOLDER).

  drive_inspect.py PICAVK STREAM.ctf WIDTH HEIGHT FOLDER

Selects the second draw of the stream, picks a pixel of its colour buffer, searches, and goes to the end with a key. Prints what the
window logged of each as JSON. Leaves in FOLDER: picked.xwd, state.xwd.
"""
import json
import os
import shutil
import subprocess
import sys
import time

picavk, stream, width, height, folder = sys.argv[1:6]
log = os.path.join(folder, "log")
window = subprocess.Popen([picavk, "inspect", stream, "--log", log])


def xdotool(*arguments):
    return subprocess.run(["xdotool", *map(str, arguments)], check=True, capture_output=True, text=True).stdout


def last(kind):
    found = None
    if os.path.exists(log):
        with open(log, encoding="utf-8") as lines:
            for line in lines:
                if line.endswith("\n") and f'"event":"{kind}"' in line:
                    found = json.loads(line)
    return found


def wait(what, condition):
    for _ in range(300):
        value = condition()
        if value:
            return value
        if window.poll() is not None:
            sys.exit(f"the window ended while waiting for {what}")
        time.sleep(0.1)
    sys.exit(f"no {what}")


def place(name):
    return wait(name, lambda: (last("places") or {"places": {}})["places"].get(name))


def click(name, x=0.5, y=0.5):
    left, top, wide, high = place(name)
    xdotool("mousemove", int(left + wide * x), int(top + high * y))
    time.sleep(0.2)
    xdotool("click", 1)


def selected(condition):
    return wait("selection", lambda: (lambda event: event if event and condition(event) else None)(last("selected")))


try:
    first = selected(lambda event: True)
    handle = xdotool("search", "--name", "picavk inspect").split()[0]
    xdotool("windowmove", handle, 0, 0)
    xdotool("windowsize", handle, width, height)
    wait("size", lambda: place("bounds")[2:] == [int(width), int(height)])
    xdotool("windowfocus", handle)
    # Places of the old size may be the last ones for a moment.
    time.sleep(1)
    result = {"first": first}
    xdotool("key", "Right")
    result["second"] = selected(lambda event: event["operation"] > first["operation"])
    click("tab colour")
    # On the second draw.
    click("picture color", 0.325, 0.345)
    result["picture_place"] = place("picture color")
    result["pixel"] = wait("pixel", lambda: last("pixel"))
    xdotool("mousemove", int(width) // 2, int(height) - 100)
    time.sleep(1)
    shutil.copy(os.path.join(folder, "Xvfb_screen0"), os.path.join(folder, "picked.xwd"))
    click("tab state")
    result["state"] = wait("state", lambda: last("state"))
    click("only what changed")
    time.sleep(1)
    shutil.copy(os.path.join(folder, "Xvfb_screen0"), os.path.join(folder, "state.xwd"))
    # Letters in the search field are no keys: q does not quit. After it, keys work again.
    click("search")
    xdotool("type", "q")
    time.sleep(0.5)
    xdotool("key", "BackSpace")
    xdotool("key", "Return")
    time.sleep(0.5)
    xdotool("key", "End")
    result["end"] = selected(lambda event: event["operation"] > result["second"]["operation"])
    result["pixel_at_end"] = wait(
        "pixel at the end",
        lambda: (lambda event: event if event["operation"] == result["end"]["operation"] else None)(last("pixel")),
    )
    result["places"] = last("places")["places"]
    xdotool("key", "q")
    result["exit"] = window.wait(20)
    print(json.dumps(result))
finally:
    if window.poll() is None:
        window.kill()
