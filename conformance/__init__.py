"""The conformance suite: what the documents that define BLEU print, as YAML, and what runs it.

Imports run one way; each part uses only the parts below it:

- ``pytest_plugin``: the suite among the tests of another project
- ``certifying``: a whole run, with the plugins in child processes
- ``child``: what runs in such a process
- ``reports``: what a run found, as tables, JSON, JUnit and HTML
- ``writing``: for those who write cases
- ``implementations``: other implementations of BLEU under the cases
- ``suite``: which cases are run for which variants and combinations
- ``contracts``: what every component and every variant must keep
- ``processes``: child processes
- ``judging``: cases as data, what a variant gives for them, and how that is judged
- ``definitions``: the documents' definitions, as plainly as can be
- ``tokenizers``: those of tokenizers
"""
