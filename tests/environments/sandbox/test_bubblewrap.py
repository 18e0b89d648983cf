"""What a box shows, as words for bubblewrap."""

from pathlib import Path

from cutscore.environments.sandbox.bubblewrap import BoxView, Mount, box_command


def _view(**more: object) -> BoxView:
    return BoxView(Path("/w"), Path("/h"), Path("/e"), **more)  # type: ignore[arg-type]


def test_a_box_is_shut_and_has_nothing_of_the_caller() -> None:
    words = box_command(_view(), ["true"], {})
    assert {"--unshare-all", "--unshare-user", "--clearenv", "--die-with-parent", "--new-session"} <= set(words)
    assert "--share-net" not in words
    assert words[words.index("--cap-drop") + 1] == "ALL"
    assert words[words.index("--uid") + 1] == "1000"
    assert words[-2:] == ["--", "true"]


def test_only_workspace_and_home_can_be_written() -> None:
    words = box_command(_view(mounts=(Mount(Path("/film.mp4"), "/workspace/film.mp4"),)), ["true"], {})
    writable = [words[n + 2] for n, word in enumerate(words) if word == "--bind"]
    assert writable == ["/home/agent", "/workspace"]
    at = words.index("/film.mp4")
    assert words[at - 1 : at + 2] == ["--ro-bind", "/film.mp4", "/workspace/film.mp4"]


def test_materials_lie_over_the_workspace_and_hidden_folders_over_everything() -> None:
    words = box_command(_view(mounts=(Mount(Path("/m"), "/workspace/m"),), hidden=(Path("/usr/secret"),)), ["x"], {})
    assert words.index("/w") < words.index("/m") < words.index("/usr/secret")


def test_variables_are_those_that_are_named() -> None:
    words = box_command(_view(), ["x"], {"PATH": "/bin", "A": "b c; $(d)"})
    assert words[words.index("A") - 1 : words.index("A") + 2] == ["--setenv", "A", "b c; $(d)"]


def test_the_network_is_shared_where_it_is_asked_for() -> None:
    assert "--share-net" in box_command(_view(network=True), ["x"], {})
