"""Wrong claims: receipts, logs and answers of the control port that are not so.

Whoever is believed here is believed in everything.
"""

import asyncio
import os
import sys
import threading
import time
from typing import Any

import grpc

from dramaturg.model import chatapp as model
from dramaturg.model.messages import Choice
from dramaturg.model.simulation import Simulation
from dramaturg.model.workload import ChatAppWorkload
from dramaturg.v2 import control_pb2, control_pb2_grpc, trace_pb2
from dramaturg.v2 import trace_pb2 as kind

from changes import answers, claims, hands_over, replaced
from reference import __main__ as reference
from reference import behaviours
from reference.control import world
from reference.control.log import Entry, Log
from reference.control.port import Control

# --- receipts of ChatApp ---


def receipt_without_turns() -> None:
    """The receipt has no durations of turns."""
    claims("chatapp", lambda counts: counts.ClearField("turn_nanos"))


def receipt_counts_a_turn_too_many() -> None:
    """The end counts as a turn: one confirm too many."""

    def change(counts: Any) -> None:
        counts.confirms += 1

    claims("chatapp", change)


def receipt_without_joins() -> None:
    """Joins are not counted, since nobody looks."""
    claims("chatapp", lambda counts: counts.ClearField("joins"))


def receipt_checksum_in_16_bits() -> None:
    """The sum of all generators' states is kept in the generator's own 16 bits."""

    def change(counts: Any) -> None:
        counts.lcg_checksum %= 1 << 16

    claims("chatapp", change)


def receipt_sums_the_last_turn() -> None:
    """`fib_sum` is the value of the last confirm."""
    report = world.World._report

    def reported(self: world.World, number: int, args: tuple[int, ...]) -> None:
        if number == kind.MESSAGE_KIND_CONTROL_CONFIRMED:
            self._confirmed = [(turn, 0, *sums) for turn, _, *sums in self._confirmed]
        report(self, number, args)

    world.World._report = reported  # type: ignore[method-assign]


def receipt_of_another_benchmark() -> None:
    """A receipt of ping-pong, whatever was run: copied and never adapted."""
    answers(world.World, "teardown", lambda receipt: setattr(receipt.done, "benchmark", "pingpong"))


def receipt_consumed_what_was_announced() -> None:
    """Announced values are believed to have been consumed, and a client forgets the payload of its
    third delivery."""

    def forward(self: model.Client, sender: int, turn: int, level: int, payload: int) -> None:
        right(self, sender, turn, level, payload if self.deliveries != 2 else 0)

    def change(counts: Any) -> None:
        counts.consumed = counts.announced

    right = replaced(model.Client, kind.MESSAGE_KIND_CLIENT_FORWARD, forward)
    claims("chatapp", change)


def receipt_announced_in_64_bits() -> None:
    """The sums of the turns are added up and not reduced once more."""
    world.add = lambda sum, value: sum + value


def receipt_stops_are_deliveries() -> None:
    """`stops` are taken to be deliveries alone."""

    def change(counts: Any) -> None:
        counts.stops = counts.deliveries

    claims("chatapp", change)


def no_receipt() -> None:
    """Teardown is answered with nothing: the receipt belonged to Run, once."""

    async def teardown(self: Any, request: Any, context: Any) -> control_pb2.TeardownResponse:
        await right(self, request, context)
        return control_pb2.TeardownResponse()

    right = Control.Teardown
    Control.Teardown = teardown  # type: ignore[method-assign]


# --- logs ---


def trace_handed_over_again() -> None:
    """Every Trace begins at the beginning."""
    right = Log.hand_over

    def hand_over(self: Log) -> Any:
        kept = [(entry, list(entry.events)) for entry in self._entries]
        yield from right(self)
        for entry, events in kept:
            entry.events = events

    Log.hand_over = hand_over  # type: ignore[method-assign]


