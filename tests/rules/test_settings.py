"""The files of settings: what is read of one, and what is wrong with it."""

from __future__ import annotations

from typing import Any

import pytest
from guncamera.rules.refusal import Malformed
from guncamera.rules.settings import settings_from


def entry(**more: Any) -> dict[str, Any]:
    return {
        "name": "ragged",
        "rule": "PER-3.2",
        "note": "1",
        "title": "What a ragged pigeon adds",
        "default": "one",
        "choices": [{"value": "one", "means": "one"}, {"value": "none", "means": "nothing"}],
        "reason": "The page names no number.",
        **more,
    }


def test_what_a_setting_was_is_one_of_its_values_or_nothing() -> None:
    assert settings_from({"setting": [entry()]})["ragged"].was is None
    assert settings_from({"setting": [entry(was="none")]})["ragged"].was == "none"


@pytest.mark.parametrize(
    ("wrong", "field"),
    [
        ({"was": "two"}, "setting[ragged].was"),
        ({"was": 1}, "setting[ragged].was"),
        ({"default": "two"}, "setting[ragged].default"),
        ({"wsa": "none"}, "setting[ragged]"),
    ],
)
def test_what_is_wrong_with_a_setting_is_told_by_its_place(
    wrong: dict[str, Any], field: str
) -> None:
    with pytest.raises(Malformed) as refused:
        settings_from({"setting": [entry(**wrong)]})
    assert [one.field for one in refused.value.violations] == [field]
