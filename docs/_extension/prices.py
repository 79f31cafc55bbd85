"""The prices of identify, from its data file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sphinx.util.docutils import SphinxDirective

from bleukit.inspecting.procedures import prices

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from docutils import nodes


class Prices(SphinxDirective):
    """Tables of the families and of the deviations, with their prices and reasons."""

    def run(self) -> list[nodes.Node]:
        """Return the tables."""
        return self.parse_text_to_nodes("\n".join(_lines(prices())))


def _lines(data: Mapping[str, Any]) -> Iterator[str]:
    """Yield the tables in Markdown."""
    yield from ("| family | bits | reason |", "| --- | --- | --- |")
    for family in data["families"]:
        yield f"| {family['variant']} | {family['bits']} | {family['why']} |"
    yield f"| each other variant | {data['other_variants']['bits']} | {data['other_variants']['why']} |"
    yield from ("", "| deviation | of | bits | reason |", "| --- | --- | --- | --- |")
    for each in data["deviations"]:
        yield f"| {each['words']} | {', '.join(each.get('kinds', ['all']))} | {each['bits']} | {each['why']} |"
    others = data["other_tokenizers"]
    yield f"| on the tokens of another tokenizer | {', '.join(others['kinds'])} | {others['bits']} | {others['why']} |"
