"""Other libraries' BLEU, asked for what a variant describes: one class a library, which imports it when it is created.

A class maps a variant to the library's parameters and reports what the library says; it computes nothing of BLEU.
"""

from bleukit.plugin import offers

bleukit_implementations = offers(
    {
        "bleukit": f"{__name__}.libraries:Bleukit",
        "nltk": f"{__name__}.libraries:Nltk",
        "sacrebleu": f"{__name__}.libraries:Sacrebleu",
        "torchmetrics": f"{__name__}.libraries:Torchmetrics",
        "bleuscore": f"{__name__}.libraries:Bleuscore",
        "fast-bleu": f"{__name__}.libraries:FastBleu",
        "ignite": f"{__name__}.libraries:Ignite",
        "keras-hub": f"{__name__}.libraries:KerasHub",
        "parlai": f"{__name__}.libraries:Parlai",
    }
)
