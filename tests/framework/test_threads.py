"""Threads share the work in order, and stop soon after an error or an interrupt."""

import _thread
import gc
import os
import signal
import subprocess
import sys
import threading
import time

import pytest

from bleukit.framework.threads import map_in_order, map_while_reading

pytestmark = pytest.mark.oldest


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_results_are_in_order(threads):
    assert list(map_in_order(lambda item: item * item, range(100), threads)) == [item * item for item in range(100)]


@pytest.mark.parametrize("threads", [2, 4])
def test_after_an_error_no_thread_takes_another_item(threads):
    taken = []

    def fail_early(item):
        taken.append(item)
        if item == 5:
            raise ValueError(item)
        time.sleep(0.01)

    with pytest.raises(ValueError, match="5"):
        map_in_order(fail_early, range(1000), threads)
    assert len(taken) < 900  # on a machine that is busy, the calling thread wakes late


def test_the_first_error_is_raised_even_if_a_later_one_happened_before():
    later = threading.Event()

    def fail(item):
        if item == 0:
            later.wait()
        if item == 1:
            later.set()
        raise ValueError(item)

    with pytest.raises(ValueError, match="0"):
        map_in_order(fail, range(10), 2)


@pytest.fixture
def interrupt_raises():
    """Have SIGINT raise KeyboardInterrupt, though the command has run in this process, and handles it.

    Garbage is not collected meanwhile, because an error in a callback of the collector (hypothesis has one) is lost.
    """
    handler = signal.signal(signal.SIGINT, signal.default_int_handler)
    gc.disable()
    yield
    gc.enable()
    signal.signal(signal.SIGINT, handler)


@pytest.mark.usefixtures("interrupt_raises")
def test_after_an_interrupt_no_thread_takes_another_item():
    taken = []

    def interrupted(item):
        taken.append(item)
        if item == 20:
            _thread.interrupt_main()
        time.sleep(0.01)

    with pytest.raises(KeyboardInterrupt):
        map_in_order(interrupted, range(1000), 4)
    assert len(taken) < 900


def test_the_calling_thread_only_waits():
    """An interrupt in the middle of an import would leave the import's lock to the other threads."""
    assert threading.main_thread() not in map_in_order(lambda _: threading.current_thread(), range(100), 4)


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("number", [0, 1, 2, 9])
def test_what_is_read_is_worked_on_in_order(threads, number):
    assert list(map_while_reading(lambda item, _: item * item, range(number), threads)) == [
        i * i for i in range(number)
    ]


@pytest.mark.parametrize(("number", "inside"), [(1, 3), (2, 1), (9, 1)])
def test_threads_are_for_several_items_or_for_the_only_one(number, inside):
    assert set(map_while_reading(lambda _, threads: threads, range(number), 3)) == {inside}


def test_the_next_is_read_while_the_thread_works():
    read = threading.Event()

    def items():
        yield from (0, 1)
        read.set()

    assert all(map_while_reading(lambda item, _: item == 0 or read.wait(9), items(), 2))


@pytest.mark.parametrize("threads", [2, 3])
def test_what_the_calling_thread_reads_is_worked_on_by_as_many_threads_as_asked_for(threads):
    """What is imported for the work is imported by threads that no interrupt reaches."""
    reading = []

    def items():
        for item in range(60):
            reading.append(threading.current_thread())
            yield item

    def work(_item, _threads):
        time.sleep(0.001)
        return threading.current_thread()

    working = set(map_while_reading(work, items(), threads))
    assert set(reading) == {threading.current_thread()}
    assert threading.current_thread() not in working
    assert len(working) <= threads


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("wrong", [0, 1, 3, 4, 9])
def test_the_first_error_of_reading_and_working_is_raised(threads, wrong):
    def items():
        yield from range(4)
        raise OSError("reading")

    def work(item, _):
        if item == wrong:
            raise ValueError("working")
        return item

    done = []
    with pytest.raises(ValueError if wrong < 4 else OSError):
        done.extend(iter(map_while_reading(work, items(), threads)))
    assert done == list(range(min(wrong, 4)))


@pytest.mark.usefixtures("interrupt_raises")
@pytest.mark.parametrize("threads", [1, 3])
def test_an_interrupt_in_reading_ends_the_work_of_all_threads(threads):
    taken = []

    def work(item, _):
        return item == 0 or list(
            map_in_order(lambda each: (taken.append(each), time.sleep(0.01)), range(1000), threads)
        )

    def items():
        yield from range(2)
        while not taken:
            time.sleep(0.001)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        list(map_while_reading(work, items(), 2))
    assert len(taken) < 900


def cpu_time_of_children():
    times = os.times()
    return times.children_user + times.children_system


@pytest.mark.skipif(os.name == "nt", reason="no SIGINT to send")
def test_ctrl_c_ends_the_command_at_once(tmp_path):
    words = [
        "the",
        "cat",
        "sat",
        "on",
        "the",
        "mat,",
        "and",
        "the",
        "dog",
        "(an",
        "old",
        "one)",
        "sat",
        "beside",
        "it.",
    ]
    text = "".join(" ".join(f"{i}{word}" for word in words) + "\n" for i in range(8000)).encode()
    (tmp_path / "reference").write_bytes(text)
    # matlab's tokenizer is plain Python, and takes some 0.1 ms for a text of words that it has not met.
    command = [sys.executable, "-m", "bleukit", "score", "-V", "matlab", "--threads", "4", "-r", "reference", "-"]
    start = cpu_time_of_children()
    subprocess.run(command, cwd=tmp_path, input=text, check=True, capture_output=True)
    whole = cpu_time_of_children() - start
    with subprocess.Popen(command, cwd=tmp_path, stdin=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        process.stdin.write(text)  # far more than a pipe holds: once it is written, the command is at work
        process.stdin.close()
        time.sleep(0.1)
        process.send_signal(signal.SIGINT)
        said = process.stderr.read()
    assert process.returncode in {130, -signal.SIGINT}  # which is 130 to a shell
    assert said.strip() == b""
    assert cpu_time_of_children() - start - whole < 0.7 * whole  # a quarter of it is what starting takes
