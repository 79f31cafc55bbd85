"""What comes of the contracts of components and variants, and of the ways to a number."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from bleukit.conformance.processes import parent
from bleukit.conformance.processes.parent import DiedError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from bleukit.conformance.processes.parent import Child

EVERY_WAY = "gives the same one by one and by"


@dataclass(frozen=True)
class Breach:
    """A contract that a component does not keep, and the smallest input found that shows it.

    If it is ``fatal``, the component cannot be called at all.
    """

    kind: str
    name: str
    contract: str
    shown_by: str
    fatal: bool = False


@dataclass
class Checked:
    """What came of the contracts of one component.

    ``declared`` are the rules that it says it departs from, and of which no definition is known here; ``not_tried``
    says what could not be tried, and why. ``ways`` are the contracts, or ways to a number, that were tried, each with
    the names of the inputs.
    """

    kind: str
    name: str
    kept: int = 0
    breaches: list[Breach] = field(default_factory=list)
    declared: list[str] = field(default_factory=list)
    not_tried: list[str] = field(default_factory=list)
    ways: dict[str, list[str]] = field(default_factory=dict)

    @property
    def usable(self) -> bool:
        """Whether the component can be called at all."""
        return not any(breach.fatal for breach in self.breaches)


def go_all_ways(
    checked: Checked, child: Child, variant: str, before: Sequence[str], keys: Mapping[str, Any] | None = None
) -> bool:
    """Note in which ways a variant, with keys over it, gives what it should; return whether the process is still there.

    It does not go where a variant that comes ``before`` has gone.
    """
    wrong: dict[str, str] = {}
    way = "a score"
    is_alive = True
    tried: dict[str, list[str]] = {}
    try:
        for way, corpus, problem in child.ask_for_each("ways", variant, before, keys or {}, seconds=parent.STARTING):
            if not way:
                break
            tried.setdefault(way, []).append(corpus)
            if problem:
                wrong.setdefault(way, f"{corpus}: {problem}")
    except DiedError as error:
        wrong[f"what comes after {way}"] = str(error)
        is_alive = False
    checked.breaches += [
        Breach(checked.kind, checked.name, f"{EVERY_WAY} {way}", shown_by) for way, shown_by in wrong.items()
    ]
    checked.kept += len(tried.keys() - wrong.keys())
    checked.ways |= tried
    return is_alive
