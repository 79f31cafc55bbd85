"""The components of BLEU as Papineni et al. 2002 define them, after https://en.wikipedia.org/wiki/BLEU."""

from bleukit.plugin import offers

bleukit_tokenizers = offers(
    {
        "whitespace": f"{__name__}.tokenizers:WHITESPACE",
        "char": f"{__name__}.tokenizers:CHARACTERS",
    }
)

bleukit_ngram_counters = offers(
    {
        "clipped": f"{__name__}.counters:Clipped",
        "unclipped": f"{__name__}.counters:Unclipped",
    }
)

bleukit_reference_lengths = offers(
    {
        "closest": f"{__name__}.reference_lengths:CLOSEST",
        "shortest": f"{__name__}.reference_lengths:SHORTEST",
        "longest": f"{__name__}.reference_lengths:LONGEST",
        "average": f"{__name__}.reference_lengths:AVERAGE",
    }
)

bleukit_smoothings = offers({"none": f"{__name__}.scoring:Unsmoothed"})

bleukit_brevity_penalties = offers(
    {
        "standard": f"{__name__}.scoring:STANDARD",
        "added-lengths": f"{__name__}.scoring:AddedLengths",
        "none": f"{__name__}.scoring:NoPenalty",
    }
)
