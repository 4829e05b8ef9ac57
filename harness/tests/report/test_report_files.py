"""The three files, and the folder that they are made of."""

import json
import re
import xml.etree.ElementTree as ET

import jsonschema
import pytest
from click.testing import CliRunner
from report_records import (
    LOST,
    audited,
    case,
    certified,
    exhibition,
    sample,
    unit,
    why,
    write_cases,
    write_samples,
)

from dramaturg.cli.report import report
from dramaturg.outcomes import USAGE_ERROR, Outcome
from dramaturg.report.html import FULL
from dramaturg.report.report_files import HTML, JUNIT, SUMMARY, write_all
from dramaturg.report.summary import SCHEMA_FILE, State, schema_text
from dramaturg.results import ResultsError


@pytest.fixture(scope="module")
def shown(tmp_path_factory):
    """A folder with everything in it, reported."""
    folder = tmp_path_factory.mktemp("results") / "20240131-120000"
    exhibition(folder)
    write_all(folder)
    return folder


def page(folder):
    return (folder / HTML).read_text(encoding="utf-8")


def junit(folder):
    return ET.parse(folder / JUNIT).getroot()


def result_of(root, name):
    [found] = [found for found in root.iter("testcase") if found.get("name") == name]
    return [element for element in found if element.tag != "properties"]


def test_requirements_lead_to_a_site_where_there_is_one(tmp_path):
    write_cases(tmp_path, case(outcome=Outcome.FAIL, message="x", why=why("ACT-5")))
    plain, linked = "<dt>ACT-5</dt>", '<dt><a href="https://example.org/requirements/ACT-5.html">'
    for words, there in (((), plain), (("--site", "https://example.org/"), linked)):
        done = CliRunner().invoke(report, [str(tmp_path), *words])
        assert done.exit_code == 0, done.output
        assert there in (tmp_path / HTML).read_text()


def test_a_hostile_time_ends_no_report(tmp_path):
    for started in ("soon", 1e308, -1, True, []):
        write_cases(tmp_path, case(), started=started)
        assert CliRunner().invoke(report, [str(tmp_path)]).exit_code == 0


def test_the_summary_fulfils_its_schema(shown):
    schema = json.loads(SCHEMA_FILE.read_text(encoding="utf-8"))
    jsonschema.validate(json.loads((shown / SUMMARY).read_text(encoding="utf-8")), schema)


def test_the_schema_file_is_that_of_the_model():
    assert SCHEMA_FILE.read_text(encoding="utf-8") == schema_text(), (
        "regenerate it: python -m dramaturg.report.summary"
    )


def test_an_interrupted_run_is_never_shown_as_complete(tmp_path):
    exhibition(tmp_path, complete=False)
    summary = write_all(tmp_path)
    assert summary.state is State.INTERRUPTED
    assert "Interrupted." in page(tmp_path)
    assert ">complete<" not in page(tmp_path)
    assert not any(verdict.certified for verdict in summary.implementations)
    for file in ("conformance.jsonl", "timings.jsonl"):
        [error] = result_of(junit(tmp_path), file)
        assert error.tag == "error"


def test_a_torn_last_line_is_an_interruption(tmp_path):
    write_cases(tmp_path, *certified("erlang"))
    file = tmp_path / "conformance.jsonl"
    file.write_text(file.read_text()[:-20])
    assert write_all(tmp_path).state is State.INTERRUPTED


@pytest.mark.parametrize("more", ["", "{"])
def test_what_stands_behind_a_footer_is_an_interruption(tmp_path, more):
    write_samples(tmp_path, *audited(sample()))
    file = tmp_path / "timings.jsonl"
    text = file.read_text()
    file.write_text(text + (more or text.splitlines()[1]) + "\n")
    assert write_all(tmp_path).state is State.INTERRUPTED


