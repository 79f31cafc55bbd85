"""Certifies variants and components: contracts and cases, with every plugin in a process of its own.

This process loads no plugin. It knows what is expected, asks child processes what comes out, and judges that; so a
plugin that ends its process, hangs, or replaces parts of bleukit can neither end the run nor change the report.
"""

from __future__ import annotations

import gc
import queue
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib import metadata
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec
from bleukit.conformance import suite
from bleukit.conformance.contracts import composition, rules
from bleukit.conformance.contracts.rules import Bench, Breach, Checked
from bleukit.conformance.implementations.questions import PLAIN
from bleukit.conformance.judging import cases, observing, runner
from bleukit.conformance.judging.runner import Outcome, Stage
from bleukit.conformance.processes import parent
from bleukit.conformance.processes.parent import Child, DiedError
from bleukit.conformance.processes.plain_data import UNCOLLECTED

from bleukit.errors import NotInstalledError, VariantError
from bleukit.hookspecs import PROJECT
from bleukit.loading.manager import COMPONENT_HOOKS
from bleukit.text.arguments import available_cores

if TYPE_CHECKING:
    from bleukit.conformance.judging.cases import Document
    from bleukit.conformance.suite import Report, Task

Item = TypeVar("Item")
Made = TypeVar("Made")


@dataclass(frozen=True)
class Asked:
    """What a run is about, and how it is done.

    ``variants`` are names, or paths of YAML files; None for all named variants that can be used. ``only`` maps kinds of
    components to the names that all combinations must have: empty for all combinations, None for none. ``plugins`` are
    modules to load in addition to the installed plugins. ``quick`` leaves out what takes long.
    """

    documents: Sequence[Document]
    variants: Sequence[str | Path] | None = None
    only: Mapping[str, str] | None = field(default_factory=dict)
    plugins: Sequence[str] = ()
    quick: bool = False


def certify(
    asked: Asked,
    progress: Callable[[Iterator[Any], int, str], Iterable[Any]] = lambda items, *_: items,
    warn: Callable[[str], object] = lambda _: None,
) -> Report:
    """Run what is asked for. ``progress`` is given what comes, how much, and what it is; ``warn`` what is left out.

    Raises VariantError for a variant or a component that cannot be used.
    """
    thresholds = gc.get_threshold()
    gc.set_threshold(UNCOLLECTED)
    try:
        return _Run(asked, progress, warn).report()
    finally:
        gc.set_threshold(*thresholds)
        parent.end_all()


