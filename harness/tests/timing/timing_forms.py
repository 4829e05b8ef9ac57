"""Every benchmark in every form, and the model's whole run of one."""

import pytest
from timing_fakes import SALT

from dramaturg.model.workload import MICRO, ChatAppWorkload, MicroWorkload
from dramaturg.timing.planning.scenarios import (
    CHATAPP,
    CHATAPP_SCENARIOS,
    COUNTED,
    WINDOWED,
    WINDOWS,
    Scenario,
)

FORMS = [(CHATAPP, name) for name in CHATAPP_SCENARIOS]
FORMS += [(name, COUNTED) for name in MICRO] + [(name, WINDOWED) for name in WINDOWS]
forms = pytest.mark.parametrize(("benchmark", "name"), FORMS)


def workload_of(of: Scenario) -> ChatAppWorkload | MicroWorkload:
    if of.benchmark == CHATAPP:
        return ChatAppWorkload(of.chatapp).prepare().run(SALT).disconnect()
    return MicroWorkload(MICRO[of.benchmark], of.micro).run(SALT).disconnect()
