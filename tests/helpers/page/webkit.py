"""WebKitGTK, driven by WebDriver, with the few calls of Playwright's pages that the twelve tasks
make. Playwright has no driver for the system's WebKit.
"""

from __future__ import annotations

import fnmatch
import os
import re
import shutil
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

DRIVER = "WebKitWebDriver"
SECONDS = 30.0  # that anything may take
_BROWSERS = "/usr/lib/*/webkit2gtk-4.?/MiniBrowser"
# A function is called, an expression is taken, and a promise waited for.
_EVALUATE = """const [given, done] = arguments, made = ({});
Promise.resolve(typeof made === "function" ? made(given) : made).then(done);"""
_HAS_TEXT = re.compile(r"(.*):has-text\('(.*)'\)")
_FOUND = """([selector, text]) => Array.from(document.querySelectorAll(selector)).some(
  (one) => one.checkVisibility() && one.textContent.includes(text))"""
_BOX = """(selector) => {
  const { x, y, width, height } = document.querySelector(selector).getBoundingClientRect();
  return { x, y, width, height };
}"""
_SAID = """() => {
  window.said = [];
  addEventListener("error", (event) => window.said.push(event.message));
  addEventListener("unhandledrejection", (event) => window.said.push(String(event.reason)));
}"""


@contextmanager
def launched() -> Iterator[WebKit]:
    """Start the browser on a screen of its own, or skip the test and say what is missing."""
    selenium = pytest.importorskip("selenium.webdriver", reason="needs selenium")
    driver, screen = shutil.which(DRIVER), shutil.which("Xvfb")
    browsers = sorted(Path("/").glob(_BROWSERS[1:]))
    if not (driver and screen and browsers):
        pytest.skip("needs webkit2gtk-driver and xvfb")
    command = [screen, "-displayfd", "1", "-screen", "0", "1366x768x24"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as display:
        assert display.stdout
        number = display.stdout.readline().decode().strip()
        options = selenium.WebKitGTKOptions()
        options.binary_location = str(browsers[-1])
        options.add_argument("--automation")
        service = selenium.WebKitGTKService(driver, env={**os.environ, "DISPLAY": f":{number}"})
        try:
            own = selenium.WebKitGTK(options=options, service=service)
            try:
                own.set_script_timeout(SECONDS)
                yield WebKit(own)
            finally:
                own.quit()
        finally:
            display.terminate()


class WebKit:
    """A browser with one window, which each page takes over."""

    def __init__(self, driver: Any) -> None:
        self._driver = driver

    def new_page(self) -> Page:
        return Page(self._driver)


class Page:
    def __init__(self, driver: Any) -> None:
        self._driver = driver
        self._heard = dict[str, Callable[[Any], None]]()
        self.keyboard = Keyboard(self)

    @property
    def url(self) -> str:
        return str(self._driver.current_url)

    def on(self, event: str, hear: Callable[[Any], None]) -> None:
        """Hear of errors; WebDriver does not tell what the console has, nor of requests."""
        self._heard[event] = hear

    def goto(self, url: str) -> None:
        self._driver.get("about:blank")  # another fragment alone would be no visit
        self._driver.get(url)
        self.evaluate(_SAID)

    def close(self) -> None:
        for message in self.evaluate("window.said ?? []"):
            self._heard["pageerror"](message)
        self._driver.get("about:blank")

    def evaluate(self, script: str, given: Any = None) -> Any:
        return self._driver.execute_async_script(_EVALUATE.replace("{}", script), given)

    def input_value(self, selector: str) -> str:
        return str(self.evaluate("(selector) => document.querySelector(selector).value", selector))

    def locator(self, selector: str) -> Locator:
        return Locator(self, selector)

    def wait_for_timeout(self, milliseconds: float) -> None:
        time.sleep(milliseconds / 1000)

    def wait_for_function(self, script: str, arg: Any = None, timeout: float = 0) -> None:
        seconds = timeout / 1000 or SECONDS
        self._wait(lambda: bool(self.evaluate(script, arg)), seconds, script)

    def wait_for_selector(self, selector: str, state: str = "visible") -> None:
        found = _HAS_TEXT.fullmatch(selector)
        given = [found[1], found[2]] if found else [selector, ""]
        self._wait(
            lambda: bool(self.evaluate(_FOUND, given)) == (state == "visible"), SECONDS, selector
        )

    def wait_for_url(self, pattern: str) -> None:
        self._wait(lambda: fnmatch.fnmatch(self.url, pattern), SECONDS, pattern)

    def _wait(self, is_so: Callable[[], bool], seconds: float, what: str) -> None:
        until = time.monotonic() + seconds
        while not is_so():
            assert time.monotonic() < until, f"{what} did not come within {seconds:.0f} s"
            time.sleep(0.02)


class Locator:
    def __init__(self, page: Page, selector: str) -> None:
        self._page, self._selector = page, selector

    @property
    def first(self) -> Locator:
        return self

    def bounding_box(self) -> Any:
        return self._page.evaluate(_BOX, self._selector)

    def count(self) -> int:
        script = "(selector) => document.querySelectorAll(selector).length"
        return int(self._page.evaluate(script, self._selector))


class Keyboard:
    def __init__(self, page: Page) -> None:
        self._page = page

    def type(self, text: str) -> None:
        self._actions().send_keys(text).perform()

    def press(self, key: str) -> None:
        from selenium.webdriver.common.keys import Keys

        *held, last = (
            getattr(Keys, re.sub("(?<=[a-z])(?=[A-Z])", "_", one).upper()) for one in key.split("+")
        )
        actions = self._actions()
        for one in held:
            actions.key_down(one)
        actions.send_keys(last)
        for one in held:
            actions.key_up(one)
        actions.perform()

    def insert_text(self, text: str) -> None:
        self._page.evaluate("(text) => document.execCommand('insertText', false, text)", text)

    def _actions(self) -> Any:
        from selenium.webdriver import ActionChains

        return ActionChains(self._page._driver)