class _Run:
    """One run, from what is installed to the report."""

    def __init__(
        self,
        asked: Asked,
        progress: Callable[[Iterator[Any], int, str], Iterable[Any]],
        warn: Callable[[str], object],
    ) -> None:
        self.asked, self.progress, self.warn = asked, progress, warn
        self.secret = [str(path) for path in cases.FOLDER.glob("*.yaml")]
        self.disabled: list[str] = []
        self.faults: list[Breach] = []
        self.blamed: dict[tuple[str, str], str] = {}
        self.composed: list[Checked] = []

    def report(self) -> Report:
        self.installed = self._inventory()
        variants = self._variants()
        checked = self._checked(self._components(variants))
        unusable = {(each.kind, each.name) for each in checked if not each.usable}
        planned = suite.plan(self.asked.documents, variants, self._combinations(unusable))
        planned.documented |= {(c.kind, c.name) for c in checked if c.kind == "counter" and not c.declared}
        report = planned.report(self._outcomes(planned.tasks))
        checked += sorted(self.composed, key=lambda each: each.name)
        report = replace(
            report, checked=checked, faults=self.faults, left_out=self._left_out(), not_run=[*self._not_run()]
        )
        if self.asked.variants is None and self.asked.only == {} and not self.asked.quick:
            nothing = suite.about_nothing(self.asked.documents, report, self.installed["variants"])
            report = replace(report, combinations=[*report.combinations, *nothing])
        return report

    def _inventory(self) -> dict[str, Any]:
        """Return what is installed, but for plugins that do what none may do when it is loaded; note these."""
        found, wrong = self._loaded([])
        if wrong:
            entries = metadata.entry_points(group=PROJECT)
            foreign_first = sorted(entries, key=lambda entry: bool(entry.dist and entry.dist.name == PROJECT))
            names = [entry.name for entry in foreign_first]
            if self._loaded(names)[1]:
                raise VariantError(f"cannot be used: {wrong}", ("plugins",))
            for name in names:
                alone = self._loaded([other for other in names if other != name])[1]
                if alone:
                    self.faults.append(Breach("plugin", name, "lets bleukit be when it is loaded", alone, fatal=True))
                    self.disabled.append(name)
                    found, wrong = self._loaded(self.disabled)
                    if not wrong:
                        break
        if wrong or found is None:
            raise VariantError(f"cannot be used together: {wrong}", ("plugins",))
        for warning in found["warnings"]:
            self.warn(warning)
        return found

    def _loaded(self, disabled: Sequence[str]) -> tuple[dict[str, Any] | None, str]:
        """Return what is installed but for some plugins, and what is wrong with loading it."""
        with self._child(disabled) as child:
            try:
                found: dict[str, Any] = child.ask("inventory")
            except DiedError as error:
                return None, str(error)
            wrong = child.end()
        _raise_for(found)
        for what, does in (("replaced", "replaces"), ("opened", "opens")):
            if found[what]:
                return found, f"it {does} {', '.join(found[what][:5])}"
        return found, wrong

    def _child(self, disabled: Sequence[str] | None = None) -> Child:
        return Child(
            plugins=self.asked.plugins, disabled=self.disabled if disabled is None else disabled, secret=self.secret
        )

    def _child_for_cases(self) -> Child:
        """Return a process that knows the input of all cases; of those for a variant, which it runs itself, all."""
        child = self._child()
        all_cases = [case for document in self.asked.documents for case in document.cases]
        named = {number: msgspec.to_builtins(case) for number, case in enumerate(all_cases) if case.variant}
        child.ask("know", [tuple(runner.given(case)) for case in all_cases], named)
        return child

    def _variants(self) -> list[str | Path]:
        """Return the variants to run."""
        if self.asked.variants is not None:
            return [*self.asked.variants]
        for name, problem in self.installed["variants"].items():
            if problem:
                self.warn(f"the variant {name!r} is left out: {problem}")
        return [name for name, problem in self.installed["variants"].items() if not problem]

    def _left_out(self) -> str:
        """Return what is left out, of all that is asked for, because the run is a quick one."""
        if not self.asked.quick:
            return ""
        combined = [] if self.asked.only is None else [f"combinations of components that {PLAIN} has not"]
        composed = [f"variants but {PLAIN} against their components"] if self.asked.variants is None else []
        return ", ".join([*combined, "many calls", "batches over 50", "other surroundings", *composed])

    def _not_run(self) -> Iterator[tuple[str, str]]:
        """Yield what cannot be used, of all that is asked for, and why."""
        if self.asked.variants is None:
            variants = self.installed["variants"].items()
            yield from ((f"variant {name}", problem) for name, problem in variants if problem)
        if self.asked.only == {}:
            for kind, named in self.installed["components"].items():
                words = kind.replace("_", " ")
                yield from ((f"{words} {name}", found["problem"]) for name, found in named.items() if found["problem"])

    def _components(self, variants: Sequence[str | Path]) -> list[tuple[str, str]]:
        """Return the components whose contracts are tried, those of one distribution together.

        They are those asked for, or all; of variants that are asked for, those that are not bleukit's own.
        """
        chosen = list((self.asked.only or {}).items())
        if self.asked.only == {}:
            chosen = [(kind, name) for kind in COMPONENT_HOOKS for name in self._usable(kind)]
        if self.asked.variants is not None:
            with self._child() as child:
                for variant in variants:
                    found = child.ask("variant", str(variant))
                    _raise_for(found)
                    chosen += [pair for pair in found["components"].items() if self._distribution(*pair) != PROJECT]
        return sorted(dict.fromkeys(chosen), key=lambda pair: self._distribution(*pair))

    def _distribution(self, kind: str, name: str) -> str:
        found: dict[str, str] = self.installed["components"][kind].get(name, {})
        return found.get("distribution", "")

    def _usable(self, kind: str) -> list[str]:
        """Return the components of a kind that need no options."""
        return [name for name, found in self.installed["components"][kind].items() if not found["problem"]]

    def _checked(self, chosen: Sequence[tuple[str, str]]) -> list[Checked]:
        """Return what comes of the contracts of components."""

        def work(pairs: Iterator[tuple[str, str]]) -> Iterator[Checked | None]:
            bench = None
            distribution = None
            try:
                for kind, name in pairs:
                    if bench is None or self._distribution(kind, name) != distribution:
                        self._end(bench, distribution)
                        distribution = self._distribution(kind, name)
                        bench = Bench(self.asked.plugins, self.disabled, self.secret, quick=self.asked.quick)
                    yield rules.check(kind, name, bench=bench)
                    for options in rules.with_other_options(kind, name, bench):
                        yield rules.check(kind, name, options, bench)
                    yield None
                self._end(bench, distribution)
            finally:
                if bench:
                    bench.close()

        checked = []
        for each in self.progress(_in_parallel(chosen, work), len(chosen), "Contracts"):
            checked += [each] if each else []
        return sorted(checked, key=lambda each: (list(COMPONENT_HOOKS).index(each.kind), each.name))

    def _end(self, bench: Bench | None, distribution: str | None) -> None:
        """Let processes end, and note how."""
        wrong = bench.end() if bench else ""
        if wrong:
            plugins = [name for name, _, own, _ in self.installed["plugins"] if own == distribution]
            self.faults.append(Breach("plugin", ", ".join(plugins), "lets its process end by itself", wrong))

    def _combinations(self, unusable: set[tuple[str, str]]) -> list[dict[str, str]]:
        """Return the combinations to run, without the components that cannot be called at all."""
        if self.asked.only is None:
            return []
        usable = {
            kind: [
                name
                for name in ([self.asked.only[kind]] if kind in self.asked.only else self._usable(kind))
                if (kind, name) not in unusable
            ]
            for kind in COMPONENT_HOOKS
        }
        if not self.asked.quick:
            return list(suite.combinations(usable))
        with self._child() as child:
            found = child.ask("variant", PLAIN)
        plain = found.get("components", {})
        return list(suite.one_by_one(usable, plain))

    def _outcomes(self, tasks: Sequence[Task]) -> list[Outcome]:
        """Return the outcome of each task."""
        outcomes: list[Any] = [None] * len(tasks)
        shares = [
            list(share) for _, share in groupby(enumerate(tasks), lambda each: _but_for_smoothing(each[1].source))
        ]

        def work(own: Iterator[list[tuple[int, Task]]]) -> Iterator[None]:
            child = self._child_for_cases()
            try:
                for share in own:
                    child = self._composed_with(child, share[0][1])
                    left = share
                    while left:
                        done = 0
                        for (number, _), outcome in zip(left, self._of_share(child, left), strict=False):
                            outcomes[number] = outcome
                            done += 1
                        left = left[done:]
                        if left:  # the process died at the last one
                            child.kill()
                            child = self._child_for_cases()
                    yield None
                self._see_off(child)
            finally:
                child.kill()

        for _ in self.progress(_in_parallel(shares, work), len(shares), "Cases"):
            pass
        return outcomes

    def _composed_with(self, child: Child, task: Task) -> Child:
        """Note which contracts the variant of a task keeps; return the process, another one if it died."""
        variant, _ = _plain(task)
        all_of_them = not self.asked.quick or self.asked.variants is not None
        if not isinstance(variant, str) or not (all_of_them or variant == PLAIN):
            return child
        try:
            broken = child.ask("broken", variant)
        except DiedError as error:
            broken = {composition.CONTRACTS[0]: str(error)}
            child.kill()
            child = self._child_for_cases()
        breaches = [Breach("variant", variant, says, shown_by) for says, shown_by in broken.items()]
        self.composed.append(Checked("variant", variant, len(composition.CONTRACTS) - len(breaches), breaches))
        return child

    def _of_share(self, child: Child, share: Sequence[tuple[int, Task]]) -> Iterator[Outcome]:
        """Yield the outcomes of some tasks; none after one at which the process dies."""
        blamed = [self._blamed(task) for _, task in share]
        run = [_plain(task) for (_, task), because in zip(share, blamed, strict=True) if not because]
        replies = child.ask_for_each("cases", run)
        for (_, task), because in zip(share, blamed, strict=True):
            if because:
                yield Outcome.failing(task.case.id, f"not run: {because}")
                continue
            try:
                yield _judged(task, next(replies))
            except DiedError as error:
                self._blame(task, str(error))
                yield Outcome.failing(task.case.id, str(error))
                return

    def _blamed(self, task: Task) -> str:
        """Return why a task is not run: with which variant or component a process died."""
        return next((self.blamed[part] for part in _parts(task.source) if part in self.blamed), "")

    def _blame(self, task: Task, error: str) -> None:
        """Find out with which component a process died: that which does so beside those of the plain variant."""
        parts = _parts(task.source)
        suspects = [part for part in parts if len(parts) == 1 or self._dies(task, part)]
        for kind, name in suspects or parts:
            self.blamed[kind, name] = f"the {kind.replace('_', ' ')} {name!r} at the case {task.case.id}: {error}"

    def _dies(self, task: Task, part: tuple[str, str]) -> bool:
        """Return whether a process dies at a case with one component beside those of the plain variant."""
        with self._child_for_cases() as child:
            source = child.ask("variant", PLAIN).get("components", {}) | dict([part])
            try:
                next(child.ask_for_each("cases", [(source, task.number)]))
            except DiedError:
                return True
        return False

    def _see_off(self, child: Child) -> None:
        """Let a process that ran cases end, and note what plugins did in it."""
        found = child.ask("integrity")
        for says, what in (("replaces no part of bleukit", "replaced"), ("opens no file of cases", "opened")):
            if found[what]:
                self.faults.append(Breach("plugin", "any", says, ", ".join(found[what][:5])))
        wrong = child.end()
        if wrong:
            self.faults.append(Breach("plugin", "any", "lets its process end by itself", wrong))


