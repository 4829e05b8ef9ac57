"""The common parts of stand-ins and readers of slices of all benchmarks."""
