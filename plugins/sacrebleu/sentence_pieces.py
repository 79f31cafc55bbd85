"""sacreBLEU's ``spm`` tokenizers: the pieces of a SentencePiece model, any or one that sacreBLEU takes."""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path
from typing import Any, ClassVar

from bleukit.built_in.sacrebleu.tokenizers import without_surrogates

from bleukit.plugin import NotInstalledError


class SentencePieces:
    """The pieces of the model in the file ``model``, as ``TokenizerSPM``."""

    distributions: ClassVar[tuple[str, ...]] = ("sentencepiece",)

    def __init__(self, model: str) -> None:
        self.model = model
        self._processor()

    def __call__(self, text: str) -> list[str]:
        return self.to_text(text.rstrip()).split()  # a piece may hold white space

    def to_text(self, text: str) -> str:
        """Return what sacreBLEU's tokenizer does: the pieces with spaces between them."""
        return " ".join(self._processor().encode(without_surrogates(text), out_type=str))

    @property
    def fingerprints(self) -> dict[str, str]:
        """The file's name with the beginning of its SHA-256: it is the model that makes the tokens, not its path."""
        import hashlib  # heavy, and few variants have a model

        path = self._path()
        return {path.name: f"sha256:{hashlib.sha256(_content(path)).hexdigest()[:16]}"}

    def _path(self) -> Path:
        return Path(self.model)

    def _processor(self) -> Any:
        return _load(self._path())


def _content(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise ValueError(f"the model {path} cannot be read: {error.strerror}") from error


@cache
def _load(path: Path) -> Any:
    import sentencepiece

    processor = sentencepiece.SentencePieceProcessor()
    try:
        processor.LoadFromSerializedProto(_content(path))
    except RuntimeError as error:
        raise ValueError(f"{path} is not a SentencePiece model") from error
    return processor


class KnownPieces(SentencePieces):
    """A model that sacreBLEU downloads: the file ``model``, or the one that sacreBLEU has put into its cache folder.

    The folder is ``models`` in the one that the environment variable SACREBLEU names, by default ``~/.sacrebleu``.
    """

    name: ClassVar[str]
    url: ClassVar[str]

    def __init__(self, model: str | None = None) -> None:
        path = self._in_cache()
        if model is None and not path.exists():
            raise NotInstalledError(
                f"{self.name!r} needs its model, {path}: have sacreBLEU get it (sacrebleu --tokenize {self.name}), or "
                f"take it from {self.url}, save it there, or save it elsewhere and pass its path as the option `model`",
                ("tokenizer",),
            )
        super().__init__(str(path) if model is None else model)

    def _in_cache(self) -> Path:
        folder = os.environ.get("SACREBLEU") or Path.home() / ".sacrebleu"
        return Path(folder, "models", self.url.rpartition("/")[2])


class Flores101(KnownPieces):
    """The pieces of the SentencePiece model of FLORES-101, as ``Flores101Tokenizer``."""

    name = "flores101"
    url = "https://dl.fbaipublicfiles.com/fairseq/models/flores/sacrebleu_tokenizer_spm.model"


class Flores200(KnownPieces):
    """The pieces of the SentencePiece model of FLORES-200, as ``Flores200Tokenizer``."""

    name = "flores200"
    url = "https://tinyurl.com/flores200sacrebleuspm"


class SpBleu1K(KnownPieces):
    """The pieces of the SentencePiece model of spBLEU-1K, as ``spBLEU1KTokenizer``."""

    name = "spBLEU-1K"
    url = "https://www.dlnlp.ai/spBLEU-1K/spbleu-1k_tokenizer_spm.model"
