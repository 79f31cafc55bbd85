"""A run of the suite: cases, contracts and comparisons, with the plugins in processes of their own.

This process loads no plugin. Plugins are code that their users install and trust: nothing here defends against one that
cheats on purpose.
"""

from __future__ import annotations

import math
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import metadata
from typing import TYPE_CHECKING, Any

from bleukit.conformance.formula import PLAIN_VARIANT
from bleukit.conformance.judging.combinations import Share, name_of, shares_of
from bleukit.conformance.judging.named_variants import run_for_variant
from bleukit.conformance.judging.runner import OWN_STAGES, STATES, agrees
from bleukit.conformance.report import Cause, Failing, Observed, Report, Subject, said
from bleukit.conformance.running.jobs import Job, Pool

from bleukit.bleu.hookspecs import COMPONENT_HOOKS, VARIANT
from bleukit.framework.arguments import available_cores
from bleukit.framework.errors import NotInstalledError, PluginError, UnknownNameError, VariantError, near_misses
from bleukit.framework.hookspecs import PROJECT

if TYPE_CHECKING:
    from bleukit.conformance.judging.cases import Case, CaseDocument
    from bleukit.conformance.judging.combinations import Choice, Result
    from bleukit.conformance.report import Name
    from bleukit.conformance.running.jobs import Done
    from bleukit.conformance.running.worker import Survey

EXAMPLES = 100
"""How many inputs are tried for each rule of the contract of a component that is not bleukit's own, or is named."""

FEW_EXAMPLES = 25
"""The same of bleukit's own, which tests try more, and of all in a quick run."""

COMPARED = 400
"""How many inputs are tried to find a difference between two components."""

ENDS = "lets its process go on"
"""The rule that a component breaks with which a process ends or hangs."""

NEEDS_HYPOTHESIS = "contracts need hypothesis: pip install 'bleukit[conformance]'"


@dataclass(frozen=True)
class Selection:
    """What a run is about.

    ``variants`` are names, or paths of YAML files, None for all that can be used. ``only`` maps kinds of components to
    the names that all combinations must have: empty for all combinations, None for none. If there are ``names``, the
    run is about all variants and components of these names instead; ``conforms_to`` is what they must be the same as:
    a name, or a name with options, as YAML has it. ``plugins`` are modules to load in addition to the installed
    plugins. ``own`` are the names of documents that are not the suite's. ``quick`` combines components only with those
    of the plain variant.
    """

    documents: Mapping[str, CaseDocument]
    variants: Sequence[str] | None = None
    only: Mapping[str, str] | None = field(default_factory=dict)
    names: Sequence[str] = ()
    conforms_to: Choice | None = None
    plugins: Sequence[str] = ()
    own: frozenset[str] = frozenset()
    quick: bool = False

    @property
    def is_about_some(self) -> bool:
        """Whether it is about some components or names, not about all."""
        return bool(self.names or self.only)


Progress = Callable[[Iterator[Any], int, str], Iterable[Any]]


def certify(
    selection: Selection,
    progress: Progress = lambda items, *_: items,
    warn: Callable[[str], object] = lambda _: None,
) -> Report:
    """Run what is selected. ``progress`` is given items, their number and what they are; ``warn`` what is left out.

    Raises VariantError for a variant or a component that does not exist, or cannot be used; NotInstalledError if there
    are names, and hypothesis cannot be imported.
    """
    if selection.names:
        require_hypothesis()
    with tempfile.TemporaryDirectory(prefix="bleukit-") as folder:
        return _Run(selection, progress, warn, folder).report


def require_hypothesis() -> None:
    """Raise NotInstalledError if contracts cannot be tested."""
    try:
        import hypothesis  # noqa: F401 - takes long
    except ImportError as error:
        raise NotInstalledError(NEEDS_HYPOTHESIS) from error


def unknown_name(name: str, known: Iterable[str]) -> UnknownNameError:
    """Return the error of a name that neither a variant nor a component has."""
    close = near_misses(name, sorted(known), "`bleukit variants` and `bleukit plugins` list all")
    return UnknownNameError(f"no variant or component has the name {name!r}; {close}")


