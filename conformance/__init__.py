"""The conformance suite: what the documents that define BLEU print, as YAML, and what runs it.

Imports run one way; each part uses only the parts below it:

- ``pytest_plugin``: the suite among the tests of another project
- ``writing``: for those who write cases
- ``implementations``: other implementations of BLEU under the cases
- ``running``: a whole run, with the plugins in processes of their own
- ``reporting``: a report as text, Markdown or JSON
- ``report``: what a run found
- ``contract``: what every component must keep, on generated input
- ``judging``: cases as data, what a variant gives for them, and how that is judged
- ``formula``: the documents' formula
"""
