"""What bleukit.compat.torchmetrics uses of PyTorch and TorchMetrics, on NumPy's arrays, for a machine without PyTorch.

``test_compat_torchmetrics.py`` tests the same module with both of them.
"""

from types import ModuleType

import numpy as np

CONSTANTS = {"is_differentiable", "higher_is_better", "full_state_update", "plot_lower_bound", "plot_upper_bound"}


class Tensor(np.ndarray):
    device = "cpu"

    def type(self, name):
        return tensor(self, dtype=getattr(np, name) if isinstance(name, str) else name)


def tensor(value, dtype=None, device="cpu"):
    assert device == "cpu"
    array = np.asarray(value)
    default = np.float32 if array.dtype.kind == "f" else array.dtype
    return np.array(array, dtype or default).view(Tensor)


class Metric:
    """As TorchMetrics', it refuses parameters that it does not have, and keeps what describes a class constant."""

    def __init__(self, *, sync_on_compute=True):
        self.sync_on_compute = sync_on_compute
        self._defaults = {}

    def __setattr__(self, name, value):
        if name in CONSTANTS:
            raise RuntimeError(f"Can't change const `{name}`.")
        super().__setattr__(name, value)

    def add_state(self, name, default, dist_reduce_fx=None):
        assert isinstance(default, Tensor)
        assert dist_reduce_fx == "sum"
        self._defaults[name] = default
        self.reset()

    def reset(self):
        for name, default in self._defaults.items():
            setattr(self, name, default.copy())

    def add(self, other):
        """Add the states of another process."""
        for name in self._defaults:
            setattr(self, name, getattr(self, name) + getattr(other, name))

    def _plot(self, value, axes):
        return value, axes


def modules():
    """Return the modules by their names."""
    torch, torchmetrics = ModuleType("torch"), ModuleType("torchmetrics")
    torch.Tensor, torch.tensor, torch.dtype = Tensor, tensor, np.dtype
    torch.int64, torch.float32, torch.float64 = np.dtype("int64"), np.dtype("float32"), np.dtype("float64")
    torch.get_default_dtype = lambda: torch.float32
    torch.zeros = lambda number, dtype=torch.float32: tensor([0] * number, dtype)
    torch.empty = torch.zeros
    torchmetrics.Metric = Metric
    return {"torch": torch, "torchmetrics": torchmetrics}
