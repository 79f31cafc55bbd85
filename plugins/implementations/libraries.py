"""The adapters: one class a library."""

from __future__ import annotations

import math
from functools import partial
from itertools import zip_longest
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

import bleukit
from bleukit.plugin import DESCRIPTIVE_KEYS, CannotExpressError, Component, Counts, Reported, Text, Variant

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence

    from bleukit import Score

Made = TypeVar("Made")

_PLAIN = "wikipedia"
"""The variant of the plain definition: what a library that says BLEU is asked for without any parameter."""

_WHITESPACE = ("whitespace", "none")
"""The tokenizers that split at white space and do nothing else."""

_NAMES = ("13a", "zh", "intl", "char", "ja-mecab", "ko-mecab", "flores101", "flores200")

_SACREBLEU_TOKENIZERS = {**dict.fromkeys(_WHITESPACE, "none"), **dict(zip(_NAMES, _NAMES, strict=True))}
"""Tokenizers by the names that sacreBLEU, and libraries after it, give them."""

_ELSEWHERE = ("tokenizer", "weights", "normalize_weights", "scale", "sentence", "plugins", *DESCRIPTIVE_KEYS)
"""Keys that matter by way of the tokens or the weights, which adapters look at, or not at all."""


def require_expressible(variant: Variant, base: str = _PLAIN, /, **accepted: Collection[str | bool | float]) -> None:
    """Refuse a variant with a key that has neither the value of ``base`` nor one that the library accepts.

    ``base`` is the variant of a library without any parameter, by default the plain definition.
    """
    for key, plain in bleukit.load(base).variant.fields().items():
        value = getattr(variant, key)
        name = value.name if isinstance(value, Component) else value
        if key not in _ELSEWHERE and value != plain and name not in accepted.get(key, ()):
            raise CannotExpressError(f"{key}: {name}")


def _order_of_equal_weights(variant: Variant) -> int:
    """Return the highest order, for libraries that weigh all orders alike."""
    weights = variant.weights_used
    if not all(math.isclose(weight, 1 / len(weights)) for weight in weights):
        raise CannotExpressError("weights: unequal ones")
    return len(weights)


def _refuse_options(smoothing: Component, *accepted: Mapping[str, object]) -> None:
    """Refuse a smoothing with options other than these, for libraries that have no parameter for them."""
    if smoothing.options not in ({}, *accepted):
        raise CannotExpressError("smoothing: options")


def _tokens_of(variant: Variant, text: Text) -> list[str]:
    """Return tokens, for libraries that leave tokenizing to others."""
    if not isinstance(text, str):
        return list(text)
    _require_white_space(variant)
    return text.split()


def _both_sides(
    made: Callable[[Text], Made], hypotheses: Sequence[Text], references: Sequence[Sequence[Text]]
) -> tuple[list[Made], list[list[Made]]]:
    """Return what is made of each hypothesis, and of its references."""
    return list(map(made, hypotheses)), [list(map(made, group)) for group in references]


def _sacrebleu_tokenizer(variant: Variant, hypotheses: Sequence[Text]) -> str:
    """Return sacreBLEU's name of the tokenizer that segments need, given as text or as tokens."""
    if not all(isinstance(hypothesis, str) for hypothesis in hypotheses):
        return "none"
    if variant.tokenizer.name not in _SACREBLEU_TOKENIZERS or variant.tokenizer.options:
        raise CannotExpressError(f"tokenizer: {variant.tokenizer.name}")
    return _SACREBLEU_TOKENIZERS[variant.tokenizer.name]


def spaced(tokens: Sequence[str]) -> str:
    """Return tokens as text, for libraries that split at white space."""
    text = " ".join(tokens)
    if text.split() != list(tokens):
        raise CannotExpressError("tokens: one is empty or holds white space")
    return text


def _require_white_space(variant: Variant) -> None:
    """Refuse a variant that splits texts elsewhere than at white space, for code that does so."""
    if variant.tokenizer.name not in _WHITESPACE:
        raise CannotExpressError(f"tokenizer: {variant.tokenizer.name}")


def _lines(*lines: str) -> str:
    return "\n".join(lines) + "\n"


def _arguments(options: Mapping[str, Any]) -> str:
    """Return options as they are written in a call."""
    return ", ".join(f"{name}={value!r}" for name, value in options.items())


