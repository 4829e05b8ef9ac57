//! What each call does, one at a time (spec/control.md).

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use tokio::runtime::Handle;
use tokio::sync::mpsc::UnboundedReceiver;

use super::describe::describe;
use super::histogram::histogram;
use super::port::Output;
use super::protocol::{Call, Empty, FullReceipt, Mark, Prepared, Progress, Request, TornDown};
use super::stopwatch::{nanos, Marks};
use crate::benchmarks::{Act, Benchmark, Farewell, Parameters, Place, Said};
use crate::runtime::clock::Clock;
use crate::runtime::report::{Confirmed, Report};
use crate::runtime::watch::Watch;
use crate::runtime::world::World;

/// For how long the number of actors may stay the same until nobody waits any more (CTRL-17).
const PATIENCE: Duration = Duration::from_secs(1);

/// The world whose logs can be had. `Trace` is answered by another thread.
pub type Present = Arc<Mutex<Option<World>>>;

/// What an actor failed of (CTRL-10).
type Outcome<T> = Result<T, String>;

/// Calls but for `trace`, as they come.
pub struct Session {
    runtime: Handle,
    clock: Clock,
    output: Output,
    present: Present,
    iteration: Option<Iteration>,
}

/// A world, and what is known of it.
struct Iteration {
    world: World,
    reports: UnboundedReceiver<Report>,
    benchmark: Box<dyn Benchmark>,
    /// Whether the lead lives on this node.
    leads: bool,
    said: Said,
    run_nanos: u64,
}

impl Session {
    /// What outlives worlds is there from now on: before the first call (IMPL-8).
    pub fn new(runtime: Handle, output: Output, present: Present) -> Self {
        Self { runtime, clock: Clock::start(), output, present, iteration: None }
    }

    /// Makes a call and writes its answer.
    pub fn answer(&mut self, Request { id, call }: Request, taken: Instant) {
        let answered = match call {
            Call::Describe { probes } => {
                self.output.reply(id, describe(&self.runtime, probes));
                Ok(())
            }
            Call::Prepare { benchmark, watches, place } => self
                .prepare(&benchmark, &watches, &place, taken)
                .map(|prepared| self.output.reply(id, prepared)),
            Call::Act(act) => self.iteration().act(act).map(|()| self.output.reply(id, Empty {})),
            Call::Turn {} => self.iteration().turn().map(|()| self.output.reply(id, Empty {})),
            Call::Run { salt, log_limit } => {
                let output = self.output.clone();
                let mark = |done| output.item(id, Progress { mark: Mark { done } });
                let iteration = self.iteration();
                iteration.limit_log(log_limit);
                let ran = iteration.run(salt, taken, mark);
                iteration.limit_log(0);
                ran.map(|()| self.output.end(id))
            }
            Call::Teardown {} => {
                let torn_down = self.iteration().tear_down(taken);
                torn_down.map(|receipt| self.output.reply(id, TornDown { receipt }))
            }
            Call::Trace {} => unreachable!("traces are answered on a thread of their own"),
        };
        if let Err(reason) = answered {
            self.output.error(id, reason);
        }
    }

    fn prepare(
        &mut self,
        parameters: &Parameters,
        watches: &[Watch],
        place: &Place,
        taken: Instant,
    ) -> Outcome<Prepared> {
        self.iteration = None;
        let (world, reports) = World::new(self.runtime.clone(), self.clock.clone(), watches);
        *self.present.lock().expect("nobody panics") = Some(world.clone());
        let benchmark = place.populate(&world, parameters);
        let mut said = Said::default();
        said.done.benchmark = parameters.benchmark();
        let leads = place.leads();
        let iteration = Iteration { world, reports, benchmark, leads, said, run_nanos: 0 };
        let iteration = self.iteration.insert(iteration);
        iteration.check()?;
        if leads && iteration.benchmark.set_up() {
            iteration.report()?;
        }
        Ok(Prepared { setup_nanos: nanos(taken, Instant::now()) })
    }

    fn iteration(&mut self) -> &mut Iteration {
        self.iteration.as_mut().expect("prepare comes first")
    }
}

