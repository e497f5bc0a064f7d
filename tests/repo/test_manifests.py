"""What is shown under docs/deploy is valid, and agrees with the service that it runs."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import kubernetes_validate
import pytest
import yaml
from guncamera.api.config import Config
from guncamera.api.rest import create_app
from guncamera.api.routes import SERVICES
from guncamera.host.settings import ServiceSettings, settings_from
from guncamera.host.supervisor import LAST_SECONDS
from guncamera.sessions.redis_store import RedisStore

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "docs/deploy"
MANIFESTS = sorted((DEPLOY / "kubernetes").glob("*.yaml"))
COMPOSE = DEPLOY / "compose.yaml"
DOCKERFILE = (ROOT / "Dockerfile").read_text(encoding="utf-8")
KUBERNETES = kubernetes_validate.latest_version()
WORKLOADS = {"Deployment", "StatefulSet", "Job"}
SECRET_FILES = {"store-url": "redis://:word@guncamera-store:6379/0", "page-key": "secret"}


def documents() -> Iterator[dict[str, Any]]:
    for path in MANIFESTS:
        yield from yaml.safe_load_all(path.read_text(encoding="utf-8"))


def named(kind: str, name: str = "guncamera") -> dict[str, Any]:
    (found,) = (d for d in documents() if (d["kind"], d["metadata"]["name"]) == (kind, name))
    return found


def pods() -> dict[str, dict[str, Any]]:
    """The pod of each workload, by the workload's name."""
    return {
        d["metadata"]["name"]: d["spec"]["template"] for d in documents() if d["kind"] in WORKLOADS
    }


def compose() -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load(COMPOSE.read_text(encoding="utf-8"))
    return found


def from_dockerfile(word: str) -> str:
    (found,) = re.findall(rf"^{word} ((?:.*\\\n)*.*)", DOCKERFILE, re.MULTILINE)
    return str(found).replace("\\\n", " ")


def of_image() -> dict[str, str]:
    """The variables that the image sets itself."""
    return dict(re.findall(r"(GUNCAMERA_\w+)=(\S+)", from_dockerfile("ENV")))


def as_started(environment: dict[str, str], folder: Path) -> ServiceSettings:
    """The settings that a container would start with; secrets are put where it looks for them."""
    here = {}
    for name, value in environment.items():
        if name.endswith("_FILE"):
            secret = folder / Path(value).name.replace("_", "-")
            secret.write_text(SECRET_FILES[secret.name])
            value = str(secret)
        here[name] = value
    return settings_from({**of_image(), **here}, {})


def in_kubernetes(folder: Path) -> ServiceSettings:
    (container,) = pods()["guncamera"]["spec"]["containers"]
    assert container["envFrom"] == [{"configMapRef": {"name": "guncamera"}}]
    plain = {one["name"]: one["value"] for one in container["env"]}
    return as_started({**named("ConfigMap")["data"], **plain}, folder)


@pytest.mark.parametrize("path", MANIFESTS, ids=lambda path: path.stem)
def test_every_manifest_is_valid_and_says_nothing_that_kubernetes_would_leave_out(
    path: Path,
) -> None:
    found = list(yaml.safe_load_all(path.read_text(encoding="utf-8")))
    assert found
    for document in found:
        kubernetes_validate.validate(document, KUBERNETES, strict=True)


def test_a_misspelt_field_of_a_manifest_is_found() -> None:
    service = named("Service")
    service["spec"]["selectors"] = service["spec"].pop("selector")
    with pytest.raises(kubernetes_validate.ValidationError, match="selectors"):
        kubernetes_validate.validate(service, KUBERNETES, strict=True)


