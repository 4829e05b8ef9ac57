//! Broker (spec/broker.md): work with a payload, through a router.

use std::time::Instant;

use serde::Deserialize;

use super::payload::Payload;
use super::{hand_over, Benchmark, Farewell};
use crate::messages;
use crate::runtime::actor::{Actor, Me, Outcome};
use crate::runtime::mailbox::{all, Address, Crew, Envelope};
use crate::runtime::name::{Name, CONTROL};
use crate::runtime::report::Report;
use crate::runtime::table::{CLASS_EMPLOYEE, CLASS_EMPLOYER, CLASS_ROUTER};
#[cfg(feature = "cluster")]
use crate::runtime::travel::{Part, Unread};
use crate::runtime::world::World;

const EMPLOYER: Name = Name::of(CLASS_EMPLOYER, 0);
const ROUTER: Name = Name::of(CLASS_ROUTER, 0);

#[derive(Clone, Debug, Deserialize)]
pub struct Parameters {
    employees: u32,
    tasks: u32,
    size: u32,
}

messages! {
    pub enum EmployerMessage {
        Start { salt: u32 } = KIND_EMPLOYER_START,
        Request { employee: u32, result: u64, checksum: u32 } = KIND_EMPLOYER_REQUEST,
        Disconnect {} = KIND_EMPLOYER_DISCONNECT,
    }
}

messages! {
    pub enum RouterMessage {
        Request { result: u64, checksum: u32 } = KIND_ROUTER_REQUEST,
        Task { employee: u32, number: u32, size: u32, payload: Payload } = KIND_ROUTER_TASK,
        Dismiss { employee: u32 } = KIND_ROUTER_DISMISS,
    }
}

messages! {
    pub enum EmployeeMessage {
        Go {} = KIND_EMPLOYEE_GO,
        Task { number: u32, size: u32, payload: Payload } = KIND_EMPLOYEE_TASK,
        Dismiss {} = KIND_EMPLOYEE_DISMISS,
    }
}

/// Its bytes, and how many: no checksum (BROKER-5).
#[cfg(feature = "cluster")]
impl Part for Payload {
    fn write(self, to: &mut Vec<u8>) {
        (self.0.len() as u32).write(to);
        to.extend(self.0);
    }

    fn read(from: &mut Unread) -> Option<Self> {
        let length = u32::read(from)?;
        Some(Self(from.take(length as usize)?.into()))
    }
}

struct Employer {
    world: World,
    employees: Crew<EmployeeMessage>,
    size: u32,
    tasks: u32,
    bytes: u32,
}

struct EmployerState {
    router: Address<RouterMessage>,
    salt: u32,
    given: u32,
    waiting: u32,
    results: u64,
    sum: u32,
}

impl Employer {
    async fn spawn_employees(&self, router: &Address<RouterMessage>) {
        let mut employees = Vec::with_capacity(self.size as usize);
        for index in 0..self.size {
            let name = Name::of(CLASS_EMPLOYEE, index);
            let employee = Employee { name, router: router.clone() };
            employees.push(self.world.spawn(name, employee, ()).await);
        }
        let made = self.employees.set(employees);
        assert!(made.is_ok(), "employees are made once");
    }

    fn request(&self, state: &mut EmployerState, employee: u32, result: u64, checksum: u32) {
        if result > 0 {
            state.results += 1;
            state.sum = state.sum.wrapping_add(checksum);
        }
        if state.given < self.tasks {
            let (number, size) = (state.given, self.bytes);
            let payload = Payload::new(state.salt, number, size);
            state.router.send(EMPLOYER, RouterMessage::Task { employee, number, size, payload });
            state.given += 1;
            return;
        }
        state.waiting += 1;
        if state.waiting == self.size {
            let ended = Instant::now();
            let arguments = vec![state.results, u64::from(state.sum)];
            self.world.report(Report::Done { arguments, ended });
        }
    }
}

impl Actor for Employer {
    type Msg = Envelope<EmployerMessage>;
    type State = EmployerState;
    type Arguments = ();

