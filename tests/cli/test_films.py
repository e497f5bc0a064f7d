"""`guncamera replay` and `verify`: an honest film agrees, and every tampering is found."""

import json

import asking
import pytest


@pytest.fixture
def saved(tmp_path):
    """Writes plain data as a film file."""

    def write(plain):
        file = tmp_path / "tampered.json"
        file.write_text(json.dumps(plain))
        return file

    return write


def first(film, field):
    """The first action that has a field."""
    return next(action for action in film["actions"] if field in action)


def test_replay_prints_every_ruling_and_that_all_agree(run, film_file, film):
    ran = run("replay", film_file)
    assert ran.code == 0
    lines = ran.out.splitlines()
    assert [line.split()[0] for line in lines[: len(film["actions"])]] == [
        str(action["revision"]) for action in film["actions"]
    ]
    for action in film["actions"]:
        assert action["summary"] in ran.out
    assert lines[-1] == f"{len(film['actions'])} rulings recomputed from their faces: all agree."


def test_verify_counts_the_rolls(run, film_file, film):
    rolls = sum(len(action["rolls"]) for action in film["actions"])
    ran = run("verify", film_file)
    assert ran.code == 0
    assert f"{rolls} rolls drawn again from the revealed seeds." in ran.out
    told = run("verify", film_file, "--json").json
    assert told["rolls"] == {"checked": rolls, "unrevealed": 0, "supplied": 0}
    assert told["agrees"] is True
    assert told["differences"] == []


def test_replay_speaks_json(run, film_file, film):
    told = run("replay", film_file, "--json").json
    assert told["actions"] == len(film["actions"])
    assert told["result"] == film["session"]["result"]
    assert told["agrees"] is True


def test_a_flipped_face_is_found(run, film, saved):
    action = first(film, "wind_outcome")
    face = action["rolls"][0]["faces"][0]
    action["rolls"][0]["faces"][0] = 7 - face
    for command in ("replay", "verify"):
        run(command, saved(film)).refused(1, "DIFFERENT", f"action {action['revision']}")


def test_a_face_flipped_in_roll_and_trace_and_outcome_is_still_found(run, film, saved):
    """A miss made of two other faces that miss: only the seed tells."""
    action = next(
        one
        for one in film["actions"]
        if "fire_outcome" in one
        and not one["fire_outcome"]["kettering"]["torpedo_destroyed"]
        and len(set(one["rolls"][0]["faces"])) == 2
    )
    flipped = action["rolls"][0]["faces"][::-1]
    action["rolls"][0]["faces"] = flipped
    for line in action["trace"]:
        if "roll_line" in line:
            line["roll_line"]["faces"] = flipped
    file = saved(film)
    assert run("replay", file).code == 0, "the rules agree with it"
    run("verify", file).refused(1, f"action {action['revision']}: to-hit")


def test_a_changed_outcome_is_found(run, film, saved):
    action = first(film, "fire_outcome")
    outcome = action["fire_outcome"]["kettering"]
    outcome["guns_jammed"] = not outcome["guns_jammed"]
    run("replay", saved(film)).refused(1, "outcome is", "guns_jammed=True", "guns_jammed=False")


def test_a_changed_summary_is_found(run, film, saved):
    film["actions"][1]["summary"] = "Nothing happened."
    run("verify", saved(film)).refused(1, "action 2: summary is Nothing happened.")


def test_a_changed_result_is_found(run, film, saved):
    film["session"]["result"] = "A great victory."
    run("verify", saved(film)).refused(1, "result is A great victory.")


def test_a_wrong_seed_is_found(run, film, saved):
    promise = film["session"]["dice_commitments"][0]
    promise["seed"] = ("0" if promise["seed"][0] != "0" else "1") + promise["seed"][1:]
    file = saved(film)
    assert run("replay", file).code == 0, "a replay never needs a seed"
    run("verify", file).refused(1, "commitment is")


def test_a_wrong_seed_with_its_own_commitment_is_found_by_the_faces(run, film, saved):
    from guncamera.sessions.entropy import commitment_of

    promise = film["session"]["dice_commitments"][0]
    promise["seed"] = "00" * 32
    promise["commitment"] = commitment_of(bytes(32))
    told = run("verify", saved(film), "--json")
    assert told.code == 1
    assert len(told.json["differences"]) > 3


