"""Document BLEU, d-BLEU: sacreBLEU of documents, each of which is one segment.

As Liu et al. 2020 define it, and https://github.com/sunzewei2715/Doc2Doc_NMT (Sun et al. 2022) and
https://github.com/baoguangsheng/g-transformer (Bao et al. 2021) report it.
"""

from typing import Any

from bleukit.plugin import hookimpl, variant_files


@hookimpl
def bleukit_variants() -> dict[str, Any]:
    return variant_files(__file__)