def test_the_compose_file_is_one() -> None:
    check = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", "vendor.compose-spec"]
    done = subprocess.run([*check, str(COMPOSE)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


def test_the_settings_given_are_settings_and_let_nobody_in_without_a_key(tmp_path: Path) -> None:
    in_compose = as_started(compose()["services"]["guncamera"]["environment"], tmp_path)
    for found in (in_kubernetes(tmp_path), in_compose):
        assert not found.may_be_open
        assert found.store_url.startswith("redis://")
        assert found.page_key
        assert found.unready_seconds > 0
    job_pod = pods()["guncamera-first-key"]["spec"]["containers"][0]
    as_started({one["name"]: one["value"] for one in job_pod["env"]}, tmp_path)


def test_all_that_calls_itself_ours_is_a_setting_in_a_pod() -> None:
    # Of the variables that Kubernetes makes up for each Service, ours begin with GUNCAMERA_.
    for name in ("guncamera", "guncamera-first-key"):
        assert pods()[name]["spec"]["enableServiceLinks"] is False


def test_a_stop_has_the_time_that_it_takes(tmp_path: Path) -> None:
    pod = pods()["guncamera"]["spec"]
    service = compose()["services"]["guncamera"]
    in_compose = as_started(service["environment"], tmp_path)
    grace = (pod["terminationGracePeriodSeconds"], int(service["stop_grace_period"].rstrip("s")))
    for seconds, settings in zip(grace, (in_kubernetes(tmp_path), in_compose), strict=True):
        assert seconds > settings.unready_seconds + settings.drain_seconds + LAST_SECONDS
    probe = pod["containers"][0]["readinessProbe"]
    until_red = probe["periodSeconds"] * probe["failureThreshold"]
    assert in_kubernetes(tmp_path).unready_seconds >= until_red, "the Service has noticed"


def test_probes_ask_what_there_is(tmp_path: Path) -> None:
    (container,) = pods()["guncamera"]["spec"]["containers"]
    ports = {one["name"]: one["containerPort"] for one in container["ports"]}
    settings = in_kubernetes(tmp_path)
    assert settings.rest_address == f"0.0.0.0:{ports['rest']}"
    assert settings.grpc_address == f"0.0.0.0:{ports['grpc']}"
    rules = {str(rule) for rule in create_app(Endless(), config=Config()).url_map.iter_rules()}
    asked = {name: container[f"{name}Probe"]["httpGet"] for name in ("readiness", "liveness")}
    assert asked["readiness"] == {"path": "/readyz", "port": "rest"}
    assert asked["liveness"] == {"path": "/healthz", "port": "rest"}
    assert {one["path"] for one in asked.values()} <= rules
    startup = container["startupProbe"]["grpc"]
    assert startup["port"] == ports["grpc"]
    assert startup["service"] in {service.full_name for service in SERVICES}


class Endless:
    """Endpoints that have every method."""

    def __getattr__(self, name: str) -> Any:
        return print


def test_ports_lead_to_containers_and_selectors_to_one_workload() -> None:
    labels = {name: pod["metadata"]["labels"] for name, pod in pods().items()}
    for document in documents():
        kind, spec = document["kind"], document.get("spec", {})
        selector = {
            "Service": lambda s: s["selector"],
            "PodDisruptionBudget": lambda s: s["selector"]["matchLabels"],
            "NetworkPolicy": lambda s: s["podSelector"]["matchLabels"],
        }.get(kind)
        if selector is None:
            continue
        (chosen,) = [name for name, has in labels.items() if selector(spec).items() <= has.items()]
        containers = pods()[chosen]["spec"]["containers"]
        there = {port["name"]: port["containerPort"] for one in containers for port in one["ports"]}
        wanted = {port["targetPort"]: port["port"] for port in spec.get("ports", [])}
        assert wanted.items() <= there.items(), document["metadata"]["name"]
        for rule in spec.get("ingress", []):
            assert {port["port"] for port in rule["ports"]} == set(there.values())


def test_the_service_and_its_budget_leave_a_copy_when_one_goes() -> None:
    deployment = named("Deployment")["spec"]
    assert deployment["replicas"] > named("PodDisruptionBudget")["spec"]["minAvailable"] >= 1
    assert deployment["strategy"]["rollingUpdate"]["maxUnavailable"] == 0


def test_secrets_are_those_that_the_manifest_makes_and_fit_each_other() -> None:
    made = named("Secret")["stringData"]
    RedisStore(made["store-url"]).close()
    assert f":{made['store-password']}@guncamera-store:6379" in made["store-url"]
    (valkey,) = pods()["guncamera-store"]["spec"]["containers"]
    assert {one["valueFrom"]["secretKeyRef"]["key"] for one in valkey["env"]} <= set(made)
    for name in ("guncamera", "guncamera-first-key"):
        (volume,) = (v for v in pods()[name]["spec"]["volumes"] if v["name"] == "secrets")
        items = {one["path"]: one["key"] for one in volume["secret"]["items"]}
        assert set(items.values()) <= set(made)
        (container,) = pods()[name]["spec"]["containers"]
        (mount,) = (m for m in container["volumeMounts"] if m["name"] == "secrets")
        files = {v["value"] for v in container["env"] if v["name"].endswith("_FILE")}
        assert files == {f"{mount['mountPath']}/{path}" for path in items}


def test_the_stores_that_the_guide_names_are_understood() -> None:
    guide = (ROOT / "docs/running.md").read_text(encoding="utf-8")
    shown = re.findall(r"^redis\+\w+://\S+$", guide, re.MULTILINE)
    assert [url.partition(":")[0] for url in shown] == ["redis+sentinel", "redis+cluster"]
    for url in shown:
        RedisStore(url).close()


@pytest.mark.parametrize("name", ["guncamera", "guncamera-store", "guncamera-first-key"])
def test_containers_are_bounded_and_may_do_little(name: str) -> None:
    pod = pods()[name]["spec"]
    assert pod["securityContext"]["runAsNonRoot"]
    assert pod["automountServiceAccountToken"] is False
    for container in pod["containers"]:
        assert {"cpu", "memory"} <= container["resources"]["requests"].keys()
        assert "memory" in container["resources"]["limits"]
        assert container["securityContext"]["capabilities"] == {"drop": ["ALL"]}
        assert container["securityContext"]["readOnlyRootFilesystem"]
        assert not container["securityContext"]["allowPrivilegeEscalation"]


def store_commands() -> dict[str, list[str]]:
    (valkey,) = pods()["guncamera-store"]["spec"]["containers"]
    return {"kubernetes": valkey["args"], "compose": compose()["services"]["store"]["command"]}


@pytest.mark.parametrize("where", ["kubernetes", "compose"])
def test_the_store_is_one_that_the_service_finds_nothing_wrong_with(where: str) -> None:
    from servers import Server, valkey_program

    words = [word for word in store_commands()[where][1:] if word != "$(STORE_PASSWORD)"]
    assert words[::2] == [word for word in words if word.startswith("--")][: len(words[::2])]
    options = dict(zip((w.lstrip("-").replace("-", "_") for w in words[::2]), words[1::2]))
    options = {name: value for name, value in options.items() if name not in ("dir", "requirepass")}
    with Server(valkey_program(), **options) as server:
        store = RedisStore(server.url)
        report = store.check()
        store.close()
    assert report.is_ready
    assert not report.warnings
    assert (report.persistence, report.eviction_policy) == ("aof", "noeviction")
    assert options["appendfsync"] == "always"


def test_the_image_is_one_and_does_what_it_says() -> None:
    images = {
        container["image"].rpartition("/")[2]
        for name, pod in pods().items() if name != "guncamera-store"
        for container in pod["spec"]["containers"]
    }  # fmt: skip
    images.add(compose()["services"]["guncamera"]["image"])
    version = re.search(r'^version = "(.+)"', (ROOT / "pyproject.toml").read_text(), re.MULTILINE)
    assert version is not None
    assert images == {f"guncamera:{version[1]}"}
    user = from_dockerfile("USER")
    for name in ("guncamera", "guncamera-first-key"):
        assert str(pods()[name]["spec"]["securityContext"]["runAsUser"]) == user
    assert from_dockerfile("STOPSIGNAL") == "SIGTERM"
    exposed = from_dockerfile("EXPOSE").split()
    plain = settings_from(of_image(), {})
    assert [a.rpartition(":")[2] for a in (plain.rest_address, plain.grpc_address)] == exposed
    published = compose()["services"]["guncamera"]["ports"]
    assert [port.rpartition(":")[2] for port in published] == exposed
    probe = compose()["services"]["guncamera"]["healthcheck"]["test"][1:]
    assert str(probe).replace("'", '"') in from_dockerfile("HEALTHCHECK")


def test_what_the_dockerfile_copies_is_there_and_let_through() -> None:
    let_through = (ROOT / ".dockerignore").read_text().splitlines()
    assert let_through[0] == "*"
    copied = [
        name
        for line in re.findall(r"^COPY (?!--from)(.+)$", DOCKERFILE, re.MULTILINE)
        for name in line.split()[:-1]
    ]
    assert {"constraints.txt", "service", "clients", "tests/cases"} <= set(copied)
    for name in copied:
        assert (ROOT / name).exists()
        assert f"!{name}" in let_through