def _scaled(variant: Variant, scale: int) -> str:
    """Return what a score on the library's scale is multiplied by."""
    return {1: "", 100: "100 * "}.get(variant.scale // scale, "0.01 * ")


def _as_spaced_text(segment: Text) -> str:
    """Return a segment as text, for libraries that split at white space."""
    return segment if isinstance(segment, str) else spaced(segment)


class Bleukit:
    """bleukit itself, as if it were another library: takes every variant, and counts in place of segments."""

    distributions: ClassVar[tuple[str, ...]] = ("bleukit",)

    def __call__(self, variant: Variant, hypotheses: Sequence[Text], references: Sequence[Sequence[Text]]) -> Reported:
        bleu = bleukit.load(variant)
        (first, *others) = hypotheses
        tokens = bleu.tokenize(first) if isinstance(first, str) and not others else None
        return _reported(bleu.corpus(hypotheses, references), variant, tokens)

    def from_counts(self, variant: Variant, counts: Counts) -> Reported:
        sums = bleukit.Statistics.of_segments(
            len(counts.matches),
            hypothesis_length=[counts.hypothesis_length],
            reference_length=[counts.reference_length],
            reference_tokens=[int(counts.reference_length)],
            references=[1],
            matches=counts.matches,
            totals=counts.totals,
        )
        return _reported(bleukit.load(variant).score(sums), variant)


def _reported(score: Score, variant: Variant, tokens: Sequence[str] | None = None) -> Reported:
    return Reported(
        tokens=tokens,
        matches=score.matches,
        totals=score.totals,
        precisions=score.precisions,
        hypothesis_length=score.hypothesis_length,
        reference_length=score.reference_length,
        brevity_penalty=score.brevity_penalty,
        score=score.value / variant.scale,
    )


class Nltk:
    """NLTK's ``corpus_bleu``, and what its public functions say of a single segment.

    It takes tokens and any weights. Without smoothing it uses its ``method0``: there is nothing less.
    """

    methods: ClassVar[dict[str, str]] = {f"nltk-method{number}": f"method{number}" for number in range(8)}

    distributions: ClassVar[tuple[str, ...]] = ("nltk",)

    def __init__(self) -> None:
        from nltk.translate import bleu_score

        self._bleu_score = bleu_score

    def __call__(self, variant: Variant, hypotheses: Sequence[Text], references: Sequence[Sequence[Text]]) -> Reported:
        require_expressible(variant, counter=["nltk"], smoothing=self.methods)
        tokens, groups = _both_sides(partial(_tokens_of, variant), hypotheses, references)
        weights = variant.weights_used
        score = self._bleu_score.corpus_bleu(groups, tokens, weights, self._smoothing(variant))
        if len(tokens) > 1:
            return Reported(score=score)
        (hypothesis,), (group,) = tokens, groups
        precisions = [
            self._bleu_score.modified_precision(group, hypothesis, order) for order in range(1, len(weights) + 1)
        ]
        reference_length = self._bleu_score.closest_ref_length(group, len(hypothesis))
        return Reported(
            matches=[precision.numerator for precision in precisions],
            totals=[precision.denominator for precision in precisions],
            reference_length=reference_length,
            brevity_penalty=self._bleu_score.brevity_penalty(reference_length, len(hypothesis)),
            score=score,
        )

    def _smoothing(self, variant: Variant) -> Any:
        method = self.methods.get(variant.smoothing.name)
        return method and getattr(self._bleu_score.SmoothingFunction(**variant.smoothing.options), method)

    @classmethod
    def code(cls, variant: Variant) -> str:
        """Return code that computes a variant."""
        require_expressible(variant, "nltk", smoothing=cls.methods)
        _require_white_space(variant)
        method, options = cls.methods.get(variant.smoothing.name), _arguments(variant.smoothing.options)
        smoothing = f", SmoothingFunction({options}).{method}" if method not in {None, "method0"} else ""
        return _lines(
            f"from nltk.translate.bleu_score import {'SmoothingFunction, ' if smoothing else ''}corpus_bleu",
            "",
            "groups = [[reference.split() for reference in group] for group in references]",
            "tokens = [hypothesis.split() for hypothesis in hypotheses]",
            f"score = {_scaled(variant, 1)}corpus_bleu(groups, tokens, {variant.weights_used!r}{smoothing})",
        )


class Sacrebleu:
    """``sacrebleu.metrics.BLEU``, which weighs all orders alike, and takes counts in place of segments, too."""

    distributions: ClassVar[tuple[str, ...]] = ("sacrebleu",)

    def __init__(self) -> None:
        from sacrebleu.metrics import BLEU

        self._metric = BLEU

    def __call__(self, variant: Variant, hypotheses: Sequence[Text], references: Sequence[Sequence[Text]]) -> Reported:
        options = self._options(variant)
        tokenizer = _sacrebleu_tokenizer(variant, hypotheses)
        metric = self._metric(**options, tokenize=tokenizer, lowercase=variant.lowercase, force=True)
        texts, groups = _both_sides(_as_spaced_text, hypotheses, references)
        score = metric.corpus_score(texts, [list(stream) for stream in zip_longest(*groups)])
        tokens = metric.tokenizer(texts[0].rstrip()).split() if len(texts) == 1 and not variant.lowercase else None
        return _reported_by_sacrebleu(score, tokens)

    def from_counts(self, variant: Variant, counts: Counts) -> Reported:
        score = self._metric.compute_bleu(
            [*counts.matches],  # smoothing writes into its lists
            [*counts.totals],
            counts.hypothesis_length,
            counts.reference_length,
            **self._options(variant),
        )
        return _reported_by_sacrebleu(score)

    @classmethod
    def code(cls, variant: Variant) -> str:
        """Return code that computes a variant."""
        options = {
            **cls._options(variant),
            "tokenize": _sacrebleu_tokenizer(variant, ()),
            "lowercase": variant.lowercase,
        }
        defaults = {
            "max_ngram_order": 4,
            "effective_order": False,
            "smooth_method": "exp",
            "smooth_value": None,
            "tokenize": "13a",
            "lowercase": False,
        }
        chosen = {name: value for name, value in options.items() if value != defaults[name]}
        return _lines(
            "from itertools import zip_longest",
            "",
            "from sacrebleu.metrics import BLEU",
            "",
            "streams = [list(stream) for stream in zip_longest(*references)]  # the first references, the second, ...",
            f"score = {_scaled(variant, 100)}BLEU({_arguments(chosen)}).corpus_score(hypotheses, streams).score",
        )

    @staticmethod
    def _options(variant: Variant) -> dict[str, Any]:
        """Return the parameters that it takes for counts, too. Raises CannotExpressError if there are none."""
        require_expressible(variant, smoothing=("exp", "floor", "add-k"), lowercase=[True], effective_order=[True])
        smoothing = variant.smoothing
        return {
            "max_ngram_order": _order_of_equal_weights(variant),
            "effective_order": variant.effective_order,
            "smooth_method": smoothing.name,
            "smooth_value": next(iter(smoothing.options.values()), None),  # floor's value, add-k's k
        }


def _reported_by_sacrebleu(score: Any, tokens: Sequence[str] | None = None) -> Reported:
    return Reported(
        tokens=tokens,
        matches=score.counts,
        totals=score.totals,
        precisions=[precision / 100 for precision in score.precisions],
        hypothesis_length=score.sys_len,
        reference_length=score.ref_len,
        brevity_penalty=score.bp,
        score=score.score / 100,
    )


class Torchmetrics:
    """TorchMetrics' ``SacreBLEUScore``, which takes any weights.

    It computes in double precision here; single, its default, agrees to about six digits. Its ``smooth`` is one match
    and one n-gram more from order 2 on, as ``smoothings`` do it. The smoothing "torchmetrics" is what it does itself,
    with ``smooth`` as an option.
    """

    smoothings: ClassVar[tuple[str, ...]] = ("add-k", "nltk-method2")

    distributions: ClassVar[tuple[str, ...]] = ("torchmetrics", "torch")

    def __init__(self) -> None:
        import torch
        from torchmetrics.text import SacreBLEUScore

        self._double = torch.float64
        self._metric = SacreBLEUScore

    def __call__(self, variant: Variant, hypotheses: Sequence[Text], references: Sequence[Sequence[Text]]) -> Reported:
        metric = self._metric(**self._options(variant, hypotheses)).set_dtype(self._double)
        metric.update(*_both_sides(_as_spaced_text, hypotheses, references))
        state = metric.metric_state
        return Reported(
            matches=state["numerator"].tolist(),
            totals=state["denominator"].tolist(),
            hypothesis_length=state["preds_len"].item(),
            reference_length=state["target_len"].item(),
            score=metric.compute().item(),
        )

    @classmethod
    def code(cls, variant: Variant) -> str:
        """Return code that computes a variant."""
        require_expressible(variant, "torchmetrics", smoothing=["torchmetrics"])
        return _lines(
            "import torch",
            "from torchmetrics.text import SacreBLEUScore",
            "",
            f"metric = SacreBLEUScore({_arguments(cls._options(variant, ()))}).set_dtype(torch.float64)",
            f"score = {_scaled(variant, 1)}metric(hypotheses, references).item()",
        )

    @classmethod
    def _options(cls, variant: Variant, hypotheses: Sequence[Text]) -> dict[str, Any]:
        """Return its parameters. Raises CannotExpressError if there are none."""
        accepted = [*cls.smoothings, "torchmetrics"]
        require_expressible(variant, smoothing=accepted, reference_length=["first-closest"], lowercase=[True])
        smoothing = variant.smoothing
        if smoothing.name != "torchmetrics":
            _refuse_options(smoothing)
        weights = variant.weights_used
        return {
            "n_gram": len(weights),
            "weights": weights,
            "smooth": smoothing.name in cls.smoothings or bool(smoothing.options.get("smooth")),
            "tokenize": _sacrebleu_tokenizer(variant, hypotheses),
            "lowercase": bool(variant.lowercase),
        }


class Bleuscore:
    """bleuscore's ``compute``, after the BLEU of Hugging Face's evaluate, in Rust.

    It tokenizes all that it is given, and weighs all orders alike. Its ``smooth`` adds 1 at order 1 too: no variant's.
    Its default reference length is the shortest, so it is always passed explicitly.
    """

    distributions: ClassVar[tuple[str, ...]] = ("bleuscore",)

    def __init__(self) -> None:
        import bleuscore

        self._bleuscore = bleuscore

    def __call__(self, variant: Variant, hypotheses: Sequence[Text], references: Sequence[Sequence[Text]]) -> Reported:
        require_expressible(variant, reference_length=["shortest"])
        texts, groups = _both_sides(partial(self._text, variant), hypotheses, references)
        said = self._bleuscore.compute(
            groups,
            texts,
            max_order=_order_of_equal_weights(variant),
            ref_len_method=variant.reference_length.name,
        )
        return Reported(
            tokens=self._bleuscore.tokenizer_13a(texts[0]) if len(texts) == 1 else None,
            precisions=said["precisions"],
            hypothesis_length=said["translation_length"],
            reference_length=said["reference_length"],
            brevity_penalty=said["brevity_penalty"],
            score=said["bleu"],
        )

    def _text(self, variant: Variant, segment: Text) -> str:
        """Return a text of which its tokenizer makes the tokens that the variant asks for."""
        # its tokenizer is that of evaluate, and 13a for texts that do not end in a hyphen and a line feed
        if isinstance(segment, str) and variant.tokenizer.name in {"evaluate", "13a"}:
            return segment
        tokens = _tokens_of(variant, segment)
        text = spaced(tokens)
        if self._bleuscore.tokenizer_13a(text) != tokens:
            raise CannotExpressError("tokens: its tokenizer, evaluate, makes others of them")
        return text


class FastBleu:
    """fast-bleu's ``BLEU``, NLTK's in C++, which scores hypotheses one by one against the same references.

    It takes tokens of one segment. Which weights it takes is left to its own check.
    """

    methods: ClassVar[dict[str, int]] = {"none": 0, "nltk-method0": 0, "nltk-method1": 1}

    distributions: ClassVar[tuple[str, ...]] = ("fast-bleu",)

    def __init__(self) -> None:
        from fast_bleu import BLEU

        self._bleu = BLEU

    def __call__(self, variant: Variant, hypotheses: Sequence[Text], references: Sequence[Sequence[Text]]) -> Reported:
        require_expressible(variant, counter=["nltk"], smoothing=self.methods)
        _refuse_options(variant.smoothing)
        if len(hypotheses) > 1:
            raise CannotExpressError("input: several segments")
        (hypothesis,), (group,) = _both_sides(partial(_tokens_of, variant), hypotheses, references)
        weights = {"all": variant.weights_used}
        try:
            bleu = self._bleu(group, weights, smoothing_func=self.methods[variant.smoothing.name])
        except AssertionError as error:  # it wants two or more, one in sum
            raise CannotExpressError("weights: its own check refuses them") from error
        (score,) = bleu.get_score([hypothesis])["all"]
        return Reported(score=score)


class Ignite:
    """``Bleu`` of PyTorch Ignite, ``ignite.metrics.nlp``, which takes tokens and weighs all orders alike.

    It computes in double precision here; single, the default of PyTorch, agrees to about seven digits.
    """

    smoothings: ClassVar[dict[str, str]] = {
        "none": "no_smooth",
        "torchmetrics": "no_smooth",  # without its option ``smooth``
        "ignite-smooth1": "smooth1",
        "ignite-nltk_smooth2": "nltk_smooth2",
        "add-k": "smooth2",
    }

    distributions: ClassVar[tuple[str, ...]] = ("pytorch-ignite", "torch")

    def __init__(self) -> None:
        import torch
        from ignite.metrics import Bleu

        self._torch = torch
        self._metric = Bleu

    def __call__(self, variant: Variant, hypotheses: Sequence[Text], references: Sequence[Sequence[Text]]) -> Reported:
        options = self._options(variant)
        tokens, groups = _both_sides(partial(_tokens_of, variant), hypotheses, references)
        single = self._torch.get_default_dtype()
        self._torch.set_default_dtype(self._torch.float64)
        try:
            metric = self._metric(**options)
            metric.update((tokens, groups))
            return Reported(score=float(metric.compute()))
        finally:
            self._torch.set_default_dtype(single)

    @classmethod
    def code(cls, variant: Variant) -> str:
        """Return code that computes a variant."""
        require_expressible(
            variant, "ignite-no_smooth-micro", smoothing={*cls.smoothings} - {"none"}, average=["macro"]
        )
        options = cls._options(variant)
        _require_white_space(variant)
        return _lines(
            "import torch",
            "from ignite.metrics import Bleu",
            "",
            "torch.set_default_dtype(torch.float64)",
            f"metric = Bleu({_arguments(options)})",
            "groups = [[reference.split() for reference in group] for group in references]",
            "metric.update(([hypothesis.split() for hypothesis in hypotheses], groups))",
            f"score = {_scaled(variant, 1)}float(metric.compute())",
        )

    @classmethod
    def _options(cls, variant: Variant) -> dict[str, Any]:
        """Return its parameters. Raises CannotExpressError if there are none."""
        require_expressible(variant, smoothing=cls.smoothings, average=["macro"])
        _refuse_options(variant.smoothing, {"k": 1}, {"smooth": False})
        order, smooth = _order_of_equal_weights(variant), cls.smoothings[variant.smoothing.name]
        return {"ngram": order, "smooth": smooth, "average": variant.average}


class KerasHub:
    """``Bleu`` of Keras Hub, which weighs all orders alike and needs TensorFlow.

    It computes in double precision here; single, its default, agrees to about seven digits.
    """

    distributions: ClassVar[tuple[str, ...]] = ("keras-hub", "tensorflow")

    def __init__(self) -> None:
        import tensorflow as tf
        from keras_hub.metrics import Bleu

        self._tensorflow = tf
        self._metric = Bleu

    def __call__(self, variant: Variant, hypotheses: Sequence[Text], references: Sequence[Sequence[Text]]) -> Reported:
        nothing = [variant.empty_score]  # NaN, which equals nothing, is what it gives
        require_expressible(variant, "keras-hub", smoothing=["add-one"], empty_score=nothing)
        _refuse_options(variant.smoothing)
        are_texts = all(isinstance(hypothesis, str) for hypothesis in hypotheses)
        is_its_own = are_texts and variant.tokenizer.name == "keras-hub"
        metric = self._metric(
            tokenizer=None if is_its_own else self._tensorflow.strings.split,
            max_order=_order_of_equal_weights(variant),
            smooth=variant.smoothing.name == "add-one",
            dtype="float64",
        )
        texts, *groups = (
            [segment if is_its_own else spaced(_tokens_of(variant, segment)) for segment in segments]
            for segments in (hypotheses, *references)
        )
        metric.update_state(self._tensorflow.ragged.constant(groups), self._tensorflow.constant(texts))
        said = {variable.name: variable.numpy().tolist() for variable in metric.variables}
        return Reported(
            matches=said["bleu_matches"],
            totals=said["bleu_possible_matches"],
            hypothesis_length=said["bleu_translation_length"],
            reference_length=said["bleu_reference_length"],
            score=said["bleu"],
        )


class Parlai:
    """``BleuMetric`` of ParlAI, which scores texts one by one, with a parameter for the highest order alone.

    It gives the mean, to which its metrics add up.
    """

    distributions: ClassVar[tuple[str, ...]] = ("parlai", "nltk")

    def __init__(self) -> None:
        from parlai.core.metrics import BleuMetric

        self._compute = BleuMetric.compute

    def __call__(self, variant: Variant, hypotheses: Sequence[Text], references: Sequence[Sequence[Text]]) -> Reported:
        require_expressible(variant, "parlai-bleu-4")
        order = _order_of_equal_weights(variant)
        if variant.tokenizer.name != "parlai" or not all(isinstance(hypothesis, str) for hypothesis in hypotheses):
            raise CannotExpressError("tokenizer: it is given texts, and has one of its own")
        total, *others = (self._compute(*texts, order) for texts in zip(hypotheses, references, strict=True))
        for other in others:
            total += other
        return Reported(score=total.value())
