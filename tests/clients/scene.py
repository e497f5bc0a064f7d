"""What the tests of the clients share: a session, and little patience."""

from __future__ import annotations

from guncamera.v1.session_service_pb2 import Session
from guncamera_client import RetryPolicy

SWIFT = RetryPolicy(first_pause_seconds=0.001, longest_pause_seconds=0.005)
PATIENCE_SECONDS = 20.0
NAME = "sessions/night"
KETTERING = Session(name=NAME, ruleset="rulesets/kettering", revision=3)