def test_a_forbidden_order_is_found(run, film, saved):
    action = next(
        one for one in film["actions"] if "plot" in one.get("move", {}).get("kettering", {})
    )
    action["move"]["kettering"]["plot"]["path"] = "X"
    ran = run("replay", saved(film))
    ran.refused(1, f"action {action['revision']}: ruling is")


def test_an_action_left_out_is_found(run, film, saved):
    del film["actions"][3]
    assert run("verify", saved(film)).code == 1


def test_an_unrevealed_seed_is_counted_and_no_fault(run, film, saved):
    film["session"]["dice_commitments"][0]["seed"] = ""
    file = saved(film)
    ran = run("verify", file)
    assert ran.code == 0
    assert "not checked: their seed is revealed when the game is over" in " ".join(ran.out.split())
    assert run("verify", file, "--json").json["rolls"]["checked"] == 0


def test_dice_thrown_by_players_are_counted(run, film, saved):
    action = first(film, "wind_outcome")
    action["dice_source"] = "DICE_SOURCE_SUPPLIED"
    told = run("verify", saved(film), "--json")
    assert told.json["rolls"]["supplied"] == 1


def test_quiet_leaves_the_rulings_out(run, film_file, film):
    ran = run("replay", film_file, "--quiet")
    assert film["actions"][0]["summary"] not in ran.out
    assert "all agree" in ran.out


@pytest.mark.parametrize("command", ["replay", "verify"])
def test_a_broken_film_is_one_line_that_names_the_place(run, film, saved, tmp_path, command):
    missing = tmp_path / "none.json"
    run(command, missing).refused(2, str(missing), "No such file")
    cut = tmp_path / "cut.json"
    cut.write_text(json.dumps(film)[:2000])
    run(command, cut).refused(2, str(cut), "not a film", "not JSON", "column")
    film["actions"][2]["revision"] = "three"
    run(command, saved(film)).refused(2, "actions[2].revision")


@pytest.mark.parametrize(
    ("spoil", "place"),
    [
        (lambda film: film.update(format=2), "film.format"),
        (lambda film: film["actions"][0].update(speed=1), "actions[0].speed"),
        (lambda film: film["session"].update(setup={}), "film.session.setup"),
        (lambda film: film["session"].update(ruleset="rulesets/chess"), "chess"),
        (lambda film: film["session"].update(dice_commitments=[]), "dice_commitments"),
        (lambda film: film["actions"][1]["rolls"][0].update(sides=[100_000]), "actions[1].rolls"),
        (lambda film: film["actions"][1]["rolls"][0].update(sides=[]), "actions[1].rolls"),
        (lambda film: film["actions"][0].pop("move_outcome"), "actions[0]"),
    ],
)
def test_what_is_no_film_is_refused_by_place(run, film, saved, spoil, place):
    spoil(film)
    run("verify", saved(film)).refused(2, "not a film", place)


# Receipts.


@pytest.fixture(scope="session")
def bundle(film_file, service, tmp_path_factory):
    """The film with receipts, the published keys and one receipt, as files."""
    folder = tmp_path_factory.mktemp("bundle")
    session = json.loads(film_file.read_text())["session"]["name"]
    pages = {
        "film.json": f"/v1/{session}:export?with_receipts=true",
        "keys.json": "/.well-known/guncamera-signing-keys",
        "receipt.json": f"/v1/{session}/actions/3:receipt",
    }
    for name, address in pages.items():
        answer = asking.get(service.url + address)
        assert answer.status_code == 200, answer.text
        (folder / name).write_bytes(answer.content)
    return folder


