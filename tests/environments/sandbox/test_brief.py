"""What somebody in a box is asked."""

from cutscore.core.ask import Ask, RequestedFile
from cutscore.core.files import FileRef
from cutscore.environments.sandbox.brief import write_instruction


def test_the_brief_the_materials_and_what_is_wanted_where() -> None:
    film = FileRef(name="film/clip-01.mp4", sha256="0" * 64, size_bytes=9)
    ask = Ask(item="a", brief="Cut it.\n", files=[film], wanted=[RequestedFile(name="cut.mp4", about="the film")])
    assert write_instruction(ask) == (
        "Cut it.\n\n## Where things are\n\nYour working folder is `/workspace`. It holds these files, under the names"
        " that are used above:\n\n- `film/clip-01.mp4`\n\nPut into `/workspace/outputs`:\n\n- `cut.mp4`: the film\n\n"
        "Nothing outside of that folder is handed over.\n"
    )


def test_who_is_given_nothing_and_asked_for_words_is_told_so() -> None:
    said = write_instruction(Ask(item="a", brief="Which one?"))
    assert "It is empty." in said
    assert "- `answer.txt`: your answer, in words" in said
