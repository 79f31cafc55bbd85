"""Implementations that are processes: whatever they do is reported, and disturbs nobody else."""

import io
import json
import re
import shlex
import sys
from pathlib import Path

import pytest
from bleukit.conformance.implementations import asking, harness, protocol, questions, serving
from bleukit.conformance.judging import cases
from bleukit.conformance.running import processes
from jsonschema import Draft202012Validator

import bleukit

HARNESS = """
import json, sys, time
answer = lambda **keys: print(json.dumps(keys), flush=True)
for line in sys.stdin:
    request = json.loads(line)
    seq, name = request["seq"], request.get("id", request["request"])
    if name == "hello": {hello}
    elif name == "X2": {second}
    elif name == "bye": {bye}
    else: answer(seq=seq, reported={{"score": 1}})
"""

HELLO = 'answer(seq=seq, protocol=1, implementation="made up", version="7", language="Python")'

DOCUMENTS = [
    cases.CaseDocument(
        "own",
        "own",
        [
            cases.Case(
                id=f"X{number}",
                says="x",
                hypothesis=["a"],
                references=[["a"]],
                set={"weights": [1]},
                expect=cases.Expected(score=1),
            )
            for number in range(1, 6)
        ],
    )
]


def command(second="answer(seq=seq, reported={'score': 1})", hello=HELLO, bye="break"):
    """Return the command of a harness that does something when it is asked the second case, or introduces itself."""
    return [sys.executable, "-I", "-S", "-c", HARNESS.format(second=second, hello=hello, bye=bye)]


def run_beside_bleukit(*commands, seconds=5):
    """Return how the first command fared, and its answers by case; bleukit's own must all be right."""
    comparison = asking.ask_implementations(DOCUMENTS, ["bleukit"], [], commands, seconds)
    assert {a.verdict for a in comparison.answers if a.implementation == "bleukit"} == {"passed"}
    course = comparison.processes[0]
    return course, {a.case: a for a in comparison.answers if a.implementation == course.implementation}


def test_a_harness_that_answers_passes():
    course, answers = run_beside_bleukit(command())
    assert {answer.verdict for answer in answers.values()} == {"passed"}
    assert (course.implementation, course.version, course.language) == ("made up", "7", "Python")
    assert (course.answered, course.problems, course.standard_error) == (5, [], "")


@pytest.mark.parametrize(
    ("second", "verdict", "shown"),
    [
        ("answer(seq=seq, cannot='counter: none')", "cannot express", "counter: none"),
        ("answer(seq=seq, error='Panic: no way')", "differs", "Panic: no way"),
        ("answer(seq=seq, reported={'score': 'nan'})", "differs", "nan"),
        ("answer(seq=seq, error=chr(27) + '[31mred' + chr(10) + chr(0))", "differs", "'[31mred'"),
        ("answer(seq=seq, reported={'score': 10 ** 400})", "no answer", "reported.score: expected"),
        ("answer(seq=seq, reported={'score': None})", "no answer", "reported.score: expected"),
        ("answer(seq=seq, reported={'scores': 1})", "no answer", "unknown field `scores`"),
        ("answer(seq=seq)", "no answer", "expected one of reported, cannot and error"),
    ],
)
def test_an_answer_that_is_no_score_concerns_its_case_alone(second, verdict, shown):
    course, answers = run_beside_bleukit(command(second))
    assert course.problems == []
    assert [answer.verdict for answer in answers.values()] == ["passed", verdict, "passed", "passed", "passed"]
    assert shown in str(answers["X2"])


@pytest.mark.parametrize(
    ("second", "problem"),
    [
        ("sys.exit(3)", "it ends the process, with status 3"),
        ("sys.exit()", "it ends the process, with status 0"),
        ("import os; os.kill(os.getpid(), 9)", "it ends the process, by SIGKILL"),
        ("time.sleep(9)", "it gives no answer within 0.3 seconds"),
        ("import os; os.close(1); time.sleep(9)", "it closes standard output"),
        ("answer(seq=9, reported={'score': 1})", "it answers request 9, asked for 3"),
        ("answer(seq=2, reported={'score': 1})", "it answers request 2 again, asked for 3"),
        ("print('Loading…', flush=True)", "it prints 'Loading…', which is no answer"),
        ("print(flush=True)", "it prints '', which is no answer"),
        ("print('[' * 100000, flush=True)", f"it prints '{'[' * 60}'…, which is no answer"),
        ("sys.stdout.buffer.write(bytes([0xff, 10])); sys.stdout.flush()", "it prints '\ufffd', which is no answer"),
        ("answer(seq=seq, reported={'score': float('nan')})", "which is no answer"),
    ],
)
def test_a_harness_that_breaks_down_is_started_again_for_the_next_case(second, problem):
    course, answers = run_beside_bleukit(command(second), seconds=0.3 if "sleep" in second else 5)
    assert [answer.verdict for answer in answers.values()] == ["passed", "no answer", "passed", "passed", "passed"]
    assert problem in answers["X2"].no_answer
    assert course.problems == [f"X2: {answers['X2'].no_answer}"]


