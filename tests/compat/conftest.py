import sys

import pytest

from bleukit.cli import sacrebleu as command


@pytest.fixture
def without_sacrebleu(monkeypatch):
    """Make sacreBLEU a package that is not installed."""
    for name in [name for name in sys.modules if name.partition(".")[0] == "sacrebleu"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "sacrebleu", None)
    monkeypatch.setattr(command, "version_of", lambda _: "")
