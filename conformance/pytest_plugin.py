"""``pytest --bleukit-conformance=NAME``: the conformance suite among a project's own tests, a test a case."""

from __future__ import annotations

from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from bleukit.conformance.report import Report

CONTRACT = "contract"


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options."""
    group = parser.getgroup("bleukit", "BLEU conformance")
    group.addoption(
        "--bleukit-conformance",
        metavar="NAME",
        action="append",
        default=[],
        help="Check the variants and components of this name, as 'bleukit conform --certify' does. May be repeated.",
    )
    group.addoption("--bleukit-cases", metavar="DIR", help="YAML cases to add to those of the documents.")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(session: pytest.Session, config: pytest.Config, items: list[pytest.Item]) -> None:
    """Add the tests that the options ask for."""
    names = config.getoption("--bleukit-conformance")
    if not names:
        return
    from bleukit import BleukitError

    try:
        for name in names:
            items += _tests(session, name, config.getoption("--bleukit-cases"))
    except BleukitError as error:
        raise pytest.UsageError(str(error)) from error


def _tests(session: pytest.Session, name: str, folder: str | None) -> Iterator[ConformanceTest]:
    """Make a test of each case for everything that is registered under a name; of a component's contract, too."""
    from bleukit.conformance.judging import cases
    from bleukit.conformance.running.certifying import Selection, certify, require_hypothesis, unknown_name

    from bleukit.bleu.hookspecs import COMPONENT_HOOKS, VARIANT
    from bleukit.framework import registry

    installed = registry.installed()
    known = {kind: installed.of_kind(kind) for kind in (*COMPONENT_HOOKS, VARIANT)}
    kinds = [kind for kind, names in known.items() if name in names]
    if not kinds:
        raise unknown_name(name, set().union(*known.values()))
    require_hypothesis()
    documents = cases.documents_by_name(Path(folder) if folder else None)
    own = frozenset(documents.keys() - cases.documents_by_name().keys())
    report = cache(partial(certify, Selection(documents, names=[name], own=own)))
    tests = [case.id for document in documents.values() for case in document.cases]
    for kind in kinds:
        for test in [*([CONTRACT] if kind != "variant" else []), *tests]:
            title = f"{kind} {name}: {test}"
            yield ConformanceTest.from_parent(session, name=title, of=(kind, name), test=test, report=report)


class ConformanceTest(pytest.Item):
    """One case, of a variant or of all combinations that a component takes part in; or the component's contract."""

    def __init__(self, *, of: tuple[str, str], test: str, report: Callable[[], Report], **keywords: Any) -> None:
        super().__init__(**keywords)
        self.of = of
        self.test = test
        self.report = report

    def runtest(self) -> None:
        """Raise NotConformingError with what fails; skip what says nothing of this variant or component."""
        subject = self.report().subjects[self.of]
        if self.test == CONTRACT:
            problems = [f"{broken.rule}: {broken.shown}" for broken in subject.broken] + self.report().problems
            if problems or subject.needs:
                raise NotConformingError("\n".join(problems) or f"it is not tried: it {subject.needs}")
            return
        state, because = subject.cases.get(self.test, ("unstated", "the case is about another component or variant"))
        if state == "fails":
            raise NotConformingError(because)
        if state == "unstated":
            pytest.skip(because)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], *args: Any) -> Any:
        """Return what does not conform, without our own traceback."""
        if isinstance(excinfo.value, NotConformingError):
            return str(excinfo.value)
        return super().repr_failure(excinfo, *args)

    def reportinfo(self) -> tuple[Path, None, str]:
        """Name the test."""
        return self.path, None, f"conformance of {self.name}"


class NotConformingError(Exception):
    """What does not conform, line by line."""
