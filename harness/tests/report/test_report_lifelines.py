"""A failure on the page: why, the sequence drawn, and the command to see it again."""

import re
import xml.etree.ElementTree as ET

import pytest
from report_records import LOST, TRACED, case, why, write_cases

from dramaturg import requirements
from dramaturg.outcomes import Outcome
from dramaturg.report import markdown
from dramaturg.report.html import FULL
from dramaturg.report.lifelines import sequence_diagram
from dramaturg.report.report_files import HTML, JUNIT, write_all
from dramaturg.trace.explanation.message_sequence import Cut, Status, Step

SVG = "{http://www.w3.org/2000/svg}"


def page(folder, *cases, **header):
    write_cases(folder, *cases, **header)
    write_all(folder)
    return (folder / HTML).read_text(encoding="utf-8")


def plain(text):
    return " ".join(re.sub(r"<[^>]+>", "", text).replace("&gt;", ">").split())


def quoted(name):
    return plain(markdown.inline(requirements.load()[name].text))


def drawing(*entries):
    svg = str(sequence_diagram(list(entries), "what led to it", "sequence-1"))
    return ET.fromstring(svg.replace("<svg ", f'<svg xmlns="{SVG[1:-1]}" ', 1))


def classes(root):
    return [element.get("class") for element in root.iter() if element.get("class")]


def step(status=Status.TAKEN, source="client/0", target="chat/0.0", message="post(turn=0)"):
    return Step(source, target, message, status)


@pytest.mark.parametrize("status", list(Status))
def test_each_status_is_drawn_by_a_class_of_its_own_and_said_unless_it_is_taken(status):
    root = drawing(step(status))
    assert f"message {status}" in classes(root)
    words = [word.text for word in root.iter(f"{SVG}tspan")]
    assert bool(words) == (status is not Status.TAKEN)


def test_a_lost_message_ends_in_a_cross_before_its_receiver():
    root = drawing(step(Status.LOST))
    [shaft] = [line for line in root.iter(f"{SVG}line") if line.get("class") == "shaft"]
    lives = [line for line in root.iter(f"{SVG}line") if line.get("class") == "life"]
    assert float(shaft.get("x2")) < float(lives[-1].get("x1"))
    assert "cross" in classes(root)
    assert not list(root.iter(f"{SVG}polygon"))


def test_the_drawing_is_told_to_those_who_hear_it():
    root = drawing(step(), Cut(7), step(Status.LOST, "chat/0.0", "client/0", "forward()"))
    assert root.get("role") == "img"
    assert root.get("aria-labelledby") == "sequence-1-title sequence-1-desc"
    assert root.find(f"{SVG}title").text == "what led to it"
    told = "client/0 to chat/0.0: post(turn=0); 7 more; chat/0.0 to client/0: forward() (lost)"
    assert root.find(f"{SVG}desc").text == told


@pytest.mark.parametrize("actors", [2, 5, 9, 14])
@pytest.mark.parametrize("letters", [8, 60, 400])
def test_nothing_that_is_drawn_leaves_the_drawing(actors, letters):
    steps = [
        step(source=f"client/{n}", target=f"client/{n + 1}", message="x" * letters)
        for n in range(actors - 1)
    ]
    root = drawing(*steps, step(Status.LOST, f"client/{actors - 1}", "client/0", "x" * letters))
    width = float(root.get("width"))
    for text in root.iter(f"{SVG}text"):
        shown = "".join(piece for piece in text.itertext() if piece != "x" * 400)
        reach = len(shown) * (6.4 if text.get("class") == "text" else 7.0)
        reach /= 2 if text.get("text-anchor") == "middle" else 1
        assert float(text.get("x")) + reach <= width + 1, shown
        assert text.get("text-anchor") == "start" or float(text.get("x")) - reach >= -8, shown
    if letters == 400:
        [full] = {title.text for title in root.iter(f"{SVG}title")} - {"what led to it"}
        assert full == "x" * 400


def test_what_an_actor_sends_itself_leaves_its_line_and_comes_back():
    root = drawing(step(source="ping/0", target="ping/0", message="tick(number=0)"))
    assert [path.get("class") for path in root.iter(f"{SVG}path")] == ["shaft"]


