"""A door in front of a plain server, that speaks TLS or lingers; an authority and certificates."""

from __future__ import annotations

import contextlib
import selectors
import socket
import ssl
import threading
import time
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID

CHUNK = 64 * 1024
HANDSHAKE = b"\x16"


class Authority:
    """Who signs certificates, in a folder.

    Attributes:
        file: Its own certificate, for those who trust it.
    """

    def __init__(self, folder: Path, name: str) -> None:
        self._folder = folder
        self._key = ec.generate_private_key(ec.SECP256R1())
        self._name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
        self._made = 0
        own = self._certificate(self._name, self._key.public_key()).add_extension(
            x509.BasicConstraints(ca=True, path_length=None), critical=True
        )
        self.file = folder / f"{name}.pem"
        self.file.write_bytes(own.sign(self._key, hashes.SHA256()).public_bytes(Encoding.PEM))

    def server_context(self, *addresses: str) -> ssl.SSLContext:
        """What a server at these addresses identifies itself with."""
        key = ec.generate_private_key(ec.SECP256R1())
        names = x509.SubjectAlternativeName([x509.IPAddress(ip_address(a)) for a in addresses])
        signed = (
            self._certificate(x509.Name([]), key.public_key())
            .add_extension(names, critical=True)
            .sign(self._key, hashes.SHA256())
        )
        self._made += 1
        file = self._folder / f"{self.file.stem}-{self._made}.pem"
        pem = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
        file.write_bytes(pem + signed.public_bytes(Encoding.PEM))
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(file)
        return context

    def _certificate(
        self, subject: x509.Name, key: ec.EllipticCurvePublicKey
    ) -> x509.CertificateBuilder:
        now = datetime.now(UTC)
        return (
            x509.CertificateBuilder()
            .subject_name(subject)
            .issuer_name(self._name)
            .public_key(key)
            .serial_number(x509.random_serial_number())
            .not_valid_before(now - timedelta(days=1))
            .not_valid_after(now + timedelta(days=1))
        )


class Door:
    """A loopback port that speaks TLS, and passes on what is said to a plain server.

    Who does not begin with a handshake is let through as well, and counted: servers that speak of
    each other's ports in the clear can find each other there.

    Args:
        context: What it identifies itself with; None for a door that speaks no TLS.
        plain: A Unix socket's path, or `host:port`.
        answer_seconds: How long it holds every answer back.
    """

    def __init__(
        self, context: ssl.SSLContext | None, plain: str, *, answer_seconds: float = 0.0
    ) -> None:
        self.handshakes, self.in_the_clear = 0, 0
        self._context, self._plain, self._answer_seconds = context, plain, answer_seconds
        self._is_over = threading.Event()
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._listener.settimeout(0.1)
        self.port: int = self._listener.getsockname()[1]
        self._thread = threading.Thread(target=self._accept)

    def __enter__(self) -> Door:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._is_over.set()
        self._thread.join()
        self._listener.close()

    def _accept(self) -> None:
        callers = []
        while not self._is_over.is_set():
            with contextlib.suppress(TimeoutError):
                caller, _ = self._listener.accept()
                callers.append(threading.Thread(target=self._let_in, args=(caller,)))
                callers[-1].start()
        for one in callers:
            one.join()

    def _let_in(self, caller: socket.socket) -> None:
        caller.settimeout(5)
        with caller, contextlib.suppress(OSError):  # of which a handshake that fails is one
            if self._context and caller.recv(1, socket.MSG_PEEK) == HANDSHAKE:
                with self._context.wrap_socket(caller, server_side=True) as secret:
                    self.handshakes += 1
                    self._pass_on(secret)
            else:
                self.in_the_clear += 1
                self._pass_on(caller)

    def _pass_on(self, caller: socket.socket) -> None:
        with self._connected() as server, selectors.DefaultSelector() as selector:
            selector.register(caller, selectors.EVENT_READ, server)
            selector.register(server, selectors.EVENT_READ, caller)
            while not self._is_over.is_set():
                for ready, _ in selector.select(0.1):
                    source = ready.fileobj
                    assert isinstance(source, socket.socket)
                    data = source.recv(CHUNK)
                    if not data:
                        return
                    # What is decrypted already makes no socket ready.
                    while isinstance(source, ssl.SSLSocket) and source.pending():
                        data += source.recv(CHUNK)
                    if source is server:
                        time.sleep(self._answer_seconds)
                    ready.data.sendall(data)

    def _connected(self) -> socket.socket:
        if self._plain.startswith("/"):
            server = socket.socket(socket.AF_UNIX)
            server.connect(self._plain)
            return server
        host, _, port = self._plain.rpartition(":")
        return socket.create_connection((host, int(port)))