def test_verify_checks_receipts_by_the_published_keys(run, bundle):
    film = json.loads((bundle / "film.json").read_text())
    key = film["receipts"][0]["key_id"]
    kept = ["--keys", bundle / "keys.json", "--receipt", bundle / "receipt.json"]
    ran = run("verify", bundle / "film.json", *kept)
    assert ran.code == 0, ran.err
    words = " ".join(ran.out.split())
    assert f"{len(film['actions']) + 1} receipts signed by {key}: all hold." in words
    told = run("verify", bundle / "film.json", *kept, "--json").json
    assert told["agrees"] is True
    assert told["receipts"] == {
        "checked": len(film["actions"]) + 1,
        "keys": [key],
        "keys_published": True,
    }


def test_verify_says_when_nothing_is_signed_and_whose_keys_it_trusts(run, bundle, film_file):
    assert "No receipts" in run("verify", film_file).out
    words = " ".join(run("verify", bundle / "film.json").out.split())
    assert "Their keys are the film's own" in words


def test_a_changed_receipt_is_found(run, bundle, saved):
    film = json.loads((bundle / "film.json").read_text())
    signature = film["receipts"][2]["signature"]
    film["receipts"][2]["signature"] = ("0" if signature[0] != "0" else "1") + signature[1:]
    run("verify", saved(film)).refused(1, "action 3: receipt's signature")


def test_a_time_that_was_changed_is_found_by_the_receipt_alone(run, bundle, saved):
    film = json.loads((bundle / "film.json").read_text())
    film["actions"][4]["create_time"] = "2001-01-01T00:00:00Z"
    file = saved(film)
    assert run("replay", file).code == 0
    run("verify", file).refused(1, "action 5: receipt's action_digest")


def test_a_changed_etag_is_found_without_receipts(run, film, saved):
    film["actions"][4]["etag"] = '"99"'
    run("verify", saved(film)).refused(1, 'action 5: etag is "99"')


def test_a_changed_board_is_found_without_receipts(run, film, saved):
    film["session"]["board"]["kettering"]["ammunition"] += 1
    run("verify", saved(film)).refused(1, "board is")


def test_dice_from_nowhere_are_found(run, film, saved):
    action = first(film, "wind_outcome")
    for source in ("DICE_SOURCE_UNSPECIFIED", "DICE_SOURCE_DRAWN"):
        action["dice_source"] = source
        run("verify", saved(film)).refused(1, f"action {action['revision']}: dice_source is")


@pytest.mark.parametrize("name", ["keys.json", "receipt.json"])
def test_what_is_no_key_and_no_receipt_is_refused(run, bundle, tmp_path, name):
    option = {"keys.json": "--keys", "receipt.json": "--receipt"}[name]
    run("verify", bundle / "film.json", option, tmp_path / "none").refused(2, "No such file")
    broken = tmp_path / name
    broken.write_text('{"session": 1}')
    run("verify", bundle / "film.json", option, broken).refused(2, str(broken), "not a")


@pytest.fixture
def undone_film(service, tmp_path):
    """A game that was begun, with an undo in it, as plain data."""
    order = {"kettering": {"deploy": {"hex": "A-35", "facing": "HEX_DIRECTION_NORTHWEST",
                                      "altitude_metres": 1900, "speed_mp": 9}}}  # fmt: skip

    def post(path, **body):
        answer = asking.post(f"{service.url}/v1/{path}", json=body)
        assert answer.is_success, answer.text
        return answer.json()

    setup = {"kettering": {"aircraft_type": "fokker-d7"}}
    name = post("sessions", setup=setup)["name"]
    for _ in range(2):
        post(f"{name}:move", order=order)
        assert post(f"{name}:undo")["to_revision"] in (0, 2)
    post(f"{name}:move", order=order)
    return asking.get(f"{service.url}/v1/{name}:export").json()


def test_an_undo_is_told_and_judged_again(run, undone_film, saved):
    ran = run("replay", saved(undone_film))
    assert ran.code == 0, ran.err
    verbs = [line.split()[1] for line in ran.out.splitlines()[:5]]
    assert verbs == ["move", "undo", "move", "undo", "move"]
    assert "4  undo    Taken back by pilot: action 3." in ran.out
    assert run("verify", saved(undone_film)).code == 0
    undone_film["actions"][3]["undo"]["to_revision"] = 1
    ran = run("verify", saved(undone_film))
    assert ran.code == 1
    assert "action 4: ruling" in ran.err
