"""``pytest --bleukit-conformance=NAME``: the conformance suite among a project's own tests, a test a case."""

from __future__ import annotations

from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from bleukit.conformance.suite import Report

CONTRACTS = "contracts"
VARIANT = "variant"


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options."""
    group = parser.getgroup("bleukit", "BLEU conformance")
    group.addoption(
        "--bleukit-conformance",
        metavar="NAME",
        action="append",
        default=[],
        help="Check the variants and components of this name, as 'bleukit conform' does. May be repeated.",
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
    """Make a test of each case for everything that is registered under a name; of a component's contracts too."""
    from bleukit.conformance.certifying import Selection, certify
    from bleukit.conformance.judging import cases

    from bleukit.errors import VariantError, near_misses
    from bleukit.loading import manager, registry

    installed = registry.installed()
    known = {kind: installed.registered[kind] for kind in manager.COMPONENT_HOOKS} | {VARIANT: installed.variants}
    kinds = [kind for kind, names in known.items() if name in names]
    if not kinds:
        every_name = sorted(set().union(*known.values()))
        raise VariantError(f"no variant or component has the name {name!r}; {near_misses(name, every_name)}")
    documents = [*cases.documents_by_name(Path(folder) if folder else None).values()]
    tests = [case.id for document in documents for case in document.cases]
    for kind in kinds:
        of_a_variant = kind == VARIANT
        selection = Selection(documents, [name] if of_a_variant else [], None if of_a_variant else {kind: name})
        report = cache(partial(certify, selection))
        for test in tests if of_a_variant else [*tests, CONTRACTS]:
            yield ConformanceTest.from_parent(session, name=f"{kind} {name}: {test}", test=test, report=report)


class ConformanceTest(pytest.Item):
    """One case, of a variant or of all combinations that a component takes part in; or the component's contracts."""

    def __init__(self, *, test: str, report: Callable[[], Report], **keywords: Any) -> None:
        super().__init__(**keywords)
        self.test = test
        self.report = report

    def runtest(self) -> None:
        """Raise NotConformingError with each failure on a line; skip what says nothing of this variant or component."""
        report = self.report()
        if self.test == CONTRACTS:
            wrong = [f"{breach.contract}: not with {breach.shown_by}" for breach in report.breaches]
        else:
            results = [r for r in (*report.variants, *report.combinations) if r.outcome.case == self.test]
            wrong = [
                f"{result.variant}: {'; '.join(result.outcome.failures)}"
                for result in results
                if result.outcome.failures
            ]
            if not wrong and all(result.outcome.open for result in results):
                pytest.skip(results[0].outcome.open[0] if results else "the case asks for another component")
        if wrong:
            raise NotConformingError("\n".join(wrong))

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
