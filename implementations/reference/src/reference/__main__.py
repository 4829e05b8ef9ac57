"""The command line: serve the control port until standard input ends."""

import argparse
import asyncio
import os
import sys
import threading

import grpc

from dramaturg.v2 import control_pb2_grpc

from reference.control.port import Control


def exit_with_input() -> None:
    """End the process when its input ends, whatever it is doing (CTRL-11)."""

    def wait() -> None:
        while sys.stdin.buffer.raw.read(4096):  # type: ignore[attr-defined]
            pass
        os._exit(0)

    threading.Thread(target=wait, daemon=True).start()


async def serve(address: str) -> None:
    """Serve on ``address``, for ever."""
    server = grpc.aio.server()
    control_pb2_grpc.add_ControlServicer_to_server(Control(), server)
    server.add_insecure_port(address)
    await server.start()
    await server.wait_for_termination()


def main() -> None:
    parser = argparse.ArgumentParser(description="The reference implementation's control port.")
    where = parser.add_mutually_exclusive_group(required=True)
    where.add_argument("--socket", metavar="PATH", help="Unix domain socket to serve on")
    where.add_argument("--listen", metavar="HOST:PORT", help="for a debugger: serve TCP instead")
    options = parser.parse_args()
    exit_with_input()
    asyncio.run(serve(f"unix:{options.socket}" if options.socket else options.listen))


if __name__ == "__main__":
    main()
