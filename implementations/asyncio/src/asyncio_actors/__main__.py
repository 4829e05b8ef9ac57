"""``python3 -m asyncio_actors``: serve the control port on standard input and output."""

from asyncio_actors.control.main import main

if __name__ == "__main__":
    main()
