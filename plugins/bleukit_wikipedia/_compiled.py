"""The components that this plugin has compiled, for many segments at once, under the names of those for one."""

from bleukit_wikipedia._counting import clipped, unclipped
from bleukit_wikipedia._reference_lengths import average, closest, longest, shortest
from bleukit_wikipedia._tokenizers import characters, whitespace

__all__ = ["average", "characters", "clipped", "closest", "longest", "shortest", "unclipped", "whitespace"]
