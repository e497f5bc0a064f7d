"""Characters of which nothing is seen: which, and where they may stand."""

from __future__ import annotations

import sys
from unicodedata import category, name

import pytest
from guncamera.rules.unseen import control, unseen, unseen_in

SEEN = (
    "Hornet", "Zürich", "naïve", "Ελλάς", "Красный", "赤城", "葛\U000e0100城", "한국",
    "의용", "كُتُب", "می\u200cخواهم", "אֲוִיר", "क्\u200dष", "ශ්\u200dරී", "မြန်မာ",
    "ᠮᠣᠩ\u180bᠭᠣᠯ", "ភាសា", "x y", "©", "½", "…",
    "\N{MAN}\u200d\N{WOMAN}\u200d\N{GIRL}",
    "\N{HEAVY BLACK HEART}\ufe0f\u200d\N{FIRE}",
    "\N{AIRPLANE}\ufe0f", "1\ufe0f\u20e3",
    "\N{MAN}\N{EMOJI MODIFIER FITZPATRICK TYPE-4}\u200d\N{FIRE ENGINE}",
    "\N{WAVING BLACK FLAG}\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f",
    "\N{REGIONAL INDICATOR SYMBOL LETTER F}\N{REGIONAL INDICATOR SYMBOL LETTER R}",
)  # fmt: skip
NOT_SEEN = {
    "a bell": "Hornet\x07",
    "a new line": "Hor\nnet",
    "a separator of lines": "Hor\u2028net",
    "a turn of the line": "Hornet\u202e",
    "a hyphen that may be": "Hor\xadnet",
    "nothing of no width": "Hornet\u200b",
    "a Hangul filler": "\u3164",
    "half of one": "\uffa0",
    "one before a vowel": "\u115f\u1161",
    "one after a letter": "Hornet\u1160",
    "a braille cell without a dot": "\u2800",
    "a grapheme joiner": "Hor\u034fnet",
    "a Khmer vowel that is inherent": "Hornet\u17b4",
    "a joiner at the end": "Hornet\u200d",
    "a joiner between letters that do not join": "Hor\u200dnet",
    "a non-joiner between letters that do not join": "Hor\u200cnet",
    "a joiner with nothing before it": "\u200d\N{MAN}",
    "a joiner with nothing after it": "\N{MAN}\u200d",
    "two joiners": "\N{MAN}\u200d\u200d\N{WOMAN}",
    "a form of a Latin letter": "Hornet\ufe0f",
    "a form of a capital beyond ASCII": "Ä\ufe0f",
    "a form of nothing": "\ufe0f",
    "a form of a blank": "Hornet \ufe0f",
    "two forms": "\N{AIRPLANE}\ufe0f\ufe0f",
    "a digit's form and no key": "1\ufe0f",
    "tags without a flag": "Hornet\U000e0067\U000e0062\U000e007f",
    "a flag that is not spelled out": "\N{WAVING BLACK FLAG}\U000e0067\U000e0062",
    "a language": "\U000e0001",
    "a note without a head": "\U0001d159",
    "an annotation": "\ufff9",
}  # fmt: skip


@pytest.mark.parametrize("text", SEEN)
def test_names_of_every_script_and_signs_put_together_are_let_in(text: str) -> None:
    assert unseen(text) == ""


@pytest.mark.parametrize("which", NOT_SEEN)
def test_what_is_not_seen_is_found(which: str) -> None:
    text = NOT_SEEN[which]
    found = unseen(text)
    assert found.startswith("U+")
    assert chr(int(found[2:], 16)) in text


def test_no_letter_or_sign_that_is_seen_is_taken_for_one_that_is_not() -> None:
    """By kinds: what is found is no letter but the few that Unicode's list of them has."""
    found = [one for one in map(chr, range(sys.maxunicode + 1)) if unseen(one)]
    letters = {name(one) for one in found if category(one)[0] in "LNPS"}
    assert letters == {
        "HANGUL CHOSEONG FILLER", "HANGUL JUNGSEONG FILLER", "HANGUL FILLER",
        "HALFWIDTH HANGUL FILLER", "BRAILLE PATTERN BLANK", "MUSICAL SYMBOL NULL NOTEHEAD",
    }  # fmt: skip
    kinds = {category(one) for one in found}
    assert {"Cc", "Cf", "Zl", "Zp", "Mn"} < kinds
    left = [one for one in map(chr, range(sys.maxunicode + 1)) if category(one) == "Cf"]
    drawn = [one for one in left if not unseen(one)]
    # Signs that span numbers, an end of a verse, an abbreviation: format characters that are drawn.
    assert {name(one).split()[0] for one in drawn} == {
        "ARABIC", "SYRIAC", "KAITHI", "EGYPTIAN",
    }  # fmt: skip


def test_texts_of_plain_data_are_found_by_their_paths() -> None:
    plain = {"a": [{"b": "x\u3164", "c": 1}, "y\u200b\x07"], "d\u2800": "z\x07", "e": {"f\x07": ""}}
    assert list(unseen_in(plain)) == [
        ("a[0].b", "U+3164"),
        ("a[1]", "U+200B"),
        ("", "U+2800"),
        ("e", "U+0007"),
    ]


def test_a_control_character_is_found_wherever_names_are_read() -> None:
    assert control("Hornet\u3164\u200b\u202e") == ""
    assert [control(text) for text in ("a\x07", "a\u2028", "a\x9f")] == [
        "U+0007",
        "U+2028",
        "U+009F",
    ]
