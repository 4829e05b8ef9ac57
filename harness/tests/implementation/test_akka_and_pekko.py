"""Akka and Pekko are one program, built and run alike: the differences of the two folders are
listed here. Their settings are compared by Pekko's own tests."""

from pathlib import Path
from xml.etree import ElementTree

from dramaturg import paths
from dramaturg.implementation.manifest import Manifest, load

AKKA, PEKKO = paths.IMPLEMENTATIONS / "akka", paths.IMPLEMENTATIONS / "pekko"
MAVEN = {"m": "http://maven.apache.org/POM/4.0.0"}


def renamed(manifest: Manifest) -> Manifest:
    """As Pekko's would be."""
    text = manifest.model_dump_json().replace("akka", "pekko").replace("Akka", "Pekko")
    return Manifest.model_validate_json(text)


def test_their_manifests_differ_in_names_and_sources_alone() -> None:
    akka, pekko = renamed(load(AKKA).manifest), load(PEKKO).manifest
    assert pekko.build.beside == {"akka": ["src/main/**/*"]}
    assert pekko.build.inputs == ["pom.xml", "run"]
    assert akka.build.inputs == [*pekko.build.inputs, *pekko.build.beside["akka"]]
    sources = {"inputs": None, "beside": {}}
    ours = pekko.model_copy(update={"build": pekko.build.model_copy(update=sources)})
    theirs = akka.model_copy(update={"build": akka.build.model_copy(update=sources)})
    assert ours == theirs


def test_they_are_started_alike() -> None:
    assert command(PEKKO) == command(AKKA).replace("akka", "pekko")


def command(folder: Path) -> str:
    lines = (folder / "run").read_text().splitlines()
    return "\n".join(line for line in lines if not line.startswith("#"))


def test_their_builds_have_the_same_libraries_compilers_and_options() -> None:
    akka, pekko = Pom(AKKA), Pom(PEKKO)
    assert akka.properties.keys() == pekko.properties.keys() - OF_PEKKO
    differing = {name for name, value in akka.properties.items() if pekko.properties[name] != value}
    assert differing == {"slf4j.version"}
    assert {pekko_for_akka(each) for each in akka.libraries} == pekko.libraries - COMPARED
    assert pekko.libraries >= COMPARED
    assert pekko.plugins.keys() - akka.plugins.keys() == RENAMING
    for name, plugin in akka.plugins.items():
        assert pekko.plugins[name] == plugin.replace("/.scalafmt", "/../akka/.scalafmt"), name


OF_PEKKO = {"pekko.version", "akka.sources", "renamed"}
"""Properties."""

COMPARED = {
    "com.typesafe.akka:akka-actor-typed_2.13:${akka.version}:test",
    "com.typesafe.akka:akka-remote_2.13:${akka.version}:test",
}
"""The additional part of Pekko's test of the settings."""

RENAMING = {"maven-antrun-plugin", "build-helper-maven-plugin"}


def pekko_for_akka(library: str) -> str:
    renamed = library.replace("com.typesafe.akka:akka", "org.apache.pekko:pekko")
    return renamed.replace("${akka.version}", "${pekko.version}")


class Pom:
    """The parts of a Maven project that decide what is built."""

    def __init__(self, folder: Path) -> None:
        root = ElementTree.parse(folder / "pom.xml").getroot()
        self.properties = {
            each.tag.partition("}")[2]: each.text for each in root.iterfind("m:properties/*", MAVEN)
        }
        self.libraries = {
            ":".join(part.text or "" for part in each)
            for each in root.iterfind("m:dependencies/m:dependency", MAVEN)
        }
        self.plugins = {
            each.findtext("m:artifactId", "", MAVEN): " ".join(
                ElementTree.tostring(each, encoding="unicode").split()
            )
            for each in root.iterfind("m:build/m:plugins/m:plugin", MAVEN)
        }