def test_a_hundred_megabytes_are_not_kept():
    _, answers = run_beside_bleukit(command("[print('x' * 1000000, end='') for _ in range(100)]"))
    assert "it prints more than 16 MiB on one line" in answers["X2"].no_answer
    assert answers["X3"].verdict == "passed"


def test_standard_error_is_kept_as_far_as_it_matters():
    course, _ = run_beside_bleukit(command("[sys.stderr.write('x' * 1000000) for _ in range(10)]; sys.exit('the end')"))
    assert course.standard_error.endswith("xxxthe end\n")
    assert len(course.standard_error) == processes.KEPT


def test_two_answers_to_one_request_are_noticed_at_the_next_one():
    course, answers = run_beside_bleukit(command("answer(seq=seq, error='1'); answer(seq=seq, error='2')"))
    assert course.problems == ["X3: it answers request 3 again, asked for 4"]
    assert [answer.verdict for answer in answers.values()] == ["passed", "differs", "no answer", "passed", "passed"]


def test_a_harness_that_breaks_down_again_and_again_is_given_up():
    course, answers = run_beside_bleukit(command(hello=HELLO + "; sys.exit(4)"))
    assert course.problems == [f"X{n}: it ends the process, with status 4" for n in (1, 2, 3)]
    assert answers["X5"].no_answer == "it is not asked any more: X3: it ends the process, with status 4"


@pytest.mark.parametrize(
    ("hello", "problem"),
    [
        ("sys.exit('no library')", "hello: it ends the process, with status 1"),
        ("time.sleep(9)", "hello: it gives no answer within 0.3 seconds"),
        ("answer(seq=seq, protocol=2, implementation='x')", "it speaks version 2 of the protocol, not 1"),
        ("answer(seq=seq, protocol=1)", "hello: its answer is none: object missing required field `implementation`"),
    ],
)
def test_a_harness_that_does_not_introduce_itself_is_asked_nothing(hello, problem, monkeypatch):
    monkeypatch.setattr(harness, "STARTING", 0.3)
    started = command(hello=hello)
    course, answers = run_beside_bleukit(started)
    assert (course.implementation, course.problems) == (shlex.join(started), [problem])
    assert {answer.no_answer for answer in answers.values()} == {f"it is not asked any more: {problem}"}


def test_a_command_that_is_not_there_is_a_row_of_the_report():
    course, answers = run_beside_bleukit(["/nowhere/to be found"])
    assert course.problems == ["it cannot be started: No such file or directory"]
    assert len(answers) == 5


@pytest.mark.parametrize(
    ("bye", "problem"),
    [
        ("time.sleep(9)", "it does not end within 0.5 seconds"),
        ("sys.exit(5)", "it ends the process, with status 5"),
        ("answer(seq=seq)", """it prints '{"seq": 7}'"""),
        ("pass", None),  # it ends because there are no more requests
    ],
)
def test_how_a_harness_ends_is_reported(bye, problem):
    course, answers = run_beside_bleukit(command(bye=bye), seconds=0.5)
    assert course.problems == ([f"after the last case, {problem}"] if problem else [])
    assert {answer.verdict for answer in answers.values()} == {"passed"}


def test_harnesses_run_side_by_side_under_names_of_their_own():
    comparison = asking.ask_implementations(DOCUMENTS, [], [], [command(), command("sys.exit(3)")], 5)
    assert [course.implementation for course in comparison.processes] == ["made up", "made up (2)"]
    assert [a.implementation for a in comparison.answers if a.verdict != "passed"] == ["made up (2)"]


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs the files of processes in /proc")
def test_what_a_process_starts_ends_with_it(tmp_path):
    sleeper = f"__import__('subprocess').Popen(['sleep', '60'], stdout=open({str(tmp_path / 'out')!r}, 'w'))"
    second = f"p = {sleeper}; open({str(tmp_path / 'pid')!r}, 'w').write(str(p.pid)); time.sleep(9)"
    run_beside_bleukit(command(second), seconds=0.5)
    state = Path("/proc", (tmp_path / "pid").read_text(), "stat")
    assert not state.exists() or state.read_text().split()[2] == "Z"