    async fn pre_start(&self, me: Me<EmployerMessage>, (): ()) -> Outcome<EmployerState> {
        let router = Router { employer: me.into(), employees: self.employees.clone() };
        let router = self.world.spawn(ROUTER, router, ()).await;
        self.spawn_employees(&router).await;
        Ok(EmployerState { router, salt: 0, given: 0, waiting: 0, results: 0, sum: 0 })
    }

    async fn handle(
        &self,
        me: Me<EmployerMessage>,
        envelope: Envelope<EmployerMessage>,
        state: &mut EmployerState,
    ) -> Outcome {
        match envelope.message {
            EmployerMessage::Start { salt } => {
                state.salt = salt;
                for employee in all(&self.employees) {
                    employee.send(EMPLOYER, EmployeeMessage::Go {});
                }
            }
            EmployerMessage::Request { employee, result, checksum } => {
                self.request(state, employee, result, checksum);
            }
            EmployerMessage::Disconnect {} => {
                for employee in 0..self.size {
                    state.router.send(EMPLOYER, RouterMessage::Dismiss { employee });
                }
                me.stop(None);
            }
        }
        Ok(())
    }
}

struct Router {
    employer: Address<EmployerMessage>,
    employees: Crew<EmployeeMessage>,
}

impl Actor for Router {
    type Msg = Envelope<RouterMessage>;
    /// How many employees it has dismissed.
    type State = usize;
    type Arguments = ();

    async fn pre_start(&self, _: Me<RouterMessage>, (): ()) -> Outcome<usize> {
        Ok(0)
    }

    async fn handle(
        &self,
        me: Me<RouterMessage>,
        envelope: Envelope<RouterMessage>,
        dismissed: &mut usize,
    ) -> Outcome {
        let employees = all(&self.employees);
        let Envelope { from, message } = envelope;
        match message {
            RouterMessage::Request { result, checksum } => {
                let employee = from.first();
                let request = EmployerMessage::Request { employee, result, checksum };
                self.employer.send(ROUTER, request);
            }
            RouterMessage::Task { employee, number, size, payload } => {
                let task = EmployeeMessage::Task { number, size, payload };
                employees[employee as usize].send(ROUTER, task);
            }
            RouterMessage::Dismiss { employee } => {
                employees[employee as usize].send(ROUTER, EmployeeMessage::Dismiss {});
                *dismissed += 1;
                if *dismissed == employees.len() {
                    me.stop(None);
                }
            }
        }
        Ok(())
    }
}

struct Employee {
    name: Name,
    router: Address<RouterMessage>,
}

impl Employee {
    fn request(&self, result: u64, checksum: u32) {
        self.router.send(self.name, RouterMessage::Request { result, checksum });
    }
}

impl Actor for Employee {
    type Msg = Envelope<EmployeeMessage>;
    type State = ();
    type Arguments = ();

    async fn pre_start(&self, _: Me<EmployeeMessage>, (): ()) -> Outcome {
        Ok(())
    }

    async fn handle(
        &self,
        me: Me<EmployeeMessage>,
        envelope: Envelope<EmployeeMessage>,
        (): &mut (),
    ) -> Outcome {
        match envelope.message {
            EmployeeMessage::Go {} => self.request(0, 0),
            EmployeeMessage::Task { number, payload, .. } => {
                self.request(u64::from(number) + 1, payload.result(number));
            }
            EmployeeMessage::Dismiss {} => me.stop(None),
        }
        Ok(())
    }
}

pub struct Broker {
    lead: Address<EmployerMessage>,
}

impl Broker {
    pub fn new(world: &World, parameters: &Parameters) -> Self {
        let &Parameters { employees: size, tasks, size: bytes } = parameters;
        let employees = Crew::default();
        let employer = Employer { world: world.clone(), employees, size, tasks, bytes };
        if world.leads() {
            return Self { lead: world.spawn_lead(EMPLOYER, employer, ()) };
        }
        world.populate(employer.spawn_employees(&world.address(ROUTER)));
        Self { lead: world.address(EMPLOYER) }
    }
}

impl Benchmark for Broker {
    fn run(&mut self, salt: u32) -> Instant {
        hand_over(&self.lead, EmployerMessage::Start { salt })
    }

    fn disconnect(&mut self) -> Farewell {
        self.lead.send(CONTROL, EmployerMessage::Disconnect {});
        Farewell::Said
    }
}
