"""Rule ids are the thread: each has a rule, a mention in code, and a case; none is loose."""

from pathlib import Path

import pytest
from guncamera.rules.index import RULE_ID, index_from, parse
from guncamera.rules.refusal import Malformed
from guncamera.rules.ruleset import rulesets
from shipped import shipped_cases

ROOT = Path(__file__).parents[2]
FOLDERS = {slug: ROOT / "service/guncamera/rulesets" / slug for slug in rulesets()}


def ids_in(folder: Path, pattern: str, *, but: tuple[str, ...] = ()) -> set[str]:
    return {
        found
        for path in folder.glob(pattern)
        if path.name not in but
        for found in RULE_ID.findall(path.read_text(encoding="utf-8"))
    }


@pytest.mark.parametrize("slug", FOLDERS)
def test_every_rule_has_a_case(slug):
    index = rulesets()[slug].book.index
    proven = {rule for case in shipped_cases() if case.ruleset == slug for rule in case.rules}
    assert sorted({rule.id for rule in index} - proven, key=parse) == []
    assert sorted(proven - {rule.id for rule in index}, key=parse) == []


@pytest.mark.parametrize("slug", FOLDERS)
def test_every_rule_is_mentioned_by_code_or_tables_and_nothing_else_is(slug):
    index = {rule.id for rule in rulesets()[slug].book.index}
    tables = ids_in(FOLDERS[slug], "*.toml", but=("rules.toml", "aid.toml"))
    mentioned = ids_in(FOLDERS[slug], "*.py") | tables
    assert sorted(index - mentioned, key=parse) == []
    assert sorted(mentioned - index, key=parse) == []


@pytest.mark.parametrize("slug", FOLDERS)
def test_tables_settings_and_prefix_belong_to_the_rule_set(slug):
    found = rulesets()[slug]
    for table in found.book.tables.values():
        assert table.rule_id in found.book.index
        assert table.source
        if table.setting:
            assert table.setting in found.book.setting_specs
    for setting in found.book.setting_specs.values():
        assert setting.rule_id in found.book.index
        assert setting.reason.endswith(".")
        assert setting.note
    assert all(rule.id.startswith(f"{found.prefix}-") for rule in found.book.index)


def test_ids_sort_as_a_reader_would():
    assert sorted(["KET-10.1", "KET-2.10", "KET-2.9"], key=parse) == [
        "KET-2.9", "KET-2.10", "KET-10.1",
    ]  # fmt: skip


def test_a_faulty_index_lists_every_fault():
    rule = {"id": "KET-1.1", "title": "t", "summary": "s", "source": "x", "basis": "stated"}
    faulty = [rule, rule, {**rule, "id": "KET1"}, {**rule, "id": "KET-2", "basis": "sure"}, {}]
    with pytest.raises(Malformed) as refused:
        index_from({"rule": faulty})
    assert len(refused.value.violations) == 4
