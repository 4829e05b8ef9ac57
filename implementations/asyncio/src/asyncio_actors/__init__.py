"""Dramaturg's benchmarks on asyncio, without anything but the standard library."""