def trace_kept_across_worlds() -> None:
    """There is one log for the process: the next world's goes on where the last one ended."""
    logs: list[Log] = []

    def log(watches: Any) -> Log:
        logs.append(Log(watches))
        return logs[0]

    world.Log = log  # type: ignore[misc,assignment]


def trace_forgotten_at_teardown() -> None:
    """The log goes with the world, and with it all that nobody has fetched by then."""

    async def teardown(self: world.World) -> Any:
        receipt = await right(self)
        for entry in self.log._entries:
            entry.events = []
        return receipt

    right = world.World.teardown
    world.World.teardown = teardown  # type: ignore[method-assign]


def trace_without_senders() -> None:
    """Every message is logged as one from control."""
    right = Entry.take
    Entry.take = lambda self, sender, number, args: right(self, 1 << 56, number, args)  # type: ignore[method-assign]


def footer_counts_itself() -> None:
    """The footer is an event as well."""

    def change(log: Log, responses: Any) -> Any:
        for response in responses:
            if response.HasField("footer"):
                response.footer.events += 1
            yield response

    hands_over(change)


def trace_goes_on_after_its_footer() -> None:
    """Each batch has a footer of its own."""

    def change(log: Log, responses: Any) -> Any:
        for response in responses:
            yield response
            if response.HasField("batch"):
                events = len(response.batch.actor)
                yield control_pb2.TraceResponse(footer=trace_pb2.TraceFooter(events=events))

    hands_over(change)


def fabricated_trace() -> None:
    """The log is that of the model, performed with the same script, whatever really happened;
    and what really happens is that a client overlooks its third delivery. The receipt counts
    what was taken, so it does not fit; without a receipt of their own such runs could not be
    told."""
    made, right_hand_over = world.World.__init__, Log.hand_over

    def init(self: world.World, *args: Any) -> None:
        made(self, *args)
        self.log.workload, self.log.seen = self._workload, {}  # type: ignore[attr-defined]

    def hand_over(self: Any) -> Any:
        if isinstance(self.workload, ChatAppWorkload):
            wrong = replaced(model.Client, kind.MESSAGE_KIND_CLIENT_FORWARD, right)
            workload = ChatAppWorkload(self.workload.parameters, self.workload.script)
            logs = Simulation(workload).perform().logs
            replaced(model.Client, kind.MESSAGE_KIND_CLIENT_FORWARD, wrong)
            for entry in self._entries:
                entry.events = [
                    (sender, number, args)
                    for sender, (number, args) in logs[entry.name][self.seen.get(entry.name, 0) :]
                ]
                self.seen[entry.name] = entry.taken = len(logs[entry.name])
        return right_hand_over(self)

    def forward(self: model.Client, sender: int, turn: int, level: int, payload: int) -> None:
        right(self, sender, turn, level, payload)
        if self.deliveries == 3:
            self.deliveries -= 1

    world.World.__init__ = init  # type: ignore[method-assign]
    Log.hand_over = hand_over  # type: ignore[method-assign]
    right = replaced(model.Client, kind.MESSAGE_KIND_CLIENT_FORWARD, forward)


def trace_refused_while_under_way() -> None:
    """Trace waits its turn like every other call: while one is under way it is refused."""
    _while_running(lambda context: context.abort(grpc.StatusCode.INTERNAL, "Run is under way"))


def trace_waits_for_the_run() -> None:
    """One call at a time: Trace is answered when the run has ended."""
    _while_running(lambda context: asyncio.sleep(3600))


def _while_running(wait: Any) -> None:
    """While Run is under way, Trace has to ``wait(context)``."""
    run, trace, running = Control.Run, Control.Trace, [False]

    async def run_alone(self: Any, request: Any, context: Any) -> Any:
        running[0] = True
        async for response in run(self, request, context):
            yield response
        running[0] = False

    async def trace_later(self: Any, request: Any, context: Any) -> Any:
        if running[0]:
            await wait(context)
        async for response in trace(self, request, context):
            yield response

    Control.Run, Control.Trace = run_alone, trace_later  # type: ignore[method-assign]


