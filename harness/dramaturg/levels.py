"""The specification's version, and its levels (spec/versions.md, spec/levels.md)."""

SPEC = "2"
"""The version of the specification that this harness holds implementations to."""

LEVELS = {0: "handshake", 1: "serial", 2: "directed", 3: "concurrent", 4: "distributed", 5: "timed"}
"""All of them."""

OFFERED = (0, 1, 2, 3, 4)
"""The levels that this harness has cases for; the others are *not run*."""

REQUIRED = (0, 1, 2, 3)
"""The levels that *certified* stands for (LEVEL-1)."""

DISTRIBUTED = 4
"""The one that takes an emulated network."""
