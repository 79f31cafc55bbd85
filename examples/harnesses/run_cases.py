"""Run exported cases against a harness, with nothing but Python: a small runner, as anybody may write one.

bleukit conform export cases
python run_cases.py cases wikipedia node harness.js
"""

import json
import math
import subprocess
import sys
from collections import Counter
from pathlib import Path

NUMBERS = {"nan": math.nan, "inf": math.inf, "-inf": -math.inf}


def tests(folder, variant):
    """Yield the document of each file, and each of its cases with the test that is about a variant."""
    for file in json.loads((folder / "index.json").read_text("utf-8"))["files"]:
        document = json.loads((folder / file).read_text("utf-8"))
        for case in document["cases"]:
            for test in case["tests"]:
                if variant in test["variants"]:
                    yield document["document"], case, test


def verdicts(asked, requests, answers):
    """Return the verdict on each case, by its name: ask a harness that reads ``requests`` and writes ``answers``."""

    def ask(**request):
        requests.write(json.dumps(request) + "\n")
        requests.flush()
        answer = json.loads(answers.readline())
        assert answer["seq"] == request["seq"], answer
        return answer

    ask(seq=1, request="hello", protocol=1)
    found = {}
    for seq, (_, case, test) in enumerate(asked, 2):
        given = {member: case[member] for member in ("segments", "counts") if member in case}
        answer = ask(seq=seq, request="case", id=case["id"], variant=test["variant"], **given)
        found[case["id"]] = verdict(test["expect"], answer)
    requests.write(json.dumps({"seq": len(found) + 2, "request": "bye"}) + "\n")
    requests.flush()
    return found


def verdict(expect, answer):
    """Compare the stages that the case states and the implementation reports."""
    if "error" in answer:
        return "differs"
    both = expect.keys() & answer.get("reported", {}).keys()
    if not both:
        return "cannot express"
    return "passed" if all(agrees(expect[stage], answer["reported"][stage]) for stage in both) else "differs"


def agrees(expected, got):
    """Compare numbers within the tolerance of the case; counts and tokens as they are."""
    if isinstance(expected, list):
        return len(expected) == len(got) and all(map(agrees, expected, got))
    if not isinstance(expected, dict):
        return expected == got
    wanted, number = (NUMBERS[x] if isinstance(x, str) else x for x in (expected["value"], got))
    both_nan = math.isnan(wanted) and math.isnan(number)
    return wanted == number or abs(wanted - number) <= expected["tolerance"] or both_nan


def main(folder, variant, *command):
    """Print the verdict on each case, and how many there are of each."""
    asked = list(tests(Path(folder), variant))
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8") as harness:
        found = verdicts(asked, harness.stdin, harness.stdout)
    for document, case, _ in asked:
        print(found[case["id"]], case["id"], document, sep="\t")
    print(*(f"{number} {verdict}" for verdict, number in Counter(found.values()).items()), sep=", ")


if __name__ == "__main__":
    main(*sys.argv[1:])
