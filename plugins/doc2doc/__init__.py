"""Document BLEU, d-BLEU: sacreBLEU of documents, each of which is one segment.

As Liu et al. 2020 define it, and https://github.com/sunzewei2715/Doc2Doc_NMT (Sun et al. 2022) and
https://github.com/baoguangsheng/g-transformer (Bao et al. 2021) report it.
"""

from bleukit.plugin import variants_beside

bleukit_variants = variants_beside(__file__)
