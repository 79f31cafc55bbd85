"""The same in another process, which has no compiled parts: Python's code, which says what they should do."""

import os
import pickle
import subprocess
import sys
import traceback
from pathlib import Path


class PlainPython:
    """Calls functions of ``outcomes.py`` in a process without the compiled modules."""

    def __init__(self, compiled_modules):
        environment = {key: value for key, value in os.environ.items() if key not in {"LD_PRELOAD", "PYTHONMALLOC"}}
        self._process = subprocess.Popen(
            [sys.executable, __file__, *compiled_modules],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=environment | {"PYTHONPATH": os.pathsep.join(sys.path)},
        )

    def start(self, function, *arguments):
        """Begin to call a function, by its name; :meth:`result` returns what it returns."""
        pickle.dump((function, arguments), self._process.stdin)
        self._process.stdin.flush()

    def result(self):
        is_right, result = pickle.load(self._process.stdout)
        assert is_right, f"without the compiled parts:\n{result}"
        return result

    def close(self):
        self._process.stdin.close()
        self._process.stdout.close()
        self._process.wait()


def _serve(compiled_modules):
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what prints by mistake must not be taken for an answer
    sys.modules.update(dict.fromkeys(compiled_modules))  # an import of None fails
    import outcomes

    while True:
        try:
            function, arguments = pickle.load(sys.stdin.buffer)
        except EOFError:
            return
        try:
            answer = True, getattr(outcomes, function)(*arguments)
        except Exception:  # noqa: BLE001 - whatever it is, it is reported
            answer = False, traceback.format_exc()
        pickle.dump(answer, answers)
        answers.flush()


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parent))
    _serve(sys.argv[1:])
