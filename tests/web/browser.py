"""Functions that control a real Chromium through Selenium."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

import pytest
from selenium import webdriver
from selenium.common.exceptions import StaleElementReferenceException
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.ui import WebDriverWait

T = TypeVar("T")
PHONE, DESK = (390, 800), (1280, 800)
_ARGUMENTS = ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars",
              "--no-first-run", "--disable-background-networking", "--disable-component-update")  # fmt: skip


def find_chromium() -> tuple[str, str] | None:
    """Return the paths of Chromium and its driver."""
    browser, driver = shutil.which("chromium"), shutil.which("chromedriver")
    return (browser, driver) if browser and driver else None


needs_chromium = pytest.mark.skipif(find_chromium() is None, reason="Chromium or its driver is not installed")


@contextmanager
def open_chromium(
    size: tuple[int, int] = DESK, *, dark: bool = False, scripts: bool = True, language: str = "en"
) -> Iterator[webdriver.Chrome]:
    """Run a browser with a window size in pixels."""
    paths = find_chromium()
    assert paths is not None
    options = webdriver.ChromeOptions()
    options.binary_location = paths[0]
    for argument in (*_ARGUMENTS, f"--window-size={size[0]},{size[1]}", f"--accept-lang={language}"):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = webdriver.Chrome(options=options, service=Service(paths[1]))
    try:
        driver.set_page_load_timeout(60)
        driver.implicitly_wait(20)  # a click without scripts does not wait for the next page
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [scheme]})
        device = {"width": size[0], "height": size[1], "deviceScaleFactor": 1, "mobile": size == PHONE}
        driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", device)
        if not scripts:
            driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
        yield driver
    finally:
        driver.quit()


def use_element(browser: webdriver.Chrome, by: str, selector: str, use: Callable[[WebElement], T]) -> T:
    """Use an element. If a live page repaths it meanwhile, find it again."""
    wait = WebDriverWait(browser, 60, poll_frequency=0.1, ignored_exceptions=(StaleElementReferenceException,))
    return wait.until(lambda driver: (use(driver.find_element(by, selector)),))[0]


def click_element(browser: webdriver.Chrome, by: str, selector: str) -> None:
    use_element(browser, by, selector, WebElement.click)


def type_into(browser: webdriver.Chrome, by: str, selector: str, keys: str) -> None:
    use_element(browser, by, selector, lambda element: element.send_keys(keys))


def fill_field(browser: webdriver.Chrome, by: str, selector: str, keys: str) -> None:
    use_element(browser, by, selector, WebElement.clear)
    type_into(browser, by, selector, keys)


def read_text(browser: webdriver.Chrome, by: str, selector: str) -> str:
    return use_element(browser, by, selector, lambda element: element.text)


def set_offline(browser: webdriver.Chrome, *, offline: bool) -> None:
    """Disconnect a browser from the network, or connect it again."""
    conditions = {"offline": offline, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1}
    browser.execute_cdp_cmd("Network.enable", {})
    browser.execute_cdp_cmd("Network.emulateNetworkConditions", conditions)


def read_browser_errors(browser: webdriver.Chrome) -> list[str]:
    """Return the errors and warnings in the log of the browser."""
    log_entries: list[dict[str, Any]] = browser.get_log("browser")  # type: ignore[no-untyped-call]
    return [str(entry["message"]) for entry in log_entries if entry["level"] in {"SEVERE", "WARNING"}]
