"""Wrong claims: receipts, traces and answers of the control port that are not so.

Whoever is believed here is believed in everything.
"""

import asyncio
import atexit
import os
from collections.abc import Callable
from typing import Any

import grpc
from changes import answers, replaced

from dramaturg.model import chatapp as model
from dramaturg.model.messages import Choice
from dramaturg.model.workload import ChatAppWorkload
from dramaturg.model.simulation import Simulation
from dramaturg.v2 import control_pb2, trace_pb2
from dramaturg.v2 import trace_pb2 as kind

import chatapp
import control
import micro
import trace

# --- receipts of ChatApp ---


def _claims(change: Callable[[Any], None]) -> None:
    """Every receipt of ChatApp passes ``change`` before it is handed over."""
    answers(chatapp.ChatApp, "_finish", change)


def receipt_without_turns() -> None:
    """The receipt has no durations of turns."""
    _claims(lambda receipt: receipt.chatapp.ClearField("turn_nanos"))


def receipt_counts_a_turn_too_many() -> None:
    """The end counts as a turn: one confirm too many."""

    def change(receipt: Any) -> None:
        receipt.chatapp.confirms += 1

    _claims(change)


def receipt_without_joins() -> None:
    """Joins are not counted, since nobody looks."""
    _claims(lambda receipt: receipt.chatapp.ClearField("joins"))


def receipt_checksum_in_16_bits() -> None:
    """The sum of all generators' states is kept in the generator's own 16 bits."""

    def change(receipt: Any) -> None:
        receipt.chatapp.lcg_checksum %= 1 << 16

    _claims(change)


def receipt_sums_the_last_turn() -> None:
    """`fib_sum` is the value of the last confirm."""

    def confirm(self: chatapp.Poker, sender: int, turn: int, value: int) -> None:
        self.value = 0
        right(self, sender, turn, value)

    right = replaced(chatapp.Poker, kind.MESSAGE_KIND_POKER_CONFIRM, confirm)


def receipt_of_another_benchmark() -> None:
    """A receipt of ping-pong, whatever was run: copied and never adapted."""
    _claims(lambda receipt: receipt.pingpong.SetInParent())


# --- traces ---


def trace_handed_over_again() -> None:
    """Every Trace begins at the beginning."""
    right = trace.Trace.hand_over

    def hand_over(self: trace.Trace) -> Any:
        events = list(self._events)
        yield from right(self)
        self._events = events

    trace.Trace.hand_over = hand_over  # type: ignore[method-assign]


def trace_kept_across_worlds() -> None:
    """There is one log for the process: the next world's goes on where the last one ended."""
    log = trace.Trace()
    control.Trace = lambda: log


def trace_without_senders() -> None:
    """Every message is logged as one from control."""
    right = trace.Trace.received

    def received(self: trace.Trace, actor: int, sender: int, number: int, args: Any) -> None:
        right(self, actor, 1 << 56, number, args)

    trace.Trace.received = received  # type: ignore[method-assign]


def footer_counts_itself() -> None:
    """The footer is an event as well."""
    right = trace.Trace.hand_over

    def hand_over(self: trace.Trace) -> Any:
        for response in right(self):
            if response.HasField("footer"):
                response.footer.events += 1
            yield response

    trace.Trace.hand_over = hand_over  # type: ignore[method-assign]


def trace_goes_on_after_its_footer() -> None:
    """Each batch has a footer of its own."""

    def hand_over(self: trace.Trace) -> Any:
        for response in right(self):
            yield response
            if response.HasField("batch"):
                events = len(response.batch.actor)
                yield control_pb2.TraceResponse(footer=trace_pb2.TraceFooter(events=events))

    right = trace.Trace.hand_over
    trace.Trace.hand_over = hand_over  # type: ignore[method-assign]


def fabricated_trace() -> None:
    """The trace is that of the model, played to the same script, whatever really happened; and
    what really happens is that a client overlooks its third delivery. The receipt counts what
    was taken, so it does not fit; without a receipt of their own such runs could not be told."""
    tell = chatapp.ChatApp._tell

    async def told(self: Any, message: int, *args: int, until: int) -> Any:
        if until == kind.MESSAGE_KIND_CONTROL_READY and self._world._trace is not None:
            self.script = []
            self._world._trace.workload, self._world._trace.seen = self, {}
        if self._world._trace is not None:
            self.script.append((message, args))
        return await tell(self, message, *args, until=until)

    def hand_over(self: Any) -> Any:
        right_forward = model.Client.handlers[kind.MESSAGE_KIND_CLIENT_FORWARD]
        replaced(model.Client, kind.MESSAGE_KIND_CLIENT_FORWARD, right)
        made = Simulation(ChatAppWorkload(self.workload._poker.parameters)).perform(self.workload.script)
        replaced(model.Client, kind.MESSAGE_KIND_CLIENT_FORWARD, right_forward)
        self._events = [
            (actor, seq, sender, number, args)
            for actor, log in made.logs.items()
            for seq, (sender, (number, args)) in enumerate(log)
            if seq >= self.seen.get(actor, 0)
        ]
        self.seen = {actor: len(log) for actor, log in made.logs.items()}
        return right_hand_over(self)

    def forward(self: model.Client, sender: int, turn: int, level: int, payload: int) -> None:
        right(self, sender, turn, level, payload)
        if self.deliveries == 3:
            self.deliveries -= 1

    chatapp.ChatApp._tell = told  # type: ignore[method-assign]
    right_hand_over, trace.Trace.hand_over = trace.Trace.hand_over, hand_over  # type: ignore[method-assign]
    right = replaced(model.Client, kind.MESSAGE_KIND_CLIENT_FORWARD, forward)


