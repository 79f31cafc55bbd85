"""Run programs that use NLTK's or sacreBLEU's BLEU with bleukit's modules in their place.

``tox -c tools/tox.ini -e frameworks`` runs this script. Each program prints the scores of generated corpora twice, in
separate processes: as it is, and with bleukit under the peers' names. The exit status is 1 if a program prints anything
else with bleukit, or cannot be imported.
"""

import json
import logging
import random
import subprocess
import sys
from argparse import Namespace

from peers import put_in_place

WORDS = "the a cat dog sat on mat all dogs bark it rains today , . ! said".split()  # noqa: SIM905


def corpora():
    """Yield token lists: hypotheses, and a reference of each."""
    for seed in range(20):
        chance = random.Random(seed)

        def text(longest, chance=chance):
            return chance.choices(WORDS, k=chance.randint(1, longest))

        references = [text(12) for _ in range(1 + seed)]
        yield [reference[: chance.randint(1, 12)] + text(3) for reference in references], references


def compare_mt(hypotheses, references):
    """Scores of corpora and sentences, and of statistics that it has cached."""
    from compare_mt.scorers import create_scorer_from_profile

    for name in ("bleu", "sentbleu", "sacrebleu"):
        scorer = create_scorer_from_profile(name)
        yield scorer.score_corpus(references, hypotheses)
        if name == "sentbleu":
            yield [scorer.score_sentence(*pair) for pair in zip(references, hypotheses, strict=True)]
        statistics = scorer.cache_stats(references, hypotheses)
        yield scorer.score_cached_corpus(range(len(hypotheses)), statistics)


def summ_eval(hypotheses, references):
    """Scores of corpora, and of sentences in several processes."""
    from summ_eval.bleu_metric import BleuMetric

    metric, hypotheses, references = BleuMetric(n_workers=2), joined(hypotheses), joined(references)
    yield metric.evaluate_batch(hypotheses, references)
    yield metric.evaluate_batch(hypotheses, references, aggregate=False)


def lm_eval(hypotheses, references):
    """The aggregation of the metric bleu."""
    from lm_eval.api.metrics import bleu

    yield bleu(list(zip(joined(references), joined(hypotheses), strict=True)))


def simuleval(hypotheses, references):
    """The quality of simultaneous translation, by some tokenizers."""
    from simuleval.evaluator.scorers.quality_scorer import SacreBLEUScorer

    pairs = zip(joined(hypotheses), joined(references), strict=True)
    instances = {number: Namespace(prediction=h, reference=r) for number, (h, r) in enumerate(pairs)}
    for tokenizer in ("13a", "char", "zh", "none"):
        yield SacreBLEUScorer(tokenizer)(instances)


PROGRAMS = (compare_mt, summ_eval, lm_eval, simuleval)


def joined(texts):
    """Return token lists as texts."""
    return [" ".join(tokens) for tokens in texts]


def main():
    """Print the scores of one program, with bleukit or not; without arguments compare all."""
    if sys.argv[1:]:
        name, where = sys.argv[1:]
        logging.disable()
        if where == "bleukit":
            put_in_place()
        (program,) = (each for each in PROGRAMS if each.__name__ == name)
        print(json.dumps([list(map(str, program(*corpus))) for corpus in corpora()]))
        return
    differ = False
    for program in PROGRAMS:
        printed = []
        for where in ("peer", "bleukit"):
            command = [sys.executable, __file__, program.__name__, where]
            printed.append(
                subprocess.run(command, stdout=subprocess.PIPE, check=True, text=True).stdout.splitlines()[-1]
            )
        same = printed[0] == printed[1]
        differ |= not same
        print(f"{program.__name__}: {'the same with bleukit' if same else f'DIFFERS: {printed}'}")
    sys.exit(differ)


if __name__ == "__main__":
    main()
