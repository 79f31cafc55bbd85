"""Certifies variants and components: contracts and cases, with the plugins in processes of their own.

This process loads no plugin. It asks child processes, so that a component that crashes, hangs, exits or eats memory by
mistake is a row of the report, and the run goes on. Plugins are code that their users install and trust: nothing here
defends against one that cheats on purpose.
"""

from __future__ import annotations

import queue
import tempfile
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from importlib import metadata
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

import msgspec
from bleukit.conformance import suite
from bleukit.conformance.contracts import checking
from bleukit.conformance.contracts.checked import Breach, Checked, go_all_ways
from bleukit.conformance.definitions import DEFAULT_VARIANT, PLAIN_VARIANT
from bleukit.conformance.judging.runner import CaseOutcome
from bleukit.conformance.processes import parent
from bleukit.conformance.processes.bench import Bench
from bleukit.conformance.processes.parent import Child, DiedError, ErrorReply, Surroundings

from bleukit.errors import PluginError, VariantError, near_misses
from bleukit.hookspecs import PROJECT
from bleukit.loading.loader import OF_SCORING
from bleukit.loading.manager import COMPONENT_HOOKS, VARIANT
from bleukit.text.arguments import available_cores

if TYPE_CHECKING:
    from bleukit.conformance.judging.cases import CaseDocument
    from bleukit.conformance.suite import CaseTask, Report

Item = TypeVar("Item")
Made = TypeVar("Made")

_Created: TypeAlias = "dict[tuple[str, str], Mapping[str, str] | ErrorReply]"
"""By kind and name of components and variants: the components of each, by kind, or why it cannot be created."""

LOADS = "loads in a process that goes on, and that ends by itself"
ENDS = "lets its process end by itself"


@dataclass(frozen=True)
class Selection:
    """What a run is about, and how thorough it is.

    ``variants`` are names, or paths of YAML files; None for all named variants that can be used. ``only`` maps kinds of
    components to the names that all combinations must have: empty for all combinations, None for none. ``plugins`` are
    modules to load in addition to the installed plugins. ``quick`` leaves out what takes long. If there are ``names``,
    the run is about all variants and components of these names instead.
    """

    documents: Sequence[CaseDocument]
    variants: Sequence[str | Path] | None = None
    only: Mapping[str, str] | None = field(default_factory=dict)
    plugins: Sequence[str] = ()
    quick: bool = False
    names: Sequence[str] = ()


def certify(
    selection: Selection,
    progress: Callable[[Iterator[Any], int, str], Iterable[Any]] = lambda items, *_: items,
    warn: Callable[[str], object] = lambda _: None,
) -> Report:
    """Run what is selected. ``progress`` is given items, their number and what they are; ``warn`` what is left out.

    Raises VariantError for a variant or a component that does not exist, or lacks options or what it needs.
    """
    try:
        with tempfile.TemporaryDirectory(prefix="bleukit-") as folder, parent.cycles_seldom_looked_for():
            run = partial(_Run, progress=progress, warn=warn, folder=folder)
            if not selection.names:
                return run(selection).report()
            named = run(selection).named()
            parts = [
                replace(
                    selection,
                    names=(),
                    variants=[name] if kind == VARIANT else [],
                    only=None if kind == VARIANT else {kind: name},
                )
                for kind, name in named
            ]
            return replace(suite.joined([run(part).report() for part in parts]), required=named)
    finally:
        parent.end_all()