def test_messages_keep_to_their_schemas():
    """A tokenizer and text, counts, a smoothing with options, nan; and what bleukit answers."""
    schemas = {name: Draft202012Validator(schema) for name, schema in protocol.schemas().items()}
    documents = [
        cases.load_document(cases.FOLDER / f"{name}.yaml") for name in ("differences", "lecture-note", "sacrebleu")
    ]
    asked, _ = questions.ask_about(documents, ["wikipedia"])
    requests = [protocol.Hello(1), *(protocol.case_of(each, seq) for seq, each in enumerate(asked, 2))]
    lines = list(map(protocol.encode, [*requests, protocol.Bye(len(requests) + 1)]))
    answers = io.BytesIO()
    serving.serve("bleukit", io.BytesIO(b"".join(lines)), answers)
    hello, *answered = answers.getvalue().splitlines()
    for line, schema in [(lines[0], "hello.request"), (lines[-1], "bye.request"), (hello, "hello.answer")]:
        schemas[schema].validate(json.loads(line))
    for request, answer in zip(lines[1:-1], answered, strict=True):
        schemas["case.request"].validate(json.loads(request))
        schemas["case.answer"].validate(json.loads(answer))
    for member in ('"counts"', '"nan"', '"k":'):
        assert any(member in line.decode() for line in [*lines, *answered]), member


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (b"x", "expected a request of the protocol, got b'x'"),
        (b'{"request": "Hello", "seq": 1}', "Invalid value 'Hello'"),
        (b'{"request": "case", "seq": 1}', "missing required field `id`"),
    ],
)
def test_what_is_no_request_ends_serving_with_the_reason(line, message):
    with pytest.raises(bleukit.InputError, match=re.escape(message)):
        serving.serve("bleukit", io.BytesIO(line), io.BytesIO())


def test_the_command_asks_a_harness_and_prints_how_it_fared(run, tmp_path, monkeypatch):
    (tmp_path / "own").mkdir()
    (tmp_path / "own" / "mine.yaml").write_text(
        "document: Mine\nsource: me\ncases:\n- {id: X1, says: x, hypothesis: [a], references: [[a]], "
        "set: {weights: [1]}, expect: {score: 1}}\n"
    )
    monkeypatch.setattr(cases, "FOLDER", tmp_path / "own")
    started = shlex.join([sys.executable, "-m", "bleukit", "serve", "--implementation", "bleukit"])
    commands = ("--command", started, "--command", "/nowhere/at all")
    status, out, err = run("conform", "implementations", *commands, "--format", "markdown")
    assert (status, err) == (1, "")  # because one does not start
    assert "| Mine | 1 / 0 / 0 | 0 / 0 / 0, 1 without an answer |" in out
    assert re.search(r"\| bleukit \| \S+ Python \S+ \| .* serve --implementation bleukit \| 1 \|", out)
    assert "it cannot be started: No such file or directory" in out
    assert "| /nowhere/at all" in out[out.index("Cases without an answer") :]
    assert out.endswith("\n1 passed, 0 differ, 0 cannot be expressed, 1 without an answer\n")


WRONG = "answer(seq=seq, reported={'score': 0.5})"


@pytest.mark.parametrize(
    ("second", "options", "status"),
    [
        (WRONG, [], 0),
        (WRONG, ["--no-differences"], 1),
        (WRONG, ["--min-passed", "5"], 1),
        (WRONG, ["--min-passed", "4"], 0),
        ("answer(seq=seq, cannot='x')", ["--no-differences"], 0),
    ],
)
def test_options_decide_about_differences(run, monkeypatch, second, options, status):
    monkeypatch.setattr(cases, "_read_once", lambda _: {"own": DOCUMENTS[0]})
    assert run("conform", "implementations", "--command", shlex.join(command(second)), *options)[0] == status


def test_one_cause_that_explains_all_scores_is_named():
    def case(number, expected):
        return cases.Case(
            id=f"X{number}",
            says="x",
            hypothesis=["a"] * number,
            references=[["a"] * 4],
            set={"weights": [1]},
            expect=cases.Expected(score=expected),
        )

    document = cases.CaseDocument("own", "own", [case(2, "0.3679"), case(3, "0.7165"), case(4, 1)])
    plain = command("answer(seq=seq, reported={'score': 1})")
    run = asking.ask_implementations([document], [], [], [plain])
    assert [line for *_, line in asking.diagnoses(run)] == [
        "one cause explains all 2 scores that differ: there is no brevity penalty"
    ]
    hundred = command("answer(seq=seq, reported={'score': 36.79})", HELLO)
    scaled = asking.ask_implementations([cases.CaseDocument("o", "o", [case(2, "0.3679")] * 2)], [], [], [hundred])
    assert [line for *_, line in asking.diagnoses(scaled)] == [
        "one cause explains all 2 scores that differ: they are 100 times too large: a perfect match is 1"
    ]