impl Iteration {
    /// The next report, or why there is none.
    fn report(&mut self) -> Outcome<Report> {
        match self.reports.blocking_recv() {
            Some(Report::Failed { actor, reason }) => Err(format!("{actor} failed: {reason}")),
            Some(report) => Ok(report),
            None => unreachable!("the world can report as long as it is here"),
        }
    }

    /// Fails if an actor has failed when no report was awaited. Asked before the lead is told anything:
    /// it may be the one.
    fn check(&mut self) -> Outcome<()> {
        match self.reports.try_recv() {
            Ok(Report::Failed { actor, reason }) => Err(format!("{actor} failed: {reason}")),
            _ => Ok(()),
        }
    }

    fn act(&mut self, act: Act) -> Outcome<()> {
        self.check()?;
        self.benchmark.act(act);
        self.confirmed()
    }

    fn turn(&mut self) -> Outcome<()> {
        self.check()?;
        self.benchmark.turn();
        self.confirmed()
    }

    fn confirmed(&mut self) -> Outcome<()> {
        if let Report::Confirmed(confirmed) = self.report()? {
            self.said.confirmed.add(&confirmed);
        }
        Ok(())
    }

    /// Lets so many events be logged and not delivered from now on; 0 is no limit (CTRL-18).
    fn limit_log(&self, events: u32) {
        let held = match events {
            0 => 0,
            _ => self.world.records().iter().map(|record| record.held()).sum(),
        };
        self.world.room().limit(events, held);
    }

    /// The whole benchmark. `mark` is told how many turns or windows are done (CTRL-6).
    fn run(&mut self, salt: u32, taken: Instant, mark: impl Fn(usize)) -> Outcome<()> {
        self.check()?;
        let mut marks = Marks::new(taken);
        let mut start = self.benchmark.run(salt);
        let turns = self.benchmark.turns();
        let mut window_began = start;
        let mut done = 0;
        let end = loop {
            match self.report()? {
                Report::Confirmed(confirmed) => {
                    self.said.confirmed.add(&confirmed);
                    done += 1;
                    if marks.due() {
                        mark(done);
                    }
                    let Confirmed { turn, began, ended, .. } = confirmed;
                    if turn == 0 {
                        start = began;
                    }
                    if turns == Some(done) {
                        break ended;
                    }
                }
                Report::Window { count, ended } => {
                    self.said.done.windows.push(count);
                    self.said.done.window_nanos.push(nanos(window_began, ended));
                    window_began = ended;
                    done += 1;
                    if marks.due() {
                        mark(done);
                    }
                }
                Report::Readings { due, answered, arrived } => {
                    let after_start = |reading| nanos(start, reading);
                    self.said.done.latency = histogram(&due, answered.into_iter().map(after_start));
                    self.said.done.lateness = histogram(&due, arrived.into_iter().map(after_start));
                }
                Report::Shortest(nap) => self.said.done.shortest_nanos = nap.as_nanos() as u64,
                Report::Done { arguments, ended } => {
                    self.said.done.arguments = arguments;
                    break ended;
                }
                Report::Ready | Report::Finished(_) => unreachable!("not in a run"),
                Report::Failed { .. } => unreachable!("seen to already"),
            }
        };
        if done > 0 {
            mark(done);
        }
        self.run_nanos = nanos(start, end);
        Ok(())
    }

    fn tear_down(&mut self, taken: Instant) -> Outcome<FullReceipt> {
        self.check()?;
        if self.leads && self.benchmark.disconnect() == Farewell::Answered {
            if let Report::Finished(counts) = self.report()? {
                self.said.finished = counts;
            }
        }
        self.world.wait_for_the_end(PATIENCE);
        let ended = Instant::now();
        self.check()?;
        Ok(FullReceipt {
            benchmark: self.leads.then(|| self.benchmark.receipt(&self.said)),
            run_nanos: self.run_nanos,
            teardown_nanos: nanos(taken, ended),
            alive: self.world.alive(),
        })
    }
}