class _Run:
    """One run, from what is installed to the report."""

    def __init__(
        self,
        selection: Selection,
        progress: Callable[[Iterator[Any], int, str], Iterable[Any]],
        warn: Callable[[str], object],
        folder: str,
    ) -> None:
        self.folder = folder
        self.selection, self.progress, self.warn = selection, progress, warn
        self.cases = [case for document in selection.documents for case in document.cases]
        self.disabled: list[str] = []
        self.faults: list[Breach] = []
        self.blamed: dict[tuple[str, str], str] = {}
        self.composed: list[Checked] = []
        self.in_variants: set[tuple[str, str]] = set()

    def named(self) -> list[tuple[str, str]]:
        """Return all that has one of the names of the selection, by kind and name."""
        installed, _ = self._survey()
        known = [(kind, name) for kind, names in installed["components"].items() for name in names]
        known += [(VARIANT, name) for name in installed["variants"]]
        for name in self.selection.names:
            if name not in {own for _, own in known}:
                close = near_misses(name, sorted({own for _, own in known}))
                raise VariantError(f"no variant or component has the name {name!r}; {close}")
        return [pair for name in self.selection.names for pair in known if pair[1] == name]

    def report(self) -> Report:
        selection = self.selection
        self.installed, self.created = self._survey()
        for warning in self.installed["warnings"]:
            self.warn(warning)
        chosen, variants = self._chosen()
        in_all_ways = [str(name) for name in variants if str(name) == PLAIN_VARIANT or not self._is_brief()]
        self.in_all_ways = sorted(in_all_ways, key=lambda name: name != DEFAULT_VARIANT)
        checked = self._checked(chosen)
        unusable = {(component.kind, component.name) for component in checked if not component.usable}
        planned = suite.plan(selection.documents, variants, self._combinations(unusable))
        planned.documented |= {(c.kind, c.name) for c in checked if c.kind == "counter" and not c.declared}
        if selection.only:  # the others are not what the report is about
            planned.components = [pair for pair in planned.components if pair in selection.only.items()]
        report = planned.report(self._outcomes(planned.tasks))
        checked += sorted(self.composed, key=lambda variant: variant.name)
        report = replace(
            report, checked=checked, faults=self.faults, left_out=self._left_out(), not_run=[*self._not_run()]
        )
        if selection.variants is None and selection.only == {} and not selection.quick:
            nothing = suite.about_nothing(selection.documents, report, self.installed["variants"])
            report = replace(report, combinations=[*report.combinations, *nothing])
        return report

    def _survey(self) -> tuple[dict[str, Any], _Created]:
        """Return what is installed, and what came of creating it; leave out plugins that end or block their process."""
        try:
            return self._loaded([])
        except DiedError as error:
            names = [entry.name for entry in metadata.entry_points(group=PROJECT)]
            harmless: list[str] = []
            for name in names:
                try:
                    self._loaded([other for other in names if other not in {*harmless, name}])
                    harmless.append(name)
                except DiedError as because:  # noqa: PERF203 - one after the other
                    self.faults.append(Breach("plugin", name, LOADS, str(because), fatal=True))
                    self.disabled.append(name)
            try:
                return self._loaded(self.disabled)
            except DiedError:
                raise VariantError(f"cannot be used: {error}", ("plugins",)) from error

    def _loaded(self, disabled: Sequence[str]) -> tuple[dict[str, Any], _Created]:
        """Return what is installed without some plugins, and what came of creating it and the selected variants.

        Raises DiedError if the process itself ends badly.
        """
        child = self._child(disabled)
        try:
            installed: dict[str, Any] = child.ask("inventory")
            names = [(kind, name) for kind, named in installed["components"].items() for name in named]
            variants = [*installed["variants"], *map(str, self.selection.variants or ())]
            names += [(VARIANT, name) for name in dict.fromkeys(variants)]
            created: _Created = {}
            while left := names[len(created) :]:
                replies = child.ask_for_each("create_each", left, seconds=parent.STARTING)
                try:
                    created.update((name, next(replies)) for name in left)
                except DiedError as error:
                    created[names[len(created)]] = ErrorReply(DiedError, str(error))
                    child = self._child(disabled)
                    child.ask("inventory")
            wrong = child.end()
        finally:
            child.kill()
        if wrong:
            raise DiedError(wrong)
        return installed, created

    def _problem(self, kind: str, name: str) -> str:
        """Return why a component or a variant is refused here; empty if it is not.

        Nor is one refused whose creation ends the process: its contracts, or the faults of the run, show that.
        """
        created = self.created[kind, name]
        return created.message if isinstance(created, ErrorReply) and created.error is not DiedError else ""

    @cached_property
    def needing(self) -> list[tuple[str, str]]:
        """The components that need options, by kind and name, and that a named variant has."""
        of_variants = [self.created[VARIANT, name] for name in self.installed["variants"]]
        pairs = {pair for of in of_variants if not isinstance(of, ErrorReply) for pair in of.items()}
        return sorted(pair for pair in pairs if self._problem(*pair))

    def _child(self, disabled: Sequence[str] | None = None) -> Child:
        return Child(plugins=self.selection.plugins, disabled=self.disabled if disabled is None else disabled)

    def _child_for_cases(self) -> Child:
        """Return a process that knows all cases."""
        child = self._child()
        child.ask("take_cases", msgspec.to_builtins(self.cases))
        return child

    def _chosen(self) -> tuple[list[tuple[str, str]], list[str | Path]]:
        """Return the components whose contracts are tried, those of one distribution together, and the variants to run.

        The components are those selected, or all; of selected variants, those that are not bleukit's own.
        """
        only = self.selection.only
        chosen = list((only or {}).items())
        if only == {}:
            chosen = [(kind, name) for kind in COMPONENT_HOOKS for name in self._usable(kind)] + self.needing
        variants = list[str | Path]()
        for variant in self._asked_for():
            components = self.created[VARIANT, str(variant)]
            if not isinstance(components, ErrorReply):
                variants.append(variant)
                self.in_variants.update(components.items())
                if self.selection.variants is not None:
                    chosen += [pair for pair in components.items() if self._distribution(*pair) != PROJECT]
            elif issubclass(components.error, DiedError | PluginError):
                says = f"its creation: {components.message}"
                self.faults.append(Breach(VARIANT, str(variant), checking.ACCEPTS, says))
            else:
                raise components.error(components.message)
        return sorted(dict.fromkeys(chosen), key=lambda component: self._distribution(*component)), variants

    def _asked_for(self) -> Iterator[str | Path]:
        """Yield the variants that are selected, or all that can be used."""
        if self.selection.variants is not None:
            yield from self.selection.variants
            return
        for name in self.installed["variants"]:
            problem = self._problem(VARIANT, name)
            if problem:
                self.warn(f"the variant {name!r} is left out: {problem}")
            else:
                yield name

    def _distribution(self, kind: str, name: str) -> str:
        return str(self.installed["components"][kind].get(name, ""))

    def _usable(self, kind: str) -> list[str]:
        """Return the components of a kind that need no options, beside those selected only bleukit's own."""
        usable = [name for name in self.installed["components"][kind] if not self._problem(kind, name)]
        return [name for name in usable if not self.selection.only or self._distribution(kind, name) == PROJECT]

    def _is_brief(self) -> bool:
        """Return whether the plain variant alone goes all ways."""
        return self.selection.quick and self.selection.variants is None

    def _left_out(self) -> str:
        """Return what is left out, of all that is asked for, because the run is a quick one."""
        if not self.selection.quick:
            return ""
        combined = [] if self.selection.only is None else [f"combinations of components that {PLAIN_VARIANT} has not"]
        composed = [f"variants but {PLAIN_VARIANT} against their components"] if self._is_brief() else []
        always = ["plain Python for compiled parts", "many calls", "batches over 50", "other surroundings"]
        return ", ".join([*combined, *always, *composed])

    def _not_run(self) -> Iterator[tuple[str, str]]:
        """Yield what cannot be used here, of all that is selected, and why."""
        for kind, name in self.created:
            problem = "" if (kind, name) in self.needing else self._problem(kind, name)
            if problem and (self.selection.variants is None if kind == VARIANT else self.selection.only == {}):
                yield f"{kind.replace('_', ' ')} {name}", problem
        yield from self.installed["without"].items()

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
                        bench = Bench(self.selection.plugins, self.disabled, self.folder, quick=self.selection.quick)
                    yield from checking.check_component(kind, name, bench, self._ways_of(kind, name))
                    yield None
                self._end(bench, distribution)
            finally:
                if bench:
                    bench.close()

        checked = []
        for component in self.progress(_in_parallel(chosen, work), len(chosen), "Contracts"):
            checked += [component] if component else []
        return sorted(checked, key=lambda component: (list(COMPONENT_HOOKS).index(component.kind), component.name))

    def _ways_of(self, kind: str, name: str) -> Sequence[str] | None:
        """Return the variants whose ways a component does not go again; None if it goes no way, because one has it."""
        return None if (kind, name) in self.in_variants or self._is_brief() else self.in_all_ways

    def _end(self, bench: Bench | None, distribution: str | None) -> None:
        """Let processes end, and note how."""
        wrong = bench.end() if bench else ""
        if wrong:
            plugins = [name for name, own in self.installed["plugins"] if own == distribution]
            self.faults.append(Breach("plugin", ", ".join(plugins), ENDS, wrong))

    def _combinations(self, unusable: set[tuple[str, str]]) -> list[dict[str, str]]:
        """Return the combinations to run, without the components that cannot be called at all."""
        only = self.selection.only
        if only is None or set(only.items()) & set(self.needing):
            return []  # a combination names components without options
        usable = {
            kind: [
                name for name in ([only[kind]] if kind in only else self._usable(kind)) if (kind, name) not in unusable
            ]
            for kind in COMPONENT_HOOKS
        }
        if not self.selection.quick:
            return list(suite.combinations(usable))
        return list(suite.one_replaced(usable, self.installed["plain"]))

    def _outcomes(self, tasks: Sequence[CaseTask]) -> list[CaseOutcome]:
        """Return the outcome of each task."""
        outcomes: list[Any] = [None] * len(tasks)
        shares = [list(share) for _, share in groupby(enumerate(tasks), lambda task: _counting(task[1].source))]
        shares.sort(key=lambda share: self._comes_later(share[0][1].source))

        def work(own: Iterator[list[tuple[int, CaseTask]]]) -> Iterator[None]:
            child = self._child_for_cases()
            try:
                for share in own:
                    child = self._composed_with(child, share[0][1])
                    left, together = share, parent.TOGETHER
                    while left:
                        done = 0
                        for (number, _), outcome in zip(left, self._of_share(child, left, together), strict=False):
                            outcomes[number] = outcome
                            done += 1
                        left = left[done:]
                        if left:  # the process died at the last one, or at one of several
                            child, together = self._child_for_cases(), 1
                    yield None
                if wrong := child.end():
                    self.faults.append(Breach("plugin", "any", ENDS, wrong))
            finally:
                child.kill()

        for _ in self.progress(_in_parallel(shares, work), len(shares), "Cases"):
            pass
        return outcomes

    def _comes_later(self, source: Any) -> int:
        """Return what comes later: what takes longest is first, so that no process has to wait for it."""
        return 0 if source == DEFAULT_VARIANT else 1 if source in self.in_all_ways else 2

    def _composed_with(self, child: Child, task: CaseTask) -> Child:
        """Note in which ways the variant of a task gives what it should; return the process, another one if it died."""
        variant, _ = _plain(task)
        if variant not in self.in_all_ways:
            return child
        before = self.in_all_ways[: self.in_all_ways.index(variant)]
        if variant == PLAIN_VARIANT and not self.selection.quick:
            absent = Surroundings(parent.HERE.environment, absent=self.installed["compiled"])
            with Child(absent, self.selection.plugins, self.disabled) as uncompiled:
                self._go_all_ways(uncompiled, variant, [], f"{variant} (nothing compiled)")
        return child if self._go_all_ways(child, variant, before, variant) else self._child_for_cases()

    def _go_all_ways(self, child: Child, variant: str, before: Sequence[str], name: str) -> bool:
        """Note in which ways a variant gives what it should; return whether the process is still there."""
        self.composed.append(Checked(VARIANT, name))
        return go_all_ways(self.composed[-1], child, variant, before)

    def _of_share(self, child: Child, share: Sequence[tuple[int, CaseTask]], together: int) -> Iterator[CaseOutcome]:
        """Yield the outcomes of some tasks; none after one at which the process dies, and is blamed if it is alone."""
        blamed = [self._blamed(task) for _, task in share]
        run = [_plain(task) for (_, task), because in zip(share, blamed, strict=True) if not because]
        replies = child.ask_for_each("run_cases", run, together=together)
        for (_, task), because in zip(share, blamed, strict=True):
            if because:
                yield CaseOutcome.failing(task.case.id, f"not run: {because}")
                continue
            try:
                reply = next(replies)
                child.outcomes.append(child.outcomes[reply] if isinstance(reply, int) else reply)
                yield child.outcomes[-1]
            except DiedError as error:
                if together == 1:
                    self._blame(task, str(error))
                    yield CaseOutcome.failing(task.case.id, str(error))
                return

    def _blamed(self, task: CaseTask) -> str:
        """Return why a task is not run: with which variant or component a process died."""
        return next((self.blamed[part] for part in _parts(task.source) if part in self.blamed), "")

    def _blame(self, task: CaseTask, error: str) -> None:
        """Find out with which component a process died: that which does so beside those of the plain variant."""
        parts = _parts(task.source)
        suspects = [part for part in parts if len(parts) == 1 or self._dies(task, part)]
        for kind, name in suspects or parts:
            self.blamed[kind, name] = f"the {kind.replace('_', ' ')} {name!r} at the case {task.case.id}: {error}"

    def _dies(self, task: CaseTask, part: tuple[str, str]) -> bool:
        """Return whether a process dies at a case with one component beside those of the plain variant."""
        with self._child_for_cases() as child:
            source = self.installed["plain"] | dict([part])
            try:
                next(child.ask_for_each("run_cases", [(source, task.number)]))
            except DiedError:
                return True
        return False


def _plain(task: CaseTask) -> tuple[Any, int]:
    """Return a task as plain data."""
    return str(task.source) if isinstance(task.source, Path) else task.source, task.number


def _counting(source: Any) -> Any:
    """Return what tasks share that one process should run: they count alike."""
    return {**source, **dict.fromkeys(OF_SCORING)} if isinstance(source, Mapping) else source


def _parts(source: Any) -> list[tuple[str, str]]:
    return list(source.items()) if isinstance(source, Mapping) else [(VARIANT, str(source))]


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
            for item in work(shared):
                made.put((item,))
        except BaseException as error:  # noqa: BLE001 - it is raised below
            errors.append(error)
        made.put(())

    threads = [threading.Thread(target=run, daemon=True) for _ in range(min(available_cores(), len(items)))]
    for thread in threads:
        thread.start()
    for _ in threads:
        while item := made.get():
            yield item[0]
        if errors:
            raise errors[0]
