"""Stored networks: what is saved is loaded, and what does not fit is refused with a reason."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from acpcbot.errors import UsageError
from acpcbot.networks.mlp import Network
from acpcbot.networks.shape import Feature, NetworkInterface
from acpcbot.networks.stored import StoredNetwork, load_network, save_network
from tests.networks.networks import INTERFACE, random_network

SHAPE = INTERFACE.shape((5, 4))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    path = tmp_path / "network"
    save_network(path, StoredNetwork(INTERFACE, random_network(SHAPE), {"steps": 10, "seed": 1}))
    return path


def change_manifest(folder: Path, change: Callable[[dict[str, Any]], None]) -> None:
    """Change the manifest, and its checksum with it."""
    path = folder / "network.json"
    table = json.loads(path.read_text())
    del table["checksum"]
    change(table)
    table["checksum"] = hashlib.sha256(json.dumps(table).encode()).hexdigest()
    path.write_text(json.dumps(table))


def write_parameters(folder: Path, array: Any, *, allow_pickle: bool = False) -> None:
    """Replace the parameters, with checksums that fit."""
    file = BytesIO()
    np.lib.format.write_array(file, array, allow_pickle=allow_pickle)
    (folder / "parameters.npy").write_bytes(file.getvalue())
    digest = hashlib.sha256(file.getvalue()).hexdigest()
    change_manifest(folder, lambda table: table["files"].update({"parameters.npy": digest}))


def refusal(folder: Path, interface: NetworkInterface | None = INTERFACE) -> str:
    with pytest.raises(UsageError) as caught:
        load_network(folder, interface)
    assert caught.value.hint
    assert "\n" not in str(caught.value)
    return str(caught.value).removeprefix(str(folder))


def test_a_network_comes_back_as_it_was_saved(folder: Path) -> None:
    found = load_network(folder, INTERFACE)
    assert (found.interface, found.training) == (INTERFACE, {"steps": 10, "seed": 1})
    assert found.network.shape == SHAPE
    assert np.array_equal(found.network.parameters, random_network(SHAPE).parameters)
    assert sorted(path.name for path in folder.iterdir()) == ["network.json", "parameters.npy"]


def test_equal_networks_have_equal_bytes_and_a_card_stays(folder: Path, tmp_path: Path) -> None:
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    (folder / "README.md").write_text("mine")
    save_network(folder, load_network(folder))
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == {
        **before,
        "README.md": b"mine",
    }
    assert [path.name for path in tmp_path.iterdir()] == ["network"]


@pytest.mark.parametrize(
    ("other", "reason"),
    [
        (replace(INTERFACE, game="leduc"), ", game: expected 'leduc', found 'kuhn.limit.2p'"),
        (replace(INTERFACE, game_fingerprint="x"), ", game_fingerprint: expected 'x', found 'abc'"),
        (
            replace(INTERFACE, rows="K to J"),
            ", rows: expected 'K to J', found 'private cards from J to K'",
        ),
        (replace(INTERFACE, num_rows=(3, 4)), ", num_rows: expected 3, 4, found 3, 3"),
        (
            replace(INTERFACE, features=(Feature("betting", 5),)),
            ", features: expected betting (5), found betting (4), pot (1)",
        ),
        (
            replace(INTERFACE, actions=("call", "fold", "raise")),
            ", actions: expected call, fold, raise, found fold, call, raise",
        ),
    ],
)
def test_another_interface_is_refused_by_its_field(
    folder: Path, other: NetworkInterface, reason: str
) -> None:
    assert refusal(folder, other) == reason


@pytest.mark.parametrize(
    ("array", "reason"),
    [
        (np.full(SHAPE.num_parameters, np.nan, np.float32), "finite numbers, found nan or inf"),
        (np.full(SHAPE.num_parameters, np.inf, np.float32), "finite numbers, found nan or inf"),
        (np.zeros(SHAPE.num_parameters - 1, np.float32), "expected float32 [159], found"),
        (np.zeros((2, SHAPE.num_parameters), np.float32), "expected one row of float32"),
        (np.zeros(SHAPE.num_parameters), "expected one row of float32, found float64"),
        (np.zeros(SHAPE.num_parameters, ">f4"), "expected one row of float32, found >f4"),
    ],
    ids=["nan", "inf", "short", "two rows", "double", "byte order"],
)
def test_weights_that_do_not_fit_are_refused(folder: Path, array: Any, reason: str) -> None:
    write_parameters(folder, array)
    assert reason in refusal(folder)


def test_pickled_objects_are_refused_and_not_run(folder: Path) -> None:
    write_parameters(folder, np.array([[1], {}], object), allow_pickle=True)
    assert "parameters.npy holds no array of numbers" in refusal(folder)


def test_files_that_are_missing_changed_or_too_many_are_refused(folder: Path) -> None:
    parameters = folder / "parameters.npy"
    whole = parameters.read_bytes()
    parameters.write_bytes(whole[:-1] + bytes([whole[-1] ^ 1]))
    assert refusal(folder) == ": parameters.npy does not match its checksum"
    parameters.unlink()
    assert refusal(folder) == ": parameters.npy is missing"
    parameters.write_bytes(whole)
    (folder / "more.npy").write_bytes(whole)
    assert refusal(folder) == ": 'more.npy' does not belong there"
    digest = hashlib.sha256(whole).hexdigest()
    change_manifest(folder, lambda table: table["files"].update({"more.npy": digest}))
    assert ": files: expected parameters.npy, found more.npy, parameters.npy" in refusal(folder)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda table: table.update(format=2), "expected format 1, found 2"),
        (lambda table: table.update(hidden=[]), "hidden"),
        (lambda table: table.update(hidden=[5, -4]), "hidden"),
        (lambda table: table.pop("training"), "no training"),
        (lambda table: table["interface"].update(colour="red"), "unknown key colour"),
    ],
    ids=["format", "no layers", "size below 1", "no training", "unknown key"],
)
def test_a_manifest_that_does_not_fit_is_refused(
    folder: Path, change: Callable[[dict[str, Any]], None], reason: str
) -> None:
    change_manifest(folder, change)
    assert reason in refusal(folder)


@pytest.mark.parametrize("text", ["", "[]", "{", '{"format": 1}', "[" * 100_000])
def test_a_manifest_that_is_none_is_refused(folder: Path, text: str) -> None:
    (folder / "network.json").write_text(text)
    assert refusal(folder)


def test_a_folder_that_is_not_there_is_refused(tmp_path: Path) -> None:
    assert refusal(tmp_path / "none") == (
        " cannot be read as a network (No such file or directory)"
    )


def test_saving_overwrites_nothing_but_a_network_and_keeps_it_if_the_new_one_is_bad(
    folder: Path, tmp_path: Path
) -> None:
    other = tmp_path / "other"
    other.mkdir()
    (other / "thesis.txt").write_text("years of work")
    stored = load_network(folder)
    with pytest.raises(UsageError, match="holds no network"):
        save_network(other, stored)
    assert (other / "thesis.txt").exists()
    broken = Network(SHAPE, stored.network.parameters.copy())
    broken.parameters[3] = np.nan
    with pytest.raises(UsageError, match="finite"):
        save_network(folder, StoredNetwork(INTERFACE, broken, {}))
    assert np.array_equal(load_network(folder).network.parameters, stored.network.parameters)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["network", "other"]