def test_a_divergence_is_explained_on_the_page(tmp_path):
    command = "./dramaturg replay results/1/traces/a.run"
    finding = case(outcome=Outcome.FAIL, divergence=TRACED, why=TRACED["requirements"],
                   command=command, message=f"{LOST['headline']} (then: it hung)")  # fmt: skip
    text = page(tmp_path, finding, directory="/home/ada/dramaturg")
    for name in ("CHAT-37", "ACT-5"):
        assert quoted(name) in plain(text)
    for said in ("Sent, and never seen again.", "See also CHAT-38", "spec/chatapp.md",
                 "post(turn=3, payload=17), event 3 of the log of chat/2.1",
                 command, "To be run in /home/ada/dramaturg"):  # fmt: skip
        assert said in plain(text)
    assert '<svg class="sequence"' in text
    assert plain(text).count(LOST["headline"] + " ") == 2  # the headline, and the drawing's title
    assert "(then: it hung)" in text


def test_history_is_a_table_that_counts_on_to_where_it_diverges(tmp_path):
    text = page(tmp_path, case(outcome=Outcome.FAIL, divergence=TRACED))
    rows = re.findall(r'<tr><td class="number">(\d+)</td><td><code>([^<]+)</code>', text)
    assert rows == [("38", "directory/1"), ("39", "chat/2.1"), ("40", "directory/1")]


def test_a_failure_without_a_divergence_quotes_its_requirements(tmp_path):
    text = page(tmp_path, case(outcome=Outcome.CRASH, message="died", why=why("LCG-1")))
    assert quoted("LCG-1") in plain(text)


def test_what_else_the_case_is_there_for_is_told_behind_what_is_known(tmp_path):
    reasons = [*TRACED["requirements"], *why("CHAT-20")]
    text = page(tmp_path, case(outcome=Outcome.FAIL, divergence=TRACED, why=reasons))
    before, _, details = text.partition("<details>")
    assert quoted("CHAT-20") in plain(details)
    assert quoted("CHAT-20") not in plain(before)
    assert quoted("CHAT-37") not in plain(details)


def test_two_drawings_of_a_page_have_different_names(tmp_path):
    cases = [case(case=f"c{n}", outcome=Outcome.FAIL, divergence=TRACED) for n in range(3)]
    cases += [case("caf", outcome=Outcome.FAIL, divergence=TRACED)]
    names = re.findall(r' id="([^"]+)-title"', page(tmp_path, *cases))
    assert len(names) == len(set(names)) == 4


def test_hostile_names_are_never_markup_in_a_drawing(tmp_path):
    hostile = "<script>alert(1)</script>"
    sequence = [{"from": hostile, "to": hostile, "message": hostile, "status": "actual"}]
    divergence = {**TRACED, "sequence": sequence, "requirements": [
        {"id": hostile, "text": f"`{hostile}` *{hostile}* {hostile}", "chapter": hostile}
    ]}  # fmt: skip
    assert "<script" not in page(tmp_path, case(outcome=Outcome.FAIL, divergence=divergence))


def test_findings_that_are_only_listed_are_not_drawn(tmp_path):
    cases = [case(case=f"c{n}", outcome=Outcome.FAIL, divergence=TRACED) for n in range(FULL + 3)]
    assert page(tmp_path, *cases).count('<svg class="sequence"') == FULL


def test_junit_tells_the_sequence_and_the_requirement_in_lines(tmp_path):
    page(tmp_path, case(outcome=Outcome.FAIL, divergence=TRACED, why=TRACED["requirements"]))
    text = ET.parse(tmp_path / JUNIT).getroot().find(".//failure").text
    lines = [line.strip() for line in text.splitlines()]
    assert "client/2 -> chat/2.1  post(turn=3, payload=17)  taken" in lines
    assert "4 more" in lines
    known = requirements.load()["CHAT-37"]
    assert f"CHAT-37, spec/chatapp.md: {known.text}" in lines
    assert len([line for line in lines if line.startswith("CHAT-37")]) == 1


def test_the_markdown_of_requirements_becomes_code_and_emphasis():
    told = markdown.inline("*Serial.* Upon `x < y` see [lcg.md](lcg.md), 2 * `n` * 3.")
    assert told == (
        "<em>Serial.</em> Upon <code>x &lt; y</code> see lcg.md, 2 * <code>n</code> * 3."
    )
