"""The command line: serve the control port until told to stop."""

import argparse
import asyncio
import signal

import grpc

from dramaturg.v1 import control_pb2_grpc

from control import Control


async def serve(address: str) -> None:
    """Serve on ``address`` until Shutdown or SIGTERM."""
    control = Control()
    server = grpc.aio.server()
    control_pb2_grpc.add_ControlServicer_to_server(control, server)
    server.add_insecure_port(address)
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, control.stopped.set)
    await server.start()
    await control.stopped.wait()
    await server.stop(grace=0.2)


def main() -> None:
    parser = argparse.ArgumentParser(description="The reference implementation's control port.")
    where = parser.add_mutually_exclusive_group(required=True)
    where.add_argument("--socket", metavar="PATH", help="Unix domain socket to serve on")
    where.add_argument("--listen", metavar="HOST:PORT", help="for a debugger: serve TCP instead")
    options = parser.parse_args()
    asyncio.run(serve(f"unix:{options.socket}" if options.socket else options.listen))


if __name__ == "__main__":
    main()
