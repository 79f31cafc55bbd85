"""The browser of the tests."""

import shutil

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
NO_CHROMIUM = "needs Chromium in a headless mode: Debian's package chromium, or google-chrome"
QUIETLY = [
    "--no-sandbox",  # which root cannot have, as in containers
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