def test_records_of_two_runs_in_one_file_are_refused(tmp_path):
    write_samples(tmp_path, *audited(sample()))
    file = tmp_path / "timings.jsonl"
    file.write_text(file.read_text() * 2)
    with pytest.raises(ResultsError, match=r"timings\.jsonl:6: a second header"):
        write_all(tmp_path)


def test_a_figure_that_no_float_holds_is_named(tmp_path):
    write_samples(tmp_path, *audited(sample()))
    file = tmp_path / "timings.jsonl"
    file.write_text(re.sub(r'"run_nanos":\d+', f'"run_nanos":1{"0" * 400}', file.read_text()))
    with pytest.raises(ResultsError, match=r"timings\.jsonl:2: .*run_nanos"):
        write_all(tmp_path)


@pytest.mark.parametrize("said", ["NaN", "-Infinity", "1e999", '"nan"'])
def test_what_is_no_number_is_named(tmp_path, said):
    write_cases(tmp_path, *certified("erlang"))
    file = tmp_path / "conformance.jsonl"
    file.write_text(re.sub(r'"seconds":[^,}]+', f'"seconds":{said}', file.read_text(), count=1))
    with pytest.raises(ResultsError, match=r"conformance\.jsonl:2: "):
        write_all(tmp_path)


def test_what_is_no_number_of_a_machine_gets_into_no_summary(tmp_path):
    write_cases(tmp_path, *certified("erlang"))
    (tmp_path / "environment.json").write_text('{"load": NaN}')
    assert "environment.json cannot be read: NaN is no number" in write_all(tmp_path).warnings
    json.loads((tmp_path / SUMMARY).read_text(), parse_constant=pytest.fail)


def test_a_run_that_recorded_nothing_is_interrupted(tmp_path):
    (tmp_path / "environment.json").write_text("{}")
    assert write_all(tmp_path).state is State.INTERRUPTED
    assert junit(tmp_path).get("errors") == "1"


def test_timings_alone_are_results(tmp_path):
    write_samples(tmp_path, sample())
    assert write_all(tmp_path).state is State.COMPLETE
    assert "No cases were run" in page(tmp_path)


@pytest.mark.parametrize(
    "captured", [{"cpu": "x"}, {"load": {"1min": "x"}}, {"cpu": {"cores": "x"}}, {"source": 1}]
)
def test_an_environment_of_other_kinds_of_values_stops_no_report(tmp_path, captured):
    write_samples(tmp_path, sample())
    (tmp_path / "environment.json").write_text(json.dumps(captured))
    assert write_all(tmp_path).environment == captured


def test_a_header_whose_remarks_are_none_is_refused_with_its_file(tmp_path):
    write_cases(tmp_path, *certified("erlang"), remarks=["x"])
    with pytest.raises(ResultsError, match=r"conformance\.jsonl:1"):
        write_all(tmp_path)


def test_a_folder_that_holds_no_results_is_refused(tmp_path):
    with pytest.raises(ResultsError, match="holds no results"):
        write_all(tmp_path)
    with pytest.raises(ResultsError, match="no such folder"):
        write_all(tmp_path / "absent")


@pytest.mark.parametrize("text", ["{", "[" * 100_000, "[]"])
def test_an_unreadable_environment_is_said_and_the_rest_is_shown(tmp_path, text):
    write_cases(tmp_path, *certified("erlang"))
    (tmp_path / "environment.json").write_text(text)
    summary = write_all(tmp_path)
    assert summary.environment is None
    assert any("environment.json cannot be read" in warning for warning in summary.warnings)


@pytest.mark.parametrize(
    ("outcome", "tag"),
    [
        (Outcome.FAIL, "failure"),
        (Outcome.CRASH, "error"),
        (Outcome.TIMEOUT, "error"),
        (Outcome.HARNESS_FAULT, "error"),
        (Outcome.NOT_RUN, "skipped"),
        (Outcome.TOOLCHAIN_MISSING, "skipped"),
        (Outcome.UNSUPPORTED, "skipped"),
    ],
)
def test_each_outcome_keeps_its_name_in_junit(tmp_path, outcome, tag):
    write_cases(tmp_path, case(outcome=outcome, message="because"))
    write_all(tmp_path)
    [result] = result_of(junit(tmp_path), "cumulative")
    assert (result.tag, result.get("type"), result.get("message")) == (tag, outcome, "because")


