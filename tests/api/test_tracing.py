"""Spans: what is a fault of ours, and that nothing of it is there where nobody asks for it."""

from __future__ import annotations

import subprocess
import sys

import pytest
from fakes import FakeEndpoints
from guncamera.api import tracing
from guncamera.api.config import Config
from guncamera.api.refusals import NotReady
from guncamera.api.rest import create_app
from guncamera.api.telemetry import Telemetry
from guncamera.rules.refusal import Illegal
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import StatusCode


@pytest.mark.parametrize(
    ("fault", "reason", "status"),
    [
        (None, "OK", StatusCode.UNSET),
        (Illegal("KET-7.1", "No."), "ACTION_ILLEGAL", StatusCode.UNSET),
        (NotReady("The store is away."), "NOT_READY", StatusCode.ERROR),
        (RuntimeError("a secret of ours"), "INTERNAL", StatusCode.ERROR),
    ],
)
def test_a_span_is_an_error_when_the_service_failed_and_not_when_it_refused(
    fault: Exception | None, reason: str, status: StatusCode
) -> None:
    exporter, provider = InMemorySpanExporter(), TracerProvider(shutdown_on_exit=False)
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    endpoints = FakeEndpoints()
    if fault is not None:
        endpoints.answers["Fire"] = fault
    config = Config(telemetry=Telemetry(tracing.Tracing(provider)))
    create_app(endpoints, config=config).test_client().post("/v1/sessions/s1:fire")
    (span,) = exporter.get_finished_spans()
    assert (span.name, span.status.status_code) == ("Fire", status)
    assert span.attributes is not None
    assert span.attributes["guncamera.reason"] == reason
    assert "secret" not in span.to_json()


def test_without_an_endpoint_nothing_of_it_is_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in tracing.ENDPOINTS:
        monkeypatch.delenv(name, raising=False)
    code = (
        "import sys; import guncamera.host.wiring as w; "
        "assert w.tracing_from_environment() is None; "
        # redis-py looks for the library's metrics by itself
        "ours = ('opentelemetry.sdk.trace', 'opentelemetry.exporter'); "
        "print([name for name in sys.modules if name.startswith(ours)])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=60
    )
    assert (done.stdout.strip(), done.returncode) == ("[]", 0), done.stderr


def test_without_the_extra_there_is_no_tracing_and_no_crash(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv(tracing.ENDPOINTS[1], "http://127.0.0.1:1")
    monkeypatch.setenv("OTEL_SDK_DISABLED", "true")
    assert not tracing.is_wanted()
    monkeypatch.delenv("OTEL_SDK_DISABLED")
    assert tracing.is_wanted()
    assert tracing.is_installed()
    monkeypatch.setitem(sys.modules, "opentelemetry.sdk.trace", None)
    assert not tracing.is_installed()
    assert tracing.tracing_from_environment() is None
