# SPDX-License-Identifier: MIT
"""A window of `picavk inspect` with real clicks and key presses, and what it logs. Run inside Xvfb (-fbdir FOLDER)."""
import json
import os
import shutil
import subprocess
import sys
import time


class Window:
    def __init__(self, picavk, stream, width, height, folder):
        self.folder = folder
        self.width, self.height = int(width), int(height)
        self.log = os.path.join(folder, "log")
        # What compiles shaders leaves nothing in the cache of the user.
        self.process = subprocess.Popen([picavk, "inspect", stream, "--log", self.log, "--no-cache"])

    def __enter__(self):
        self.first = self.selected(lambda event: True)
        handle = xdotool("search", "--name", "picavk inspect").split()[0]
        xdotool("windowmove", handle, 0, 0)
        xdotool("windowsize", handle, self.width, self.height)
        self.wait("size", lambda: self.place("bounds")[2:] == [self.width, self.height])
        xdotool("windowfocus", handle)
        # Places of the old size may be the last ones for a moment.
        time.sleep(1)
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()

    def last(self, kind):
        found = None
        if os.path.exists(self.log):
            with open(self.log, encoding="utf-8") as lines:
                for line in lines:
                    if line.endswith("\n") and f'"event":"{kind}"' in line:
                        found = json.loads(line)
        return found

    def wait(self, what, condition):
        for _ in range(300):
            value = condition()
            if value:
                return value
            if self.process.poll() is not None:
                sys.exit(f"the window ended while waiting for {what}")
            time.sleep(0.1)
        sys.exit(f"no {what}; the last places are {self.last('places')}")

    def wait_for(self, kind, condition=lambda event: True):
        """The last event of the kind, once it is as it should be."""

        def holds():
            event = self.last(kind)
            return event if event and condition(event) else None

        return self.wait(kind, holds)

    def selected(self, condition):
        return self.wait_for("selected", condition)

    def places(self):
        return (self.last("places") or {"places": {}})["places"]

    def place(self, name):
        return self.wait(name, lambda: self.places().get(name))

    def click(self, name, x=0.5, y=0.5, button=1):
        """Where the place stays: lists that open move in their first frames, which are slow on a busy machine."""
        place = self.place(name)
        for _ in range(20):
            left, top, wide, high = place
            xdotool("mousemove", int(left + wide * x), int(top + high * y))
            time.sleep(0.2)
            before, place = place, self.place(name)
            if place == before:
                break
        xdotool("click", button)

    def key(self, name):
        xdotool("key", name)

    def type(self, text):
        xdotool("type", text)

    def screenshot(self, name):
        """After a moment, with the mouse where it covers nothing."""
        xdotool("mousemove", self.width // 2, self.height - 100)
        time.sleep(1)
        shutil.copy(os.path.join(self.folder, "Xvfb_screen0"), os.path.join(self.folder, name + ".xwd"))

    def quit(self):
        self.key("q")
        return self.process.wait(20)


def xdotool(*arguments):
    return subprocess.run(["xdotool", *map(str, arguments)], check=True, capture_output=True, text=True).stdout
