"""The hosts of ``ssh:HOSTS.yaml``: who they are, and how each is reached (docs/cluster.md).

It says which programs are started where, so nobody else may write it.
"""

from collections import Counter
from pathlib import Path
from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError

from dramaturg import files, meant, ownership
from dramaturg.errors import ClusterError
from dramaturg.visible import visible

_SEE = "see docs/cluster.md"


def _plain(text: str) -> str:
    # What does not show would make two names look like one.
    if text.startswith("-") or any(each.isspace() for each in text) or visible(text) != text:
        raise ValueError("expected a name without spaces that does not begin with a minus")
    return text


Plain = Annotated[str, Field(min_length=1, max_length=300), AfterValidator(_plain)]
"""A word of ssh's command line: nothing that it would take for an option."""


class SshHost(BaseModel):
    """A host, and how ssh reaches it; settings that are not here are as ``~/.ssh/config`` says."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    host: Plain
    port: Annotated[int, Field(ge=1, le=65535)] | None = None
    user: Plain | None = None
    identity: Path | None = None
    """The file of a private key, relative to the hosts file."""
    python: Plain = "python3"
    """A Python that has the harness installed, by its path there."""
    name: Plain | None = None
    """The host's name in results; ``host`` without one."""
    shared: bool = False
    """True if it may be one machine with another of this file."""
    interface: Plain | None = None
    """The name of the interface of its nodes. Without it, the one that has ``address``."""
    address: Plain | None = None
    """The address of its nodes. Without either, the one to which ssh comes."""
    nodes: Annotated[int, Field(ge=1, le=64)] = 1
    """Maximum number of nodes of a benchmark on it, each with its own part of the cores."""

    @property
    def called(self) -> str:
        """The host's name in results."""
        return self.name or self.host


class HostsFile(BaseModel):
    """The whole file."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    hosts: Annotated[list[SshHost], Field(min_length=1, max_length=1000)]
    known_hosts: Path | None = None
    """Keys by which hosts are known, instead of the user's own file; relative to this one."""
    scheduler: Plain | None = None
    """The address of this machine by which the hosts reach it; found out without it."""


def read(file: Path) -> HostsFile:
    """The hosts, with paths as they are from here. Raises ClusterError that names the file."""
    try:
        ownership.require(file)
        said = files.read_yaml(file)
        found = HostsFile.model_validate({} if said is None else said)
    except ownership.Exchangeable as error:
        raise ClusterError(f"{error}; it says what is started where") from None
    except ValidationError as error:
        problem = error.errors()[0]
        place = ".".join(map(str, problem["loc"])) or "the file"
        said = f"{place}: {problem['msg'].removeprefix('Value error, ')}"
        if problem["type"] == "extra_forbidden":
            keys = meant.keys_at(HostsFile, problem["loc"])
            near = meant.hint(str(problem["loc"][-1]), keys) or ";"
            said = f"{place}: no such key{near} keys are: {', '.join(keys)}"
        raise ClusterError(f"{file}: {files.brief(said)}; {_SEE}") from None
    except ValueError as error:  # Unreadable is one.
        raise ClusterError(f"{file}: {files.brief(error)}; {_SEE}") from None
    twice = [
        name for name, many in Counter(each.called for each in found.hosts).items() if many > 1
    ]
    if twice:
        raise ClusterError(f"{file}: two hosts are called {twice[0]}; give each a name; {_SEE}")
    return _placed(file, found)


def _placed(file: Path, found: HostsFile) -> HostsFile:
    """Return it with the paths of keys as they are from here, each of a file that is the user's
    alone."""
    folder = file.absolute().parent

    def own(named: Path | None) -> Path | None:
        if named is None:
            return None
        try:
            place = folder / named.expanduser()
            ownership.require(place)
        except ownership.Exchangeable as error:
            raise ClusterError(f"{file}: {error}") from None
        except (ValueError, RuntimeError) as error:  # A zero byte; ~ of nobody.
            raise ClusterError(f"{file}: {files.brief(repr(str(named)))}: {error}") from None
        if not place.is_file():
            raise ClusterError(f"{file}: {files.brief(repr(str(named)))} is no file")
        return place

    hosts = [each.model_copy(update={"identity": own(each.identity)}) for each in found.hosts]
    return found.model_copy(update={"hosts": hosts, "known_hosts": own(found.known_hosts)})
