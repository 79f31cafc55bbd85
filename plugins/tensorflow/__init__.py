"""BLEU of TensorFlow's libraries: TensorFlow NMT, Tensor2Tensor and Keras Hub.

https://github.com/tensorflow/nmt, https://github.com/tensorflow/tensor2tensor and
https://github.com/keras-team/keras-hub; the variants name the files. ``compute_bleu`` of TensorFlow NMT is what
``evaluate`` copies, and the brevity penalty's division by zero is treated as there; in Keras Hub, NumPy divides, so
that texts without any tokens score NaN. It gives NaN, and the variant 0, if all hypotheses are empty and so is the
shortest reference of each, but not another. The metric of TensorFlow NMT reads lines by ``codecs``, for which U+0085,
U+2028 and the like end one, too. Tensor2Tensor and Keras Hub give their scores in single precision; these numbers
agree with them to about seven digits. Tensor2Tensor and the metric of TensorFlow NMT are given one reference; of
several, the variants take the closest and the shortest length.
"""

from bleukit.plugin import offers, variants_beside

bleukit_tokenizers = offers(
    {
        "single-blanks": f"{__name__}.tokenizers:single_blanks",
        "t2t": f"{__name__}.tokenizers:TENSOR2TENSOR",
        "keras-hub": f"{__name__}.tokenizers:KERAS_HUB",
    }
)

bleukit_variants = variants_beside(__file__)
