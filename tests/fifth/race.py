"""A whole race through a running service, by the client alone; prints how it ended.

It is run in a tree that has the rule set, and in which `tests` is on the path.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

from conftest import start_service, stop_service
from guncamera.v1 import ruleset_peregrine_pb2 as per
from guncamera.v1.session_service_pb2 import SESSION_STATE_FINISHED
from guncamera_client import Client

LEAGUES = 9


def race(client: Client) -> list[str]:
    """Every seat flies its lowest band, and the falcon stoops when it can: the summaries."""
    session = client.create_session(per.PeregrineSetup(leagues=LEAGUES), dice_seed="race")
    of_seat = {
        seat.id: client.with_token(client.claim_seat(session, seat.id).token)
        for seat in session.seats
    }
    while session.active_seats:
        for seat in session.active_seats:
            order = next(iter(of_seat[seat].list_legal_orders(session)))
            if session.sealed_verb:
                answer = of_seat[seat].seal_order(session, order)
                seen = client.get_session(session).board
                assert answer.revealed or seen == session.board, "a seal shows nothing"
            else:
                of_seat[seat].fire(session, order.fire)
        session = client.get_session(session)
    assert session.state == SESSION_STATE_FINISHED
    return [action.summary for action in client.list_actions(session)]


def main() -> None:
    """Start a service, race, and end it."""
    with tempfile.TemporaryDirectory() as folder:
        service = start_service(Path(folder))
        try:
            with Client(service.grpc) as client:
                print("\n".join(race(client)))
        finally:
            stop_service(service)


if __name__ == "__main__":
    main()
