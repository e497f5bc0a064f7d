"""`make playthroughs`: plays the golden games anew. Review the difference before you commit it.

Named rule sets are played alone: `python tests/playthroughs/record.py kettering`.

A golden game is a film as JSON lines: the session first, then each action. Clock, ids and dice
are fixed, so the same rules give the same bytes.
"""

from __future__ import annotations

import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent))

import servers  # noqa: E402  # from the tests' folder
from conftest import Clock  # noqa: E402
from games import refereed_setup, seat_that_sees_all  # noqa: E402
from guncamera.api.endpoints import Endpoints  # noqa: E402
from guncamera.api.json_codec import to_json  # noqa: E402
from guncamera.api.rulings import fill_outcome  # noqa: E402
from guncamera.rules.ruleset import Ruleset, ruleset, rulesets  # noqa: E402
from guncamera.sessions.redis_store import RedisStore  # noqa: E402
from guncamera.sessions.shelf import Shelf  # noqa: E402
from guncamera.v1 import session_service_pb2 as pb  # noqa: E402
from orders import who  # noqa: E402
from wire_play import play_step  # noqa: E402

MOST_ACTIONS = 150
"""A golden game is cut here, unfinished, so that its file stays readable."""


def play(endpoints: Endpoints, found: Ruleset, pilot: str) -> pb.Film:
    """One golden game."""
    slug = found.slug
    request = pb.CreateSessionRequest(session_id=f"golden-{slug}-{pilot}", dice_seed="golden")
    fill_outcome(request.setup, slug, refereed_setup(found))
    session = endpoints.CreateSession(request, who())
    for number in range(MOST_ACTIONS):
        if session.state == pb.SESSION_STATE_FINISHED:
            break
        session = play_step(endpoints, session, found, pilot, number)
    seat = seat_that_sees_all(session)
    film = endpoints.ExportSession(pb.ExportSessionRequest(name=session.name, seat=seat), who())
    endpoints.DeleteSession(pb.DeleteSessionRequest(name=session.name), who())
    return film


def lines_of(film: pb.Film) -> list[bytes]:
    """A film as JSON lines."""
    return [to_json(film.session), *(to_json(action) for action in film.actions)]


def main() -> None:
    """Play the golden games of the rule sets that are named, or of all, and write them."""
    wanted = [ruleset(slug) for slug in sys.argv[1:]] or list(rulesets().values())
    with servers.Server(servers.valkey_program()) as server:
        store = RedisStore(server.url)
        for found in wanted:
            for pilot in sorted(found.pilots):
                endpoints = Endpoints(Shelf(store), clock=Clock(), page_key=b"golden")
                film = play(endpoints, found, pilot)
                path = HERE / f"{found.slug}-{pilot}.jsonl"
                path.write_bytes(b"\n".join(lines_of(film)) + b"\n")
                print(f"{path.name}: {len(film.actions)} actions")
        store.close()


if __name__ == "__main__":
    main()
