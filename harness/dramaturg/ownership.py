"""Finds out if another user may write a file that is believed, or put another one in its place."""

import grp
import os
import pwd
import stat
from collections.abc import Iterator
from pathlib import Path

from dramaturg import files, meant
from dramaturg.visible import typed

_OTHERS = stat.S_IWGRP | stat.S_IWOTH


class Exchangeable(Exception):
    """Somebody else may write it; says where, and what to do."""


def require(file: Path) -> None:
    """Raises Exchangeable for a file that another user may write or exchange."""
    try:
        found = file.stat()
    except OSError as error:
        raise Exchangeable(f"{file}: {error.strerror}{meant.path_hint(file)}") from None
    if found.st_mode & _OTHERS:
        raise Exchangeable(f"{file}: others may write to it; chmod go-w {typed(file)}")
    if found.st_uid not in files.own_users():
        raise Exchangeable(
            f"{file} belongs to another user ({_called(found.st_uid)}), who may write to it; take"
            " a copy of your own"
        )
    for place in dict.fromkeys(_way(file.absolute())):
        _require_place(file, place)


def _way(file: Path) -> Iterator[Path]:
    """Yield every folder and every link on the way to a file that is there, and it: a link may lead
    through folders that neither its own path has nor that of its target."""
    at, ahead = Path(file.anchor), [*reversed(file.parts[1:])]
    yield at
    while ahead:
        part = ahead.pop()
        if part == "..":
            at = at.parent
            continue
        yield (place := at / part)
        if not place.is_symlink():
            at = place
            continue
        target = place.readlink()
        at = Path(target.anchor) if target.is_absolute() else at
        ahead += reversed(target.parts[1:] if target.is_absolute() else target.parts)


def _require_place(file: Path, place: Path) -> None:
    """A folder on the way to the file, or a link."""
    try:
        found = place.lstat()
    except OSError as error:
        raise Exchangeable(f"{place}: {error.strerror}") from None
    if found.st_uid not in files.own_users() and not _is_out_of_sight(found.st_uid):
        raise Exchangeable(
            f"{place} belongs to another user ({_called(found.st_uid)}), who may put another"
            f" {file.name} there; keep it in a folder of your own"
        )
    if not stat.S_ISDIR(found.st_mode) or found.st_mode & stat.S_ISVTX:
        return
    by_group = found.st_mode & stat.S_IWGRP
    if found.st_mode & stat.S_IWOTH or (
        by_group and (_has_list(place) or not _is_own(found.st_gid))
    ):
        raise Exchangeable(
            f"{place}: others may write to this folder, and put another {file.name} there; chmod"
            f" go-w {typed(place)}"
        )


def _is_out_of_sight(user: int) -> bool:
    """True if it stands for all users whom a container does not know (user_namespaces(7)): the
    folders of its own system are theirs."""
    try:
        known = Path("/proc/self/uid_map").read_text(encoding="ascii").split()
        stands_in = Path("/proc/sys/kernel/overflowuid").read_text(encoding="ascii")
    except (OSError, ValueError):
        return False
    return known != ["0", "0", "4294967295"] and user == int(stands_in)


def _has_list(place: Path) -> bool:
    """True if rights there are by a list (acl(5)): the right of a group is then that of anybody who
    is on it."""
    try:
        return "system.posix_acl_access" in os.listxattr(place)
    except (OSError, AttributeError):
        return False


def _is_own(group: int) -> bool:
    """True if nobody but this user, or root, is in it: many systems give each user such a group."""
    try:
        said = grp.getgrgid(group)
        ours = {pwd.getpwuid(user).pw_name for user in files.own_users()}
    except KeyError:
        return False
    primary = {each.pw_name for each in pwd.getpwall() if each.pw_gid == group}
    return {*said.gr_mem, *primary} <= ours


def _called(user: int) -> str:
    try:
        return pwd.getpwuid(user).pw_name
    except KeyError:
        return str(user)
