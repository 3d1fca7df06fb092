#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""A real browser opens a report from disk: its pictures load, the slider and the zoom move them, the filter filters.

report_browser.py PICAVK SOURCE OUT     OUT: a folder for the report and screenshots
Exit code 77 (skipped) where Chromium, its driver or python3-selenium is not installed.
"""
import os
import shutil
import struct
import subprocess
import sys

try:
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service
    from selenium.webdriver.common.by import By
    from selenium.webdriver.common.keys import Keys
    from selenium.webdriver.support.ui import Select, WebDriverWait
except ImportError:
    print("python3-selenium is not installed")
    sys.exit(77)

# A run of the five registers of the first combiner in a command list.
COMBINER_RUN = 0x804F00C0
CONSTANT = 14


def altered(stream):
    """The stream with another constant colour in the first combiner of one draw."""
    header = struct.pack("<I", COMBINER_RUN)
    at = stream.index(header)
    while stream[at - 4] & 15 != CONSTANT:  # the source before the header; the colour is the third value behind it
        at = stream.index(header, at + 1)
    return stream[:at + 12] + bytes([stream[at + 12] ^ 0x40]) + stream[at + 13:]


def make_report(picavk, source, out):
    """Three recordings on each side, one of which differs, in two shards; and validate of one and of a missing file."""
    shutil.rmtree(out, ignore_errors=True)
    for side in ("a", "b"):
        os.makedirs(f"{out}/{side}")
        for name in ("s_tev_grid", "s_triangle", "t_lcd"):
            shutil.copy(f"{source}/samples/streams/{name}.ctf", f"{out}/{side}")
    with open(f"{out}/b/s_tev_grid.ctf", "r+b") as file:
        changed = altered(file.read())
        file.seek(0)
        file.write(changed)
    for shard in (1, 2):
        run = subprocess.run([picavk, "compare", f"{out}/a", f"{out}/b", "--backend", "software", "--json",
                              "--shard", f"{shard}/2"], capture_output=True)
        assert run.returncode == (1 if shard == 1 else 0), run.stderr
        with open(f"{out}/{shard}.json", "wb") as file:
            file.write(run.stdout)
    run = subprocess.run([picavk, "validate", "--json", f"{out}/a/t_lcd.ctf", f"{out}/lost <b>.ctf"],
                         capture_output=True)
    assert run.returncode == 2, run.stderr
    with open(f"{out}/validate.json", "wb") as file:
        file.write(run.stdout)
    page = f"{out}/report.html"
    run = subprocess.run([picavk, "report", f"{out}/1.json", f"{out}/2.json", f"{out}/validate.json", "--html", page],
                         capture_output=True)
    assert run.returncode == 2, run.stderr
    assert run.stdout.startswith(b"3 equal, 1 different, 1 errors"), run.stdout
    return page


def start_browser():
    options = webdriver.ChromeOptions()
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                     "--window-size=1280,1100", "--host-resolver-rules=MAP * ~NOTFOUND"):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    return webdriver.Chrome(options=options, service=Service(shutil.which("chromedriver")))


def visible_names(browser):
    sections = browser.find_elements(By.TAG_NAME, "section")
    return [s.get_attribute("data-name") for s in sections if s.is_displayed()]


def check_pictures(browser):
    images = browser.find_elements(By.TAG_NAME, "img")
    assert len(images) >= 5, len(images)
    for image in images:
        assert browser.execute_script("return arguments[0].complete && arguments[0].naturalHeight === 240", image)
    # Everything came out of the file.
    assert browser.execute_script(
        "return performance.getEntriesByType('resource').every(e => e.name.startsWith('data:'))")
    section = browser.find_element(By.CSS_SELECTOR, "section[data-name=s_tev_grid]")
    for text in ("draw", "block: combiner", "TEXENV0_COLOR", "pixels differ"):
        assert text in section.text, (text, section.text)
    section.find_element(By.TAG_NAME, "summary").click()
    assert "FRAMEBUFFER_DIM" in section.text
    lost = browser.find_element(By.CSS_SELECTOR, "section[data-result=error]")
    assert "lost <b>.ctf" in lost.text and "No such file" in lost.text, lost.text


def check_slider(browser):
    slider = browser.find_element(By.CSS_SELECTOR, "input[type=range]")
    browser.execute_script("arguments[0].scrollIntoView({block: 'center'})", slider)
    figure = slider.find_element(By.XPATH, "..")
    top = figure.find_elements(By.TAG_NAME, "img")[1]
    assert "50%" in top.value_of_css_property("clip-path"), top.value_of_css_property("clip-path")
    shown = {figure.screenshot_as_png}
    slider.click()
    for key, clip in ((Keys.HOME, "100%"), (Keys.END, "inset(0px)")):
        slider.send_keys(key)
        WebDriverWait(browser, 10).until(lambda _, c=clip: c in top.value_of_css_property("clip-path") or
                                         (c == "inset(0px)" and "0%" in top.value_of_css_property("clip-path")))
        shown.add(figure.screenshot_as_png)
    assert len(shown) == 3, "the slider moves, and the picture does not change"


def check_zoom(browser, out):
    image = browser.find_element(By.TAG_NAME, "img")
    width = image.size["width"]
    Select(browser.find_element(By.ID, "zoom")).select_by_visible_text("3")
    assert image.size["width"] == 3 * width, image.size
    browser.save_screenshot(f"{out}/zoomed.png")
    Select(browser.find_element(By.ID, "zoom")).select_by_visible_text("1")


def check_filter(browser):
    assert visible_names(browser) == ["lost <b>", "s_tev_grid"]
    browser.find_element(By.ID, "equal").click()
    assert visible_names(browser) == ["lost <b>", "s_tev_grid", "s_triangle", "t_lcd", "t_lcd"]
    box = browser.find_element(By.ID, "filter")
    for text, names in (("TRI", ["s_triangle"]), ("s_", ["s_tev_grid", "s_triangle"]), ("zzz", [])):
        box.clear()
        box.send_keys(text)
        assert visible_names(browser) == names, (text, visible_names(browser))
    box.send_keys(Keys.BACKSPACE * 3)
    for link in browser.find_elements(By.CSS_SELECTOR, "nav a"):
        link.click()
        target = browser.execute_script("return decodeURIComponent(location.hash.slice(1))")
        assert browser.execute_script("return document.querySelector(':target') !== null"), target


def main():
    picavk, source, out = sys.argv[1:]
    if shutil.which("chromedriver") is None or shutil.which("chromium") is None:
        print("chromium or chromium-driver is not installed")
        sys.exit(77)
    page = make_report(picavk, source, out)
    browser = start_browser()
    try:
        browser.get("file://" + os.path.abspath(page))
        browser.save_screenshot(f"{out}/report.png")
        check_pictures(browser)
        check_slider(browser)
        check_zoom(browser, out)
        check_filter(browser)
        browser.save_screenshot(f"{out}/filtered.png")
        messages = browser.get_log("browser")
        assert not messages, messages
    finally:
        browser.quit()
    print("report: pictures, slider, zoom, filter and links work")


main()
