"""Intervals of a report need not be exact to be tested, only there."""

import pytest

from dramaturg.timing.statistics import estimates


@pytest.fixture(autouse=True, scope="module")
def few_resamples():
    """A hundredth of the resamples: the statistics have tests of their own."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(estimates, "RESAMPLES", 50)
        yield
