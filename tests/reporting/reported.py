"""What the tests of the page share: systems to report on."""

import random

HOSTILE = [
    "</script><script>document.title = 'broken'</script>",
    "<!-- <script> ]]> &amp; &lt;b&gt; <img src=x onerror=alert(1)>",
    "a lone \ud800 surrogate, \u202eturned around\u202c, a NUL \0, a line\u2028separator, 1\x1b[31m",
    "\"quoted\" 'names' `and` ${templates} {{braces}}",
    "",
    " ".join(["long"] * 3000),
]


def corpus(segments=60):
    """Systems and references of words in several scripts: two alike, one far away; sources and documents."""
    chance = random.Random(5)
    words = "the The cat sat, on mat. ÄRGER İstanbul 3.5 1,000 it's «so» über ΣΊΣΥΦΟΣ 東京都 10-20"
    words += " e.g. — “quoted” x² §5 &amp; $9"
    words = words.split()

    def noisy(line, noise):
        kept = [chance.choice(words) if chance.random() < noise else word for word in line]
        return " ".join(kept[: chance.randint(len(kept) - 2, len(kept))])

    lines = [[chance.choice(words) for _ in range(chance.randint(1, 14))] for _ in range(segments)]
    references = [[" ".join(line), noisy(line, 0.3)][: chance.randint(1, 2)] for line in lines]
    systems = {
        "one": [noisy(line, 0.2) for line in lines],
        "two </b>": [noisy(line, 0.3) for line in lines],
        "three": [noisy(line, 0.8) for line in lines],
    }
    for system in systems.values():
        system[: len(HOSTILE)] = HOSTILE
    references[: len(HOSTILE)] = [[text or "not empty"] for text in HOSTILE]
    source = [" ".join(line[::-1]) for line in lines]
    return systems, references, source, [f"document {segment // 5}" for segment in range(segments)]