def test_junit_has_a_suite_for_each_implementation_and_names_requirements(tmp_path):
    write_cases(tmp_path, case("caf", requirements=["CHAT-7", "LCG-1"]), case("erlang"))
    write_all(tmp_path)
    root = junit(tmp_path)
    assert [suite.get("name") for suite in root] == ["caf", "erlang"]
    properties = [(p.get("name"), p.get("value")) for p in root[0].iter("property")]
    assert properties == [("level", "1"), ("requirement", "CHAT-7"), ("requirement", "LCG-1")]


def test_junit_counts_what_it_holds(shown):
    for suite in [junit(shown), *junit(shown)]:
        assert int(suite.get("tests")) == len(list(suite.iter("testcase")))
        assert int(suite.get("failures")) == len(list(suite.iter("failure")))
        assert int(suite.get("errors")) == len(list(suite.iter("error")))
        assert int(suite.get("skipped")) == len(list(suite.iter("skipped")))


def test_a_known_failure_is_skipped_in_junit_with_its_reason(tmp_path):
    write_cases(tmp_path, case(outcome=Outcome.FAIL, known="issue 7"))
    write_all(tmp_path)
    [result] = result_of(junit(tmp_path), "cumulative")
    assert (result.tag, result.get("type")) == ("skipped", "known failure")
    assert "issue 7" in result.get("message")


def test_a_wrong_receipt_fails_in_junit(tmp_path):
    write_samples(tmp_path, sample(), sample(iteration=1, valid=False, problems=["joins: 1"]))
    write_all(tmp_path)
    [result] = result_of(junit(tmp_path), "mixed, small scale, local")
    assert result.tag == "failure"
    assert "joins: 1" in result.text


def test_a_unit_that_crashed_is_an_error_in_junit(tmp_path):
    write_samples(tmp_path, unit(outcome=Outcome.CRASH, message="signal 11"))
    write_all(tmp_path)
    [result] = result_of(junit(tmp_path), "mixed, small scale, local, invocation 0")
    assert (result.tag, result.get("message")) == ("error", "signal 11")


def test_characters_that_xml_cannot_hold_do_not_break_junit(tmp_path):
    write_cases(tmp_path, case(outcome=Outcome.CRASH, message="\x1b[31mdied\x00"))
    write_all(tmp_path)
    [result] = result_of(junit(tmp_path), "cumulative")
    assert "died" in result.get("message")


def test_the_page_needs_no_other_file(shown):
    text = page(shown)
    assert not re.search(r"<(script|link|img|iframe)\b|@import|url\(|src=|\son\w+=", text)
    # Places on the page, and data that is inside it.
    assert set(re.findall(r'href="(#|data:text/csv;|.)', text)) == {"#", "data:text/csv;"}


def test_the_page_shows_everything_a_divergence_tells(tmp_path):
    command = "./dramaturg replay results/1/traces/a.trace"
    write_cases(tmp_path, case(outcome=Outcome.FAIL, divergence=LOST, command=command))
    write_all(tmp_path)
    text = page(tmp_path).replace("&gt;", ">").replace("&#34;", '"')
    told = [LOST["headline"], LOST["actor"], LOST["sender"], LOST["expected"], "51230"]
    history = [part for event in LOST["history"] for part in re.split(" -> client/17  ", event)]
    for expected in [*told, *history, command, "members: [client/2, client/17]"]:
        assert expected in text


def test_a_divergence_that_tells_less_is_still_shown(tmp_path):
    write_cases(tmp_path, case(outcome=Outcome.FAIL, divergence={"headline": "lost"}))
    write_all(tmp_path)
    assert "lost" in page(tmp_path)


