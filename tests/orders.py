"""Orders and calls of a small campaign, for tests that need a session to play with."""

from guncamera.api.caller import Caller
from guncamera.v1 import actions_pb2, dice_pb2
from guncamera.v1 import ruleset_kettering_pb2 as ket
from guncamera.v1 import session_service_pb2 as pb
from guncamera.v1.hexes_pb2 import HEX_DIRECTION_NORTHWEST

SETUP = actions_pb2.SessionSetup(kettering=ket.KetteringSetup(aircraft_type="fokker-d7"))
DEPLOY = actions_pb2.MoveOrder(
    kettering=ket.KetteringMoveOrder(
        deploy=ket.KetteringDeploy(
            hex="A-35", facing=HEX_DIRECTION_NORTHWEST, altitude_metres=1000, speed_mp=8
        )
    )
)
LAUNCH = actions_pb2.MoveOrder(kettering=ket.KetteringMoveOrder(launch=ket.KetteringLaunch()))
FIRE = actions_pb2.FireOrder(kettering=ket.KetteringFireOrder())


def who(token=None):
    return Caller(token=token, request_id="test")


def supplied(*faces):
    return dice_pb2.DicePolicy(supplied=dice_pb2.SuppliedDice(faces=faces))


INSPECT = actions_pb2.DamageOrder(
    kettering=ket.KetteringDamageOrder(inspect=ket.KetteringInspect())
)


def move(endpoints, session, order, *, token=None, **fields):
    request = pb.MoveRequest(name=session.name, order=order, **fields)
    return endpoints.Move(request, who(token))
