"""The example files of Dask, Ray and torch.distributed: the scores of one process."""

import importlib.util
import sys
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import pytest

import bleukit

EXAMPLES = Path(__file__).parents[2] / "examples" / "distributed"
HYPOTHESES = ["the cat sat here", "hello world , here we go", "", "a b c d e", "the end"] * 8
REFERENCES = ["the cat sat on it", "hello world , we go here", "it", "a b c d f g", "the very end"] * 8
SYSTEMS = [f"system {number**2 % 3}" for number in range(len(HYPOTHESES))]


def example(name):
    specification = importlib.util.spec_from_file_location(name, EXAMPLES / f"{name}.py")
    module = sys.modules[name] = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module


@pytest.mark.engines
def test_dask_counts_partitions():
    pytest.importorskip("dask")
    pd = pytest.importorskip("pandas")
    import dask
    import dask.dataframe as dd

    dask_scores = example("dask_scores")
    table = pd.DataFrame({"mt": HYPOTHESES, "reference": REFERENCES, "system": SYSTEMS})
    expected = bleukit.load("nltk").statistics(HYPOTHESES, REFERENCES).by_document(SYSTEMS)
    for partitions in (1, 7):
        with dask.config.set(scheduler="threads"):
            found = dask_scores.by_group(dd.from_pandas(table, npartitions=partitions), "system", "nltk")
        assert {group: score.to_dict() for group, score in found.items()} == {
            group: bleukit.load("nltk").score(rows).to_dict() for group, rows in expected.items()
        }


@pytest.mark.filterwarnings("ignore::DeprecationWarning:ray")  # Ray's own, about its settings
def test_ray_counts_batches():
    ray = pytest.importorskip("ray")
    pd = pytest.importorskip("pandas")
    ray_scores = example("ray_scores")
    ray.cloudpickle.register_pickle_by_value(ray_scores)
    ray.init(num_cpus=6, include_dashboard=False, log_to_driver=False)
    try:
        dataset = ray.data.from_pandas(pd.DataFrame({"mt": HYPOTHESES, "reference": REFERENCES})).repartition(5)
        found = ray_scores.score(dataset, "nltk")
    finally:
        ray.shutdown()
    assert found.to_dict() == bleukit.load("nltk").corpus(HYPOTHESES, REFERENCES).to_dict()


def of_process(rank, size, address):
    import torch.distributed as dist

    torch_scores = example("torch_scores")
    dist.init_process_group("gloo", init_method=address, rank=rank, world_size=size)
    own = slice(rank, len(HYPOTHESES), size - 1) if rank < size - 1 else slice(0)  # the last has no sample
    references = [[text] for text in REFERENCES]
    score = torch_scores.score_of_all(bleukit.load("nltk"), HYPOTHESES[own], references[own])
    dist.destroy_process_group()
    return score.to_dict()


@pytest.mark.torch
def test_torch_adds_up_the_sums_of_processes(tmp_path):
    multiprocessing = pytest.importorskip("torch").multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(3, multiprocessing) as pool:
        found = [pool.submit(of_process, rank, 3, f"file://{tmp_path}/rendezvous") for rank in range(3)]
    expected = bleukit.load("nltk").corpus(HYPOTHESES, REFERENCES).to_dict()
    assert [process.result() for process in found] == [expected] * 3
