"""Check that what is said of the package in several places is the same, and that conda's recipe can be rendered."""

import re
import sys
from pathlib import Path

import yaml
from rattler_build import Stage0Recipe, VariantConfig

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

ROOT = Path(__file__).parents[1]
IN_CONDA = {"msgspec": "msgspec-python", "lazy_loader": "lazy-loader"}


def named(requirements):
    """Return requirements as conda names them, without spaces."""
    plain = (re.sub(r"\s", "", requirement).lower() for requirement in requirements)
    return {re.sub(r"^[\w-]+", lambda name: IN_CONDA.get(name[0], name[0]), requirement) for requirement in plain}


def check(what, first, second):
    """End with the difference, unless both are the same."""
    if first != second:
        sys.exit(f"{what}: {first} is not {second}")


pyproject = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
project = pyproject["project"]
version = re.search(r'__version__ = "(.+)"', (ROOT / "bleukit/framework/version.py").read_text(encoding="utf-8"))[1]
recipe = Stage0Recipe.from_file(ROOT / "recipe/recipe.yaml")
requirements = recipe.requirements.to_dict()

[rendered] = recipe.render(VariantConfig({"c_compiler": ["gcc"], "c_stdlib": ["sysroot"], "python": ["3.12.*"]}))
check("version in recipe/recipe.yaml", rendered.recipe.package.version, version)
check("requirements in recipe/recipe.yaml", named(requirements["run"]) - {"python"}, named(project["dependencies"]))
check(
    "host requirements", named(requirements["host"]) - {"python", "pip"}, named(pyproject["build-system"]["requires"])
)
check("summary in recipe/recipe.yaml", recipe.about.summary, project["description"])
citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
check("version in CITATION.cff", citation["version"], version)
pythons = {f"3.{minor}" for minor in re.findall(r"cp3(\d+)-", " ".join(pyproject["tool"]["cibuildwheel"]["build"]))}
check(
    "Pythons of classifiers and of wheels",
    {c.split()[-1] for c in project["classifiers"] if re.search(r":: 3\.\d", c)},
    pythons,
)
