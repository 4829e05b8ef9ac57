"""The benchmarks, a file each, and what they share."""