# --- what it says of itself ---


def _describes(change: Callable[[Any], None]) -> None:
    answers(control.Control, "Describe", change)


def describes_a_benchmark_too_many() -> None:
    """It says that it runs a benchmark that its manifest does not name."""
    _describes(lambda said: said.benchmarks.append("kmeans"))


def describes_a_benchmark_too_few() -> None:
    """It does not own up to the last benchmark that its manifest names."""
    _describes(lambda said: said.benchmarks.pop())


def describes_another_version() -> None:
    """It follows version 2 of the specification."""

    def change(said: Any) -> None:
        said.spec_version = "2"

    _describes(change)


def answers_one_probe_only() -> None:
    """Of several questions the first is answered."""

    def change(said: Any) -> None:
        del said.answers[1:]

    _describes(change)


# --- calls ---


def accepts_any_percentage() -> None:
    """Percentages are not looked at."""
    right = chatapp.check

    def check(p: Any) -> str:
        problem = right(p)
        return "" if problem.endswith("0..100") else problem

    chatapp.check = check


def accepts_any_client() -> None:
    """Act is passed on for clients that do not exist."""

    async def act(self: Any, request: Any, context: Any) -> Any:
        await self._need_chatapp("Act", context)
        world = self._world.act(request.client, request.choice, request.index, request.k)
        return control_pb2.ActResponse(turn=await self._finish(world, context))

    control.Control.Act = act  # type: ignore[method-assign]


def accepts_two_traced_iterations() -> None:
    """Several iterations in one log, in which all names repeat."""
    right = control.Control.Run

    async def run(self: Any, request: Any, context: Any) -> Any:
        log, self._trace = self._trace, None
        self._trace = None if request.iterations > 1 else log
        async for response in right(self, request, context):
            yield response

    control.Control.Run = run  # type: ignore[method-assign]


def refuses_with_the_wrong_code() -> None:
    """A parameter out of range is an internal error."""
    control._INVALID = grpc.StatusCode.INTERNAL


def refuses_without_the_name() -> None:
    """A parameter out of range is "invalid", whichever it is."""
    right = chatapp.check
    chatapp.check = lambda p: "invalid argument" if right(p) else ""


def refusal_uses_the_world_up() -> None:
    """A Run that was refused counts as one all the same."""

    async def run(self: Any, request: Any, context: Any) -> Any:
        used = self._touched
        try:
            async for response in right(self, request, context):
                yield response
        finally:
            self._ran = self._ran or used

    right = control.Control.Run
    control.Control.Run = run  # type: ignore[method-assign]


def prepares_over_a_world() -> None:
    """Prepare replaces the world that is there."""
    right = control.Control.Prepare

    async def prepare(self: Any, request: Any, context: Any) -> Any:
        if self._world is not None:
            await self._world.end()
            self._world = None
        return await right(self, request, context)

    control.Control.Prepare = prepare  # type: ignore[method-assign]


def tears_down_nothing() -> None:
    """Teardown without a world is answered as if there had been one."""
    right = control.Control.Teardown

    async def teardown(self: Any, request: Any, context: Any) -> Any:
        if self._world is None:
            return control_pb2.TeardownResponse()
        return await right(self, request, context)

    control.Control.Teardown = teardown  # type: ignore[method-assign]


def traces_the_untraced() -> None:
    """An untraced world has an empty trace."""
    right = control.Control.Trace

    async def empty(self: Any, request: Any, context: Any) -> Any:
        if self._benchmark is not None and self._trace is None:
            yield control_pb2.TraceResponse(footer=trace_pb2.TraceFooter())
            return
        async for response in right(self, request, context):
            yield response

    control.Control.Trace = empty  # type: ignore[method-assign]


def trace_refused_while_under_way() -> None:
    """Trace waits its turn like every other call: while one is under way it is refused."""
    right = control.Control.Trace

    async def refused(self: Any, request: Any, context: Any) -> Any:
        if self._under_way is not None:
            await context.abort(control._FAILED, "Trace: another call is under way")
        async for response in right(self, request, context):
            yield response

    control.Control.Trace = refused  # type: ignore[method-assign]


def abandoned_without_a_word() -> None:
    """Teardown drops the world, and the Run that was under way ends as if it were done."""
    right = micro.Micro.run

    async def run(self: Any) -> Any:
        try:
            return await right(self)
        except asyncio.CancelledError:
            return await self._receipt(0, ())

    micro.Micro.run = run  # type: ignore[method-assign]


def ignores_shutdown() -> None:
    """Shutdown is answered, and the process stays."""

    async def shutdown(self: Any, request: Any, context: Any) -> Any:
        return control_pb2.ShutdownResponse()

    control.Control.Shutdown = shutdown  # type: ignore[method-assign]


def shuts_down_with_an_error() -> None:
    """The process ends as it was told to, but for an exit handler that fails: with status 1."""
    atexit.register(os._exit, 1)


def slow_start() -> None:
    """It serves in the end, later than its manifest allows for a start."""
    import time

    time.sleep(8)


def acts_are_all_none() -> None:
    """Directed acts are understood as "do nothing": only the drawn ones were ever tried."""

    def act(self: model.Poker, sender: int, client: int, choice: int, *rest: int) -> None:
        right(self, sender, client, Choice.NONE if choice else Choice.DRAW, *rest)

    right = replaced(chatapp.Poker, kind.MESSAGE_KIND_POKER_ACT, act)
