"""The program's words: hides languages, plurals, number and date forms, and how a code becomes a sentence.

The program speaks English msgids, codes and facts; a `Catalogue` says them in one language. The English of every
code stands in `messages`; the translations stand in `resources/locale`, kept by `python -m tdapp.i18n`.
"""

from tdapp.i18n.catalogue import LANGUAGES, Catalogue

__all__ = ["LANGUAGES", "Catalogue"]
