"""`guncamera keys`: for people and, with --json, for programs."""

import pytest


@pytest.fixture
def keys(run, tmp_path):
    def keys(*words):
        return run("keys", *words, "--data-dir", tmp_path)

    return keys


def test_create_and_list_tell_programs_the_same_of_a_key(keys):
    made = keys("create", "--scope", "play", "--label", "our table", "--days", "0", "--json")
    assert (made.code, made.err) == (0, "")
    told = made.json
    text = told.pop("key")
    assert text.startswith("gck_")
    assert (told["scope"], told["state"], told["expires"]) == ("play", "alive", "never")
    listed = keys("list", "--json")
    assert listed.json == [told]
    assert text not in listed.out


def test_without_json_the_key_alone_is_on_standard_output(keys):
    made = keys("create", "--scope", "read")
    assert made.out.startswith("gck_")
    assert made.out.count("\n") == 1
    assert "it is not shown again" in made.err


def test_a_key_that_cannot_be_made_prints_nothing(keys):
    keys("create", "--scope", "king", "--json").refused(2, "'king' is no scope")
