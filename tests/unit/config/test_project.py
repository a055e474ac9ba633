"""The settings: bounds, sources of values, and messages that name a setting and never its value."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from sluis.config import (
    CONFIG_NAME,
    InvalidSettingsError,
    NoProjectError,
    ProjectConfig,
    config_schema,
    find_project,
)

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture(autouse=True)
def _no_settings_from_outside(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in list(os.environ):
        if name.startswith("SLUIS_"):
            monkeypatch.delenv(name)


def project(folder: Path, text: str = "") -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / CONFIG_NAME).write_text(text, encoding="utf-8")
    return folder


def test_an_empty_file_gives_the_documented_defaults(tmp_path: Path) -> None:
    config = ProjectConfig.load(project(tmp_path))
    assert config.root == tmp_path.resolve()
    assert config.store.backend == "edge"
    assert config.sources["ecli"].url == "https://data.rechtspraak.nl"
    assert (config.gate.budget_ms, config.gate.hold_seconds, config.gate.max_redrafts) == (800, 90, 2)
    assert config.smtp is None


def test_the_nearest_file_upwards_is_the_project(tmp_path: Path) -> None:
    outer = project(tmp_path / "outer")
    inner = project(outer / "a" / "inner")
    (inner / "b").mkdir()
    (outer / "c").mkdir()
    assert find_project(inner / "b") == inner.resolve()
    assert find_project(outer / "c") == outer.resolve()


def test_the_current_folder_is_where_the_search_starts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(project(tmp_path))
    assert ProjectConfig.load().root == tmp_path.resolve()


def test_no_file_says_how_to_make_one(tmp_path: Path) -> None:
    with pytest.raises(NoProjectError) as raised:
        ProjectConfig.load(tmp_path)
    assert "sluis new" in raised.value.hint


def test_paths_start_at_the_folder_of_the_file_wherever_the_program_runs(tmp_path: Path) -> None:
    config = ProjectConfig.load(project(tmp_path, '[paths]\nstate = "var"\nout = "/abs"\n'))
    root = tmp_path.resolve()
    assert config.state_path == root / "var"
    assert config.out_path == Path("/abs")
    assert config.documents_path == root / "corpus"
    assert config.ledger_path == root / "var" / "ledger.db"
    assert config.checkpoints_path == root / "var" / "checkpoints.db"
    assert config.store_path == root / "var" / "store"
    assert config.signing_key_path == root / "var" / "keys" / "signing.pem"
    assert config.public_keys_path == root / "var" / "keys" / "public"
    assert config.manifest_path == root / "var" / "manifest.json"


def test_a_policy_is_a_file_of_the_project_or_a_built_in_one(tmp_path: Path) -> None:
    assert ProjectConfig.load(project(tmp_path)).policy_path is None
    config = ProjectConfig.load(project(tmp_path, '[policy]\nfile = "policies/mine.yaml"\n'))
    assert config.policy_path == tmp_path.resolve() / "policies" / "mine.yaml"


def test_the_environment_wins_over_the_file_setting_by_setting(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = project(tmp_path, '[project]\nname = "mine"\ntenant = "t1"\n[gate]\nhold_seconds = 5\n')
    monkeypatch.setenv("SLUIS_PROJECT__TENANT", "t2")
    monkeypatch.setenv("SLUIS_STORE__BACKEND", "local")
    monkeypatch.setenv("SLUIS_SOURCES__ECLI__URL", "http://127.0.0.1:8750")
    config = ProjectConfig.load(folder)
    assert (config.project.name, config.project.tenant) == ("mine", "t2")
    assert config.store.backend == "local"
    assert config.sources["ecli"].url == "http://127.0.0.1:8750"
    assert config.gate.hold_seconds == 5


def test_the_environment_cannot_move_the_project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SLUIS_ROOT", "/elsewhere")
    assert ProjectConfig.load(project(tmp_path)).root == tmp_path.resolve()


def test_a_configuration_built_by_hand_takes_nothing_from_the_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SLUIS_PROJECT__TENANT", "t2")
    assert ProjectConfig(root=tmp_path).project.tenant == "default"


def test_a_variable_that_names_a_section_must_hold_json(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SLUIS_GATE", "{")
    with pytest.raises(InvalidSettingsError, match="SLUIS_ variable"):
        ProjectConfig.load(project(tmp_path))


WRONG = {
    "an unknown section": ("[gates]\nx = 1\n", "gates"),
    "an unknown setting": ("[gate]\nbudgetms = 1\n", "gate.budgetms"),
    "a budget of nothing": ("[gate]\nbudget_ms = 0\n", "gate.budget_ms"),
    "a hold longer than a day": ("[gate]\nhold_seconds = 86401\n", "gate.hold_seconds"),
    "a store that is none": ('[store]\nbackend = "cloud"\n', "store.backend"),
    "a server without a URL": ('[store]\nbackend = "server"\n', "store"),
    "a URL without a server": ('[store]\nurl = "http://x"\n', "store"),
    "a source without a scheme": ('[sources.ecli]\nurl = "data.rechtspraak.nl"\n', "sources.ecli.url"),
    "a source by file": ('[sources.ecli]\nurl = "file:/etc/passwd"\n', "sources.ecli.url"),
    "a source with a password": ('[sources.ecli]\nurl = "https://u:hunter2@x"\n', "sources.ecli.url"),
    "a source with a query": ('[sources.ecli]\nurl = "https://x/?a=1"\n', "sources.ecli.url"),
    "a kind that is none": ('[sources."E/C"]\nurl = "https://x"\n', "sources"),
    "a zone that is none": ('[project]\ntime_zone = "Europe/Atlantis"\n', "project.time_zone"),
    "a zone that is a path": ('[project]\ntime_zone = "/etc/localtime"\n', "project.time_zone"),
    "a locale that is none": ('[project]\nlocale = "Dutch"\n', "project.locale"),
    "a sender that is none": ('[smtp]\nhost = "h"\nsender = "nobody"\n', "smtp.sender"),
    "a password in the file": ('[smtp]\nhost = "h"\nsender = "a@b"\npassword = "hunter2"\n', "smtp.password"),
    "the root": ('root = "/"\n', "root"),
    "not TOML": ("[gate\n", "TOML"),
    "not UTF-8": (b"\xff", "UTF-8"),
}


@pytest.mark.parametrize(("text", "named"), WRONG.values(), ids=WRONG.keys())
def test_a_wrong_setting_is_named_and_its_value_is_not(tmp_path: Path, text: str | bytes, named: str) -> None:
    (tmp_path / CONFIG_NAME).write_bytes(text.encode() if isinstance(text, str) else text)
    with pytest.raises(InvalidSettingsError) as raised:
        ProjectConfig.load(tmp_path)
    assert named in str(raised.value)
    assert "hunter2" not in str(raised.value.diagnostics())
    assert raised.value.exit_code == 2


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = project(tmp_path)

    def refuse(*_: Any, **__: Any) -> Any:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "open", refuse)
    with pytest.raises(InvalidSettingsError, match="Permission denied"):
        ProjectConfig.load(folder)


def test_settings_are_frozen(tmp_path: Path) -> None:
    config = ProjectConfig.load(project(tmp_path))
    with pytest.raises(ValidationError):
        config.gate.hold_seconds = 0  # type: ignore[misc]
    with pytest.raises(ValidationError):
        config.root = tmp_path  # type: ignore[misc]


@given(st.text(max_size=200))
def test_any_text_is_settings_or_a_typed_error(text: str) -> None:
    import tempfile

    with tempfile.TemporaryDirectory() as name:
        (Path(name) / CONFIG_NAME).write_text(text, encoding="utf-8", errors="surrogatepass")
        try:
            ProjectConfig.load(Path(name))
        except InvalidSettingsError:
            return


def test_the_published_schema_is_the_one_of_the_code() -> None:
    published = json.loads((ROOT / "docs" / "sluis.schema.json").read_text(encoding="utf-8"))
    assert published == config_schema()


def test_every_setting_is_described() -> None:
    schema = config_schema()

    def described(field: dict[str, Any]) -> bool:
        section = str(field.get("$ref", "")).rpartition("/")[2]
        return bool(field.get("description") or (section and schema["$defs"][section].get("description")))

    silent = [
        f"{title}.{name}"
        for title, section in {"": schema, **schema["$defs"]}.items()
        for name, field in section["properties"].items()
        if not described(field)
    ]
    assert silent == []
    assert "root" not in schema["properties"]