def trace_flushed_when_full() -> None:
    """An actor's events are handed over once there are 64 of them, or at the end."""
    right = Log.hand_over

    def hand_over(self: Log) -> Any:
        kept = [(entry, entry.events) for entry in self._entries if _few(entry)]
        for entry, _ in kept:
            entry.events = []
        yield from right(self)
        for entry, events in kept:
            entry.events = events

    def _few(entry: Entry) -> bool:
        return len(entry.events) < 64 and time.monotonic() < ended[0]

    def teardown(self: world.World) -> Any:
        ended[0] = 0.0
        return right_teardown(self)

    ended = [float("inf")]
    right_teardown, world.World.teardown = world.World.teardown, teardown  # type: ignore[method-assign]
    Log.hand_over = hand_over  # type: ignore[method-assign]


# --- what it says of itself ---


def answers_one_probe_only() -> None:
    """Only the first of several questions is answered."""

    def change(said: Any) -> None:
        del said.answers[1:]

    answers(Control, "Describe", change)


def describes_no_version() -> None:
    """Nobody thought of asking the runtime for its version."""
    answers(Control, "Describe", lambda said: said.ClearField("runtime_version"))


def describes_no_threads() -> None:
    """It runs on no thread: the number is read before the schedulers are started."""
    answers(Control, "Describe", lambda said: said.ClearField("schedulers"))


# --- the process ---


def speaks_version_1() -> None:
    """It serves `dramaturg.v1.Control`, as everybody did once."""

    def add(servicer: Any, server: Any) -> None:
        handlers = {"Describe": grpc.unary_unary_rpc_method_handler(servicer.Describe)}
        handler = grpc.method_handlers_generic_handler("dramaturg.v1.Control", handlers)
        server.add_generic_rpc_handlers((handler,))

    control_pb2_grpc.add_ControlServicer_to_server = add


def ignores_the_end_of_its_input() -> None:
    """Nobody reads standard input: there are calls for everything."""
    reference.exit_with_input = lambda: None


def ends_with_an_error() -> None:
    """The process ends with its input, but for an exit handler that fails: with status 1."""
    _at_the_end_of_input(lambda: os._exit(1))


def finishes_its_run_before_it_ends() -> None:
    """At the end of its input it exits, but not with a run under way."""
    right, running = Control.Run, [False]

    async def run(self: Any, request: Any, context: Any) -> Any:
        running[0] = True
        async for response in right(self, request, context):
            yield response
        running[0] = False

    Control.Run = run  # type: ignore[method-assign]
    _at_the_end_of_input(lambda: None if running[0] else os._exit(0))


def buries_its_world_before_it_ends() -> None:
    """At the end of its input it waits for a Teardown of the world that is there."""
    right, worlds = Control.Prepare, [0]

    async def prepare(self: Any, request: Any, context: Any) -> Any:
        worlds[0] += 1
        return await right(self, request, context)

    Control.Prepare = prepare  # type: ignore[method-assign]
    _at_the_end_of_input(lambda: None if worlds[0] else os._exit(0))


def _at_the_end_of_input(end: Any) -> None:
    def exit_with_input() -> None:
        def wait() -> None:
            while sys.stdin.buffer.raw.read(4096):  # type: ignore[attr-defined]
                pass
            end()

        threading.Thread(target=wait, daemon=True).start()

    reference.exit_with_input = exit_with_input


def slow_start() -> None:
    """It serves in the end, later than its manifest allows for a start."""
    time.sleep(20)


def acts_are_all_none() -> None:
    """Directed acts are understood as "do nothing": only the drawn ones were ever tried."""

    def act(self: model.Poker, sender: int, client: int, choice: int, *rest: int) -> None:
        right(self, sender, client, Choice.NONE if choice else Choice.DRAW, *rest)

    right = replaced(behaviours.Poker, kind.MESSAGE_KIND_POKER_ACT, act)
