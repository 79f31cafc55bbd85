// Run tests in Pyodide: node pyodide.mjs SITE [TEST...], with the installed packages in SITE.
// The environment names Pyodide's module (PYODIDE) and, optionally, a folder with its packages (PYODIDE_PACKAGES).
import { pathToFileURL } from "node:url";

// What is tested without NumPy and regex, which only Pyodide's server has.
const TESTS = [
  "tests/framework/test_hooks.py",
  "tests/framework/test_registry.py",
  "tests/bleu/test_signature.py",
  "tests/reading/test_reading.py",
];
// What needs NumPy, regex, threads or processes.
const LEFT_OUT = "any_variant or at_once or several_threads or whole_corpus or batch_methods";
const SCORED = ["score", "-q", "-r", "examples/reference1.txt", "-r", "examples/reference2.txt", "examples/hypothesis.txt"];
const SCORE = "79.59\n"; // in README.md, where a test compares it with what is printed

const { loadPyodide } = await import(pathToFileURL(process.env.PYODIDE));
const [site, ...tests] = process.argv.slice(2);
const folder = process.env.PYODIDE_PACKAGES;
const python = await loadPyodide({ env: { HOME: "/home", PYTHONDONTWRITEBYTECODE: "1" }, ...(folder && { packageBaseUrl: folder }) });
if (tests.length) await python.loadPackage(["numpy", "regex", "lxml", "scipy"]);
python.mountNodeFS("/site", site);
python.mountNodeFS("/project", process.cwd());
python.globals.set("arguments", python.toPy(tests.length ? tests : [...TESTS, "-k", `not (${LEFT_OUT})`]));
python.globals.set("scored", python.toPy(SCORED));
const status = python.runPython(`
import contextlib, io, os, sys
sys.path.insert(0, "/site")  # before the checkout
os.chdir("/project")
import pytest
status = int(pytest.main(["-q", "-c", "pyproject.toml", "-p", "no:cacheprovider", *arguments]))
from bleukit.cli import main
with open("/tmp/scores", "w") as output, contextlib.redirect_stdout(output), contextlib.suppress(SystemExit):
    main(scored)
[status, open("/tmp/scores").read()]
`).toJs();
if (status[1] !== SCORE) console.error(`the command prints ${JSON.stringify(status[1])}`);
process.exitCode = status[0] || Number(status[1] !== SCORE);