def _plain(task: Task) -> tuple[Any, int]:
    """Return a task as plain data."""
    return str(task.source) if isinstance(task.source, Path) else task.source, task.number


def _but_for_smoothing(source: Any) -> Any:
    """Return what tasks share that one process should run: they count alike."""
    return {**source, "smoothing": ""} if isinstance(source, Mapping) else source


def _judged(task: Task, reply: Any) -> Outcome:
    if task.case.variant:
        return Outcome(task.case.id, tuple(Stage(*stage) for stage in reply))
    return runner.judge(task.case, observing.from_plain(reply))


def _parts(source: Any) -> list[tuple[str, str]]:
    return list(source.items()) if isinstance(source, Mapping) else [("variant", str(source))]


def _raise_for(found: Mapping[str, Any]) -> None:
    """Raise what a process reports as wrong with a variant, a component or a plugin that was asked for."""
    if "problem" in found:
        raise (NotInstalledError if found["not_installed"] else VariantError)(found["problem"])


class _Shared(Iterator[Item]):
    """An iterator that several threads can use."""

    def __init__(self, items: Sequence[Item]) -> None:
        self._left = iter(items)
        self._lock = threading.Lock()

    def __next__(self) -> Item:
        with self._lock:
            return next(self._left)


def _in_parallel(items: Sequence[Item], work: Callable[[Iterator[Item]], Iterator[Made]]) -> Iterator[Made]:
    """Let as many threads as there are cores work on items, each on those that no other has; yield what they yield."""
    shared = _Shared(items)
    made: queue.SimpleQueue[tuple[Made, ...]] = queue.SimpleQueue()
    errors: list[BaseException] = []

    def run() -> None:
        try:
            for each in work(shared):
                made.put((each,))
        except BaseException as error:  # noqa: BLE001 - it is raised below
            errors.append(error)
        made.put(())

    threads = [threading.Thread(target=run, daemon=True) for _ in range(min(available_cores(), len(items)))]
    for thread in threads:
        thread.start()
    for _ in threads:
        while each := made.get():
            yield each[0]
        if errors:
            raise errors[0]
