"""Two controllers of Slurm at once have ports of their own, until they listen at them."""

import socket
from pathlib import Path

import slurm_kit


def test_ports_that_are_claimed_at_the_same_time_are_different() -> None:
    with slurm_kit.claimed(5) as some, slurm_kit.claimed(5) as others:
        assert len({*some, *others}) == 10
    with slurm_kit.claimed(5) as again:
        assert set(again) & {*some, *others}, "they are free again"


def test_the_kernel_gives_none_of_them_to_anybody_else() -> None:
    low, high = map(int, Path("/proc/sys/net/ipv4/ip_local_port_range").read_text().split())
    with slurm_kit.claimed(1) as [port], socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        assert low <= other.getsockname()[1] <= high
        assert not low <= port <= high


def test_a_port_at_which_somebody_listens_is_not_claimed() -> None:
    with slurm_kit.claimed(1) as [port]:
        pass
    with socket.create_server(("127.0.0.1", port)), slurm_kit.claimed(1) as [other]:
        assert other != port
