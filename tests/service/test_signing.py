"""The signing key of a running service: made at its start, kept, and followed by others."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import asking
import pytest
from conftest import Service, start_service, stop_service
from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, generate_private_key
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from guncamera.host.settings import ServiceSettings, SettingsError
from guncamera.host.signing_file import private_key_in
from guncamera.sessions.signing import public_of

PUBLISHED = "/.well-known/guncamera-signing-keys"


def keys_of(service: Service) -> list[dict[str, Any]]:
    keys: list[dict[str, Any]] = asking.get(service.url + PUBLISHED).json()["signing_keys"]
    return keys


def signing(data_dir: Path, *arguments: str) -> str:
    environment = {k: v for k, v in os.environ.items() if not k.startswith("GUNCAMERA_")}
    done = subprocess.run(
        [sys.executable, "-m", "guncamera", "signing", *arguments, "--data-dir", str(data_dir)],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
        env=environment,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def pem(key: Any) -> bytes:
    octets: bytes = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    return octets


def test_a_service_keeps_its_key_over_restarts_and_takes_a_new_one_while_it_runs(
    tmp_path: Path,
) -> None:
    service = start_service(tmp_path)
    try:
        (first,) = keys_of(service)
        assert "retire_time" not in first
    finally:
        stop_service(service)
    assert json.loads(signing(tmp_path, "list", "--json"))[0]["id"] == first["id"]
    service = start_service(tmp_path)
    try:
        assert keys_of(service) == [first]
        assert "signs from now on" in signing(tmp_path, "rotate")
        old, new = keys_of(service)
        assert (old["id"], old["public_key"]) == (first["id"], first["public_key"])
        assert old["retire_time"] == new["create_time"]
        assert "retire_time" not in new
    finally:
        stop_service(service)


def test_an_ed25519_key_is_read_from_pem(tmp_path: Path) -> None:
    key = Ed25519PrivateKey.generate()
    file = tmp_path / "key.pem"
    file.write_bytes(pem(key))
    assert public_of(private_key_in(str(file))) == key.public_key().public_bytes_raw()
    assert private_key_in(ServiceSettings().signing_key) == b""


def test_a_file_without_such_a_key_stops_the_start(tmp_path: Path) -> None:
    other = tmp_path / "other.pem"
    other.write_bytes(pem(generate_private_key(SECP256R1())))
    text = tmp_path / "text.pem"
    text.write_text("no key")
    for file, why in ((other, "holds no Ed25519"), (text, "holds no"), (tmp_path / "no", "read")):
        with pytest.raises(SettingsError, match=f"GUNCAMERA_SIGNING_KEY: .*{why}"):
            private_key_in(str(file))