def test_what_implementations_say_is_never_markup(tmp_path):
    hostile = "<script>alert(1)</script>"
    write_cases(
        tmp_path, case(hostile, outcome=Outcome.FAIL, message=hostile, case=hostile, known=hostile)
    )
    write_samples(tmp_path, sample(hostile, scenario=hostile))
    write_all(tmp_path)
    assert "<script" not in page(tmp_path)


def test_an_implementation_that_fails_everywhere_does_not_bury_the_page(tmp_path):
    wrong = [case(case=f"case-{n}", outcome=Outcome.FAIL, message="no") for n in range(FULL + 5)]
    write_cases(tmp_path, *wrong)
    write_all(tmp_path)
    assert page(tmp_path).count("<article>") == FULL
    assert "5 further cases" in page(tmp_path)
    assert f"case-{FULL + 4}" in page(tmp_path)


def test_a_report_can_be_made_again_elsewhere(shown, tmp_path):
    write_all(shown, tmp_path / "site")
    for name in (SUMMARY, JUNIT, HTML):
        assert (tmp_path / "site" / name).read_bytes() == (shown / name).read_bytes()


def test_the_command_says_where_it_wrote(tmp_path):
    write_cases(tmp_path, *certified("erlang"))
    done = CliRunner().invoke(report, [str(tmp_path)])
    assert done.exit_code == 0
    assert str(tmp_path / HTML) in done.stdout
    assert "complete" in done.stdout


def test_the_command_prints_the_summary_as_json(tmp_path):
    write_cases(tmp_path, *certified("erlang"))
    done = CliRunner().invoke(report, [str(tmp_path), "--json"])
    assert json.loads(done.stdout)["implementations"][0]["certified"] is True


def test_the_command_refuses_what_is_no_results_in_one_line(tmp_path):
    done = CliRunner().invoke(report, [str(tmp_path)])
    assert done.exit_code == USAGE_ERROR
    assert len(done.stderr.strip().splitlines()) == 1
    assert "holds no results" in done.stderr


def test_a_line_that_cannot_be_read_is_named(tmp_path):
    write_cases(tmp_path, case(), case())
    file = tmp_path / "conformance.jsonl"
    lines = file.read_text().splitlines()
    file.write_text("\n".join([lines[0], "{}", *lines[2:]]) + "\n")
    done = CliRunner().invoke(report, [str(tmp_path)])
    assert done.exit_code == USAGE_ERROR
    assert "conformance.jsonl:2" in done.stderr


@pytest.mark.parametrize("name", ["conformance.jsonl", "timings.jsonl"])
def test_results_of_version_1_are_refused_in_one_line(tmp_path, name):
    write_cases(tmp_path, case())
    write_samples(tmp_path, sample())
    file = tmp_path / name
    lines = [json.loads(line) for line in file.read_text().splitlines()]
    lines[0]["schema"] = 1
    for field in ("salt", "setup_nanos", "runtime_nanos", "teardown_nanos"):
        lines[1].pop(field, None)
    file.write_text("".join(json.dumps(line) + "\n" for line in lines))
    done = CliRunner().invoke(report, [str(tmp_path)])
    assert done.exit_code == USAGE_ERROR
    [said] = done.stderr.strip().splitlines()
    assert f"{name}:1: results of schema 1; this version of the harness reads schema 3" in said
    assert "run it again" in said


def test_the_page_tells_the_parts_of_an_iteration_and_what_outlives_it(tmp_path):
    timed = sample(setup_nanos=12_500_000, runtime_nanos=750_000_000)
    write_samples(tmp_path, *audited(timed))
    write_all(tmp_path)
    table = page(tmp_path).partition('<table class="timings">')[2]
    assert '<th class="number">set-up<small>ms</small></th>' in table
    assert '<td class="number">12.500</td>\n<td class="number">5.000</td>' in table
    assert "Structures that outlive iterations, built once: erlang 750.0 ms." in table


def test_the_help_shows_an_example():
    assert "dramaturg report results/" in CliRunner().invoke(report, ["--help"]).output
