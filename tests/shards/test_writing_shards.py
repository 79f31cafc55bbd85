"""Shards are lists of plain rows, however they are written, read and merged; what is damaged is refused."""

import contextlib
import json
import tempfile
from functools import partial
from pathlib import Path

import pytest
from hypothesis import Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, initialize, rule, run_state_machine_as_test
from plain_text import plain_documents, plain_row, plain_score, plain_sum, require_rows, require_scores, usable_variants
from strategies import corpora, texts

import bleukit
from bleukit.shards import contents
from bleukit.shards.shard import Shard

VARIANTS = usable_variants()
DAMAGES = [
    lambda content, place: content[:place],
    lambda content, place: content[:place] + bytes([content[place] ^ 1]) + content[place + 1 :],
    lambda content, place: content[:place] + content[place + 1 :],
    lambda content, place: content + content[place:],
]


class WritingShards(RuleBasedStateMachine):
    """Parts of a text, each of two systems, are kept, merged and scored."""

    shards, files = Bundle("shards"), Bundle("files")

    def __init__(self, level):
        super().__init__()
        self.level = level

    @initialize(name=st.sampled_from(sorted(VARIANTS)))
    def begin(self, name):
        self.bleu, self.number = VARIANTS[name], 0
        self.folder = Path(tempfile.mkdtemp())
        self.patched = pytest.MonkeyPatch()
        self.patched.setattr(contents, "ROWS", 2)

    def teardown(self):
        if hasattr(self, "patched"):
            self.patched.undo()
            for path in self.folder.iterdir():
                path.unlink()
            self.folder.rmdir()

    def units(self, rows, names):
        if self.level == "document":
            return plain_documents(rows, names)[1]
        return rows if self.level == "sentence" else [plain_sum(rows)]

    @rule(target=shards, corpus=corpora(texts), data=st.data())
    def count(self, corpus, data):
        number = st.lists(st.sampled_from(["x", "ü", "z,\n"]), min_size=len(corpus), max_size=len(corpus))
        names, by_system, wanted = data.draw(number), {}, {}
        others = [references[0] for _, references in corpus]
        for system, own in {"a": [hypothesis for hypothesis, _ in corpus], "ü #": others}.items():
            rows = self.bleu.statistics(own, [references for _, references in corpus], references_by="segment")
            by_system[system] = rows.by_document(names) if self.level == "document" else rows
            wanted[system] = [
                plain_row(self.bleu, text, references) for text, (_, references) in zip(own, corpus, strict=True)
            ]
        self.number += 1
        return self.checked(Shard.of(self.bleu, by_system, level=self.level), wanted, names, frozenset([self.number]))

    @rule(target=files, one=shards)
    def write(self, one):
        self.number += 1
        path = self.folder / f"{self.number}.jsonl"
        one[0].write(path)
        assert Shard.read(path) == one[0]
        return path, one

    @rule(target=shards, file=files)
    def read(self, file):
        path, (_, *wanted) = file
        return self.checked(Shard.read(path), *wanted)

    @rule(target=shards, one=shards, other=shards)
    def merge(self, one, other):
        both = [one[0], other[0]]
        if one[3] & other[3]:
            with pytest.raises(bleukit.InputError, match="shard 2: holds what shard 1 holds, too"):
                Shard.merged(both)
        merged = Shard.merged(both, equal_parts=True)
        rows = {system: one[1][system] + other[1][system] for system in one[1]}
        return self.checked(merged, rows, one[2] + other[2], one[3] | other[3])

    def checked(self, shard, wanted, names, parts):
        """Return what it is given, after the statistics and scores of the shard are compared with the plain ones."""
        assert list(shard.statistics) == ["a", "ü #"]
        bleu = shard.load()
        assert bleu.signature == self.bleu.signature
        for system, rows in wanted.items():
            units, found = self.units(rows, names), shard.statistics[system]
            require_rows(found, units)
            if self.level == "document":
                assert list(found.keys()) == plain_documents(rows, names)[0]
            with contextlib.suppress(bleukit.InputError):  # of a smoothing that refuses a segment
                scores = [score.value for score in bleu.scores(found, level=self.level)]
                require_scores(bleu, scores, [plain_score(bleu, row, self.level) for row in units])
        with pytest.raises(bleukit.InputError, match="the shard holds 2 systems: a, ü #"):
            shard.score()
        return shard, wanted, names, parts

    @rule(file=files, damage=st.sampled_from(DAMAGES), where=st.floats(0, 1, exclude_max=True))
    def damage(self, file, damage, where):
        path, (shard, *_) = file
        content = path.read_bytes()
        path.write_bytes(damage(content, int(where * len(content))))
        try:
            assert Shard.read(path) == shard
            assert path.read_bytes() == content
        except bleukit.InputError as error:
            assert str(error).startswith(f"{path}: ")  # noqa: PT017 - either may be
        path.write_bytes(content)

    @rule(file=files, data=st.data())
    def change_a_number(self, file, data):
        """Change any one value of a row."""
        path = file[0]
        head, *rows = path.read_text("utf-8").splitlines()
        number = data.draw(st.integers(0, len(rows) - 1))
        row = json.loads(rows[number])
        name = data.draw(st.sampled_from(sorted(row)))
        row[name] = another(row[name])
        rows[number] = json.dumps(row)
        changed = path.with_name("changed.jsonl")
        changed.write_text("\n".join([head, *rows, ""]), "utf-8")
        with pytest.raises(bleukit.InputError, match=r"changed.jsonl: is damaged"):
            Shard.read(changed)

    @rule(one=shards, name=st.sampled_from(sorted(VARIANTS)), level=st.sampled_from(["corpus", "document", "sentence"]))
    def refuse_what_was_counted_otherwise(self, one, name, level):
        bleu = VARIANTS[name]
        rows = bleu.statistics(["a"], ["a"])
        rows = rows.by_document(["x"]) if level == "document" else rows
        other = Shard.of(bleu, {"a": rows, "ü #": rows}, level=level)
        if (bleu.signature, level) != (self.bleu.signature, self.level):
            with pytest.raises(bleukit.InputError, match="shard 2: was not counted as shard 1 was"):
                Shard.merged([one[0], other])
        rows = self.bleu.statistics(["a"], ["a"])
        rows = rows.by_document(["x"]) if self.level == "document" else rows
        for systems, problem in (
            (["ü #", "a"], "its system 1 is 'ü #', not 'a'"),
            (["a"], "it holds 1 system, not 2"),
            (["a", "ü #", "c"], "it holds 3 systems, not 2"),
        ):
            with pytest.raises(bleukit.InputError, match=rf"shard 2: was not counted as shard 1 was: {problem}"):
                Shard.merged([one[0], Shard.of(self.bleu, dict.fromkeys(systems, rows), level=self.level)])


def another(value):
    """Return another value like one of a column."""
    if isinstance(value, list):
        return [another(value[0]), *value[1:]]
    return f"{value}x" if isinstance(value, str) else value + 1


@pytest.mark.parametrize("level", ["corpus", "document", "sentence"])
def test_writing_shards(level):
    quick = settings(max_examples=9, stateful_step_count=12, phases=[Phase.generate])  # shrinking takes minutes
    run_state_machine_as_test(partial(WritingShards, level), settings=quick)