class _Run:
    """One run, from what is installed to the report."""

    def __init__(self, selection: Selection, progress: Progress, warn: Callable[[str], object], folder: str) -> None:
        self.selection, self.progress = selection, progress
        self.cases = [case for document in selection.documents.values() for case in document.cases]
        self.says_something: set[str] = set()
        headlines = [(name, case) for name, own in selection.documents.items() for case in own.cases if case.headline]
        self.report = Report(headlines)
        with Pool(available_cores(), folder, selection.plugins, self.cases) as pool:
            self.survey = self._surveyed(pool)
            for warning in self.survey.warnings:
                warn(warning)
            self.variants, self.components = self._chosen()
            self._check(pool)
            self._run_metrics()
            self._compare(pool)
            self.report.problems += pool.end()
        self._look_for_cases_not_run()

    # What is installed.

    def _surveyed(self, pool: Pool) -> Survey:
        """Return what is installed; leave out plugins that end or block the process in which they are loaded."""
        survey, problem = self._survey(pool)
        if survey is None:
            names = [entry.name for entry in metadata.entry_points(group=PROJECT)]
            blocking = []
            for name in names:
                pool.disable([other for other in names if other != name])
                if self._survey(pool)[0] is None:
                    self.report.problems.append(f"the plugin {name}, when it is loaded: {problem}")
                    blocking.append(name)
            pool.disable(blocking)
            survey, problem = self._survey(pool)
        if survey is None:
            raise VariantError(f"cannot be used: {problem}", ("plugins",))
        return survey

    def _survey(self, pool: Pool) -> tuple[Survey | None, str]:
        """Return what is installed; or None, and why. What ends or blocks its process when it is created is broken."""
        broken: dict[Name, str] = {}
        while True:
            ((_, done),) = pool.run([Job("survey", (list(self.selection.variants or ()), broken))])
            if done.error:
                raise done.error
            if not done.problem:
                return done.messages[-1], ""
            if not done.messages:
                return None, done.problem
            broken[done.messages[-1]] = done.problem

    # What is chosen.

    def _chosen(self) -> tuple[list[str], dict[Name, Choice]]:
        """Return the variants to run, and the components whose contracts are tried, as YAML has them."""
        selection, survey = self.selection, self.survey
        variants = list(selection.variants if selection.variants is not None else survey.names[VARIANT])
        named: list[Name] = []
        if selection.names:
            named = list(self._named())
            variants = [name for kind, name in named if kind == VARIANT]
            self.report.required = named
        elif selection.only:
            named = list(selection.only.items())
        elif selection.variants is None:
            named = [(kind, name) for kind in COMPONENT_HOOKS for name in survey.names[kind]]
        usable = [name for name in variants if self._is_usable(VARIANT, name)]
        components = {
            pair: survey.needing.get(pair, pair[1])
            for pair in named
            if pair[0] != VARIANT and (pair in survey.needing or self._is_usable(*pair))
        }
        for name in usable if selection.variants else ():
            own = survey.of_variants[name].items()
            components |= {(k, name_of(c)): c for k, c in own if self._distribution(k, name_of(c)) != PROJECT}
        for pair in [*components, *((VARIANT, name) for name in usable)]:
            self._subject(*pair)
        return usable, components

    def _is_usable(self, kind: str, name: str) -> bool:
        """Return whether a variant or a component can be used, and note why if it cannot.

        Raises its error if it was asked for, and it is not its plugin's fault.
        """
        unusable = self.survey.unusable.get((kind, name))
        is_asked_for = self.selection.is_about_some or bool(self.selection.variants)
        if unusable is None:
            return True
        if isinstance(unusable.error, PluginError):
            self._subject(kind, name).broken.append(Observed("can be created", str(unusable.error)))
        elif unusable.needs:
            self._subject(kind, name).needs = f"needs {unusable.needs}: no variant gives it"
        elif is_asked_for:
            raise unusable.error
        else:
            self.report.not_installed[kind, name] = str(unusable.error)
        return False

    def _named(self) -> Iterator[Name]:
        """Yield all that has one of the names of the selection, by kind and name."""
        known = [(kind, name) for kind, names in self.survey.names.items() for name in names]
        for name in self.selection.names:
            if name not in {own for _, own in known}:
                raise unknown_name(name, {own for _, own in known})
        yield from dict.fromkeys(pair for name in self.selection.names for pair in known if pair[1] == name)

    def _subject(self, kind: str, name: str) -> Subject:
        return self.report.subjects.setdefault((kind, name), Subject(kind, name, self._distribution(kind, name)))

    def _distribution(self, kind: str, name: str) -> str:
        return self.survey.names[kind].get(name, "")

    # Contracts and cases.

    def _check(self, pool: Pool) -> None:
        """Try contracts, and run cases: those of all combinations afterwards, without components that break theirs."""
        done = []
        for jobs, what in self._rounds():
            for job, own in self.progress(pool.run(jobs, self._is_blamed), len(jobs), what):
                if isinstance(job.tag, Subject):
                    self._note_contract(pool, job, own)
                elif own.problem:
                    self._blame(job.tag, own.problem)
                else:
                    done.append((job, own))
        for job, own in done:
            if not self._is_blamed(job):
                self._note_results(job.tag, own.messages[0])
        self.report.combinations = sum(math.prod(map(len, grid.values())) for grid in self._grids())

    def _rounds(self) -> Iterator[tuple[list[Job], str]]:
        """Yield jobs that are done at the same time, and what they are."""
        contracts = list(self._contracts())
        if self.selection.is_about_some:
            yield [*contracts, *self._cases()], "Checks"
        else:
            yield contracts, "Contracts"
            yield list(self._cases()), "Cases"

    def _contracts(self) -> Iterator[Job]:
        """Yield the jobs that try the contracts of components."""
        if not self.components:
            return
        try:
            require_hypothesis()
        except NotInstalledError as error:
            self.report.left_out.append(str(error))
            return
        for (kind, name), choice in self.components.items():
            is_own = self._distribution(kind, name) == PROJECT
            is_named = self.selection.is_about_some
            examples = FEW_EXAMPLES if self.selection.quick or (is_own and not is_named) else EXAMPLES
            arguments = (kind, choice, examples, not is_own or is_named)
            yield Job("try_contract", arguments, alone=not is_own, tag=self._subject(kind, name))
            self._subject(kind, name).contract_tried = True

    def _note_contract(self, pool: Pool, job: Job, done: Done) -> None:
        """Note what comes of the contract of a component; the samples are tried again elsewhere."""
        if done.error:
            raise done.error
        subject: Subject = job.tag
        for message in done.messages:
            if hasattr(message, "pairs"):
                pool.add(Job("try_again", (*job.arguments[:2], message.pairs), job.alone, elsewhere=True, tag=subject))
            else:
                (subject.broken if message.fails else subject.observed).append(Observed(message.rule, message.shown))
        if done.problem:
            subject.broken.append(Observed(ENDS, done.problem))

    def _cases(self) -> Iterator[Job]:
        """Yield the jobs that run the cases."""
        for name in self.variants:
            yield Job("run_variant", (name,), tag=name)
        for grid in self._grids():
            for share in self._shares(grid):
                yield Job("run_share", (share,), tag=share)
        beside = self.survey.of_variants.get(PLAIN_VARIANT, {})
        for (kind, name), choice in self.components.items() if beside and self.selection.is_about_some else ():
            choices = {k: [c] for k, c in {**beside, kind: choice}.items()}
            for share in self._shares(choices):
                yield Job("run_share", (share,), tag=(kind, name))

    def _run_metrics(self) -> None:
        """Run the cases about metrics beside BLEU, which no plugin takes part in; none if names are chosen."""
        for case in self.cases if self._is_whole else ():
            if case.metric:
                outcome = run_for_variant(case, case.metric)
                self.says_something.add(case.id)
                for stage in outcome.stages if outcome.failures else ():
                    failing = Failing(case.id, case.metric, stage.because)
                    self.report.failures.setdefault(Cause("metric", case.metric, stage.name), []).append(failing)

    @property
    def _is_whole(self) -> bool:
        """Whether the run is about all variants, and not about components or names."""
        return self.selection.variants is None and not self.selection.is_about_some

    def _shares(self, grid: Mapping[str, Sequence[Choice]]) -> Iterator[Share]:
        return shares_of(grid, self.cases, lambda kind, name: self._distribution(kind, name) == PROJECT)

    def _is_blamed(self, job: Job) -> bool:
        """Return whether a job is about a component with which a process ended, or one that breaks its contract.

        What the latter gives alone, beside the components of the plain variant, is shown all the same.
        """
        if isinstance(job.tag, Share):
            subjects = self.report.subjects
            return any(subjects[pair].broken for pair in _alone_in(job.tag) if pair in subjects)
        return isinstance(job.tag, tuple) and ENDS in {own.rule for own in self._subject(*job.tag).broken}

    def _grids(self) -> Iterator[dict[str, list[Choice]]]:
        """Yield the grids of combinations to run, without components that break their contract."""
        only = self.selection.only
        if only is None and not self.selection.names:
            return
        sound = {pair: choice for pair, choice in self.components.items() if not self.report.subjects[pair].broken}
        named = [{pair[0]: choice} for pair, choice in sound.items()] if self.selection.names else []
        if only:
            named = [{kind: sound[kind, name] for kind, name in only.items() if (kind, name) in sound}]
        if not named and not self.selection.names:
            named = [{}]
        for fixed in named:
            usable = {kind: [fixed[kind]] if kind in fixed else self._usable(kind, sound) for kind in COMPONENT_HOOKS}
            if not self.selection.quick:
                yield usable
                continue
            beside = {**self.survey.of_variants[PLAIN_VARIANT], **fixed}
            for kind, own in usable.items():
                yield {**{other: [choice] for other, choice in beside.items()}, kind: own}

    def _usable(self, kind: str, sound: Mapping[Name, Choice]) -> list[Choice]:
        """Return the components of a kind that need no options; of a run about some, bleukit's own beside these."""
        survey = self.survey
        if not self.selection.is_about_some:
            return [choice for (own, _), choice in sound.items() if own == kind and isinstance(choice, str)]
        names = survey.names[kind].items()
        return [name for name, own in names if own == PROJECT and (kind, name) not in survey.unusable]

    def _note_results(self, of: str | Share | Name, results: Sequence[Result]) -> None:
        """Note what came of cases for a variant, for combinations, or for a component beside those of the plain one."""
        if isinstance(of, str):
            self.report.results = {**self.report.results, of: results}
        for result in results:
            case, outcome = self.cases[result.case], result.outcome
            if any(stage.state != "unstated" for stage in outcome.stages):
                self.says_something.add(case.id)
            if isinstance(of, tuple) and not isinstance(of, Share):
                self._note_own(self._subject(*of), case, result)
                continue
            if isinstance(of, Share):
                self.report.combined[outcome.state] += result.combinations
            names = {(kind, name) for kind, own in result.components.items() for name in own}
            if isinstance(of, str):
                names = {(VARIANT, of)}
            for name in names & self.report.subjects.keys():
                subject = self.report.subjects[name]
                subject.checked += 1
                if name in self.report.required:
                    before = subject.cases.get(case.id, ("agrees", ""))
                    because = next(iter(outcome.reasons(outcome.state)), "")
                    subject.cases[case.id] = min(before, (outcome.state, because), key=lambda one: STATES.index(one[0]))
            if outcome.failures:
                self._note_failure(of, case, result)

    def _note_failure(self, of: str | Share, case: Case, result: Result) -> None:
        components = {kind: own[0] for kind, own in result.components.items()}
        if isinstance(of, str):
            components = {kind: name_of(choice) for kind, choice in self.survey.of_variants.get(of, {}).items()}
        stage = next(stage for stage in result.outcome.stages if stage.state == "fails")
        kind = next((kind for kind, own in _ABOUT.items() if stage.name in own), "")
        cause = Cause(kind, components[kind], stage.name) if kind in components else Cause(VARIANT, str(of), stage.name)
        if isinstance(of, Share) and kind not in components:
            cause = Cause("", "the formula", stage.name)
        shown = of if isinstance(of, str) else " ".join(components.values())
        self.report.failures.setdefault(cause, []).append(Failing(case.id, shown, stage.because))
        for blamed in [cause[:2], *([(VARIANT, of)] if isinstance(of, str) else [])]:
            if blamed in self.report.subjects:
                self.report.subjects[blamed].failing = True

    def _note_own(self, subject: Subject, case: Case, result: Result) -> None:
        """Note what a component gives beside those of the plain variant."""
        outcome = result.outcome
        if case.headline:
            figure = "nothing" if outcome.figure is None else f"{outcome.figure:.4f}"
            is_given = outcome.figure is not None and agrees(case.headline, outcome.figure)
            subject.gives.append((case.headline, case.headline if is_given else figure))
        own = [stage for stage in outcome.stages if subject.kind in stage.kinds]
        for state, listed in (("deviates", subject.deviates), ("unstated", subject.uncovered)):
            because = next((stage.because for stage in own if stage.state == state), "")
            if because:
                listed.append(Observed(case.id, because))

    def _blame(self, of: str | Share | Name, problem: str) -> None:
        """Note with which components a process ended; those that are not bleukit's own, if there are any."""
        if isinstance(of, str):
            self.report.failures.setdefault(Cause(VARIANT, of, "process"), []).append(Failing("", of, problem))
            self._subject(VARIANT, of).failing = True
            return
        pairs = _alone_in(of) if isinstance(of, Share) else [of]
        foreign = [pair for pair in pairs if self._distribution(*pair) != PROJECT]
        if not pairs:
            self.report.problems.append(f"combinations of bleukit's own components: {problem}")
        for pair in foreign or pairs:
            finding = Observed(ENDS, problem)
            if finding not in self._subject(*pair).broken:
                self._subject(*pair).broken.append(finding)

    # Comparisons.

    def _compare(self, pool: Pool) -> None:
        """Note whether what was named is the same as what it is to conform to."""
        to = self.selection.conforms_to
        if to is None:
            return
        jobs = []
        same_kind = [pair for pair in self.report.required if name_of(to) in self.survey.names[pair[0]]]
        if not same_kind:
            kinds = " or ".join(dict.fromkeys(kind.replace("_", " ") for kind, _ in self.report.required))
            known = sorted({name for kind, _ in self.report.required for name in self.survey.names[kind]})
            raise UnknownNameError(
                f"no {kinds} has the name {name_of(to)!r}; {near_misses(name_of(to), known)}", ("--as",)
            )
        for kind, name in same_kind:
            choice = name if kind == VARIANT else self.components.get((kind, name))
            if choice is not None and self._subject(kind, name).verdict != "fails":
                jobs.append(Job("compare", (kind, choice, to, COMPARED), tag=self._subject(kind, name)))
        for job in jobs:
            job.tag.conforms_to = name_of(to)
        for job, done in self.progress(pool.run(jobs), len(jobs), "Comparisons"):
            if done.error:
                raise done.error
            if done.problem:
                job.tag.broken.append(Observed(ENDS, done.problem))
            job.tag.compared = next(iter(done.messages), "")

    # Cases that were not run.

    def _look_for_cases_not_run(self) -> None:
        """Note each case that holds nothing to anything: it would be taken for a check.

        In a run about some components or variants, these are the cases of one's own that name them, or nothing, or what
        nobody has registered.
        """
        selection = self.selection
        is_whole = self._is_whole and selection.only is not None and not selection.quick
        chosen = {name for name, subject in self.report.subjects.items() if subject.verdict != "fails"}
        for name, document in selection.documents.items():
            for case in document.cases:
                named = _named_in(case)
                is_unknown = any(own not in self.survey.names[kind] for kind, own in named)
                concerned = bool(named & chosen) or not named or is_unknown
                if case.id not in self.says_something and (is_whole or (name in selection.own and concerned)):
                    reasons = [self._why_not(*pair) for pair in sorted(named)]
                    because = next(filter(None, reasons), "") or "it states nothing that anything could be held to"
                    if not any(pair in self.report.not_installed for pair in named):
                        self.report.problems.append(f"the case {case.id} is not run: {because}")

    def _why_not(self, kind: str, name: str) -> str:
        """Return why what has a name is not run."""
        subject = self.report.subjects.get((kind, name))
        if subject and subject.needs:
            return f"the {subject} {subject.needs}"
        if subject and subject.broken:
            return f"the {subject} fails: it {subject.broken[0].rule}: {subject.broken[0].shown}"
        return "" if name in self.survey.names[kind] else f"no {said(kind, name)} is registered"


_ABOUT = {**OWN_STAGES, "tokenizer": ("tokens", "other_tokens", "hypothesis_length")}
"""The stages by which a kind of component is seen to be wrong."""


def _named_in(case: Case) -> set[Name]:
    """Return what a case names: its variant, and the components that it sets, or of which something else holds."""
    named = {(VARIANT, case.variant)} if case.variant else set()
    named |= {(kind, name_of(case.set[kind])) for kind in COMPONENT_HOOKS if kind in case.set}
    return named | {(kind, name) for own in case.otherwise for kind, names in own.when.items() for name in names}


def _alone_in(share: Share) -> list[Name]:
    """Return the components that all combinations of a share have."""
    return [(kind, name_of(own[0])) for kind, own in share.choices.items() if len(own) == 1]
