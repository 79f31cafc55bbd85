"""The site that is tested, and the example text."""

import os
from pathlib import Path

import pytest

SITE = Path(os.environ.get("BLEUKIT_SITE", ""))
EXAMPLES = Path(__file__).parents[2] / "examples"
NEEDS_SITE = pytest.mark.skipif(
    "BLEUKIT_SITE" not in os.environ, reason="BLEUKIT_SITE does not name a site: tox -e docs"
)

HYPOTHESES, *REFERENCES = (
    (EXAMPLES / name).read_text(encoding="utf-8").splitlines() if EXAMPLES.exists() else []
    for name in ("hypothesis.txt", "reference1.txt", "reference2.txt")
)
GROUPS = [list(group) for group in zip(*REFERENCES, strict=True)]
