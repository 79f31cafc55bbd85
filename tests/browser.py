"""The browser of the tests, as a plugin that a test module names in ``pytest_plugins``."""

import pytest
from chromium import CHROMIUM, QUIETLY


@pytest.fixture(scope="session")
def browser():
    from playwright.sync_api import sync_playwright

    with sync_playwright() as started:
        browser = started.chromium.launch(executable_path=CHROMIUM, args=QUIETLY)
        yield browser
        browser.close()
