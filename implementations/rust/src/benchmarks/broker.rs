//! Broker (spec/broker.md): work with a payload, through a router.

use std::time::Instant;

use serde::Deserialize;

use super::payload::Payload;
use super::{hand_over, Benchmark, Farewell};
use crate::messages;
use crate::runtime::actor::{Actor, Fate};
use crate::runtime::mailbox::{mailbox, Address};
use crate::runtime::name::{Name, CONTROL};
use crate::runtime::report::Report;
use crate::runtime::table::{CLASS_EMPLOYEE, CLASS_EMPLOYER, CLASS_ROUTER};
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

struct Employer {
    world: World,
    router: Address<RouterMessage>,
    employees: Vec<Address<EmployeeMessage>>,
    tasks: u32,
    size: u32,
    salt: u32,
    given: u32,
    waiting: usize,
    results: u64,
    sum: u32,
}

impl Employer {
    fn start(&mut self, salt: u32) {
        self.salt = salt;
        for employee in &self.employees {
            employee.send(EMPLOYER, EmployeeMessage::Go {});
        }
    }

    fn request(&mut self, employee: u32, result: u64, checksum: u32) {
        if result > 0 {
            self.results += 1;
            self.sum = self.sum.wrapping_add(checksum);
        }
        if self.given < self.tasks {
            let (number, size) = (self.given, self.size);
            let payload = Payload::new(self.salt, number, size);
            self.router.send(EMPLOYER, RouterMessage::Task { employee, number, size, payload });
            self.given += 1;
            return;
        }
        self.waiting += 1;
        if self.waiting == self.employees.len() {
            let ended = Instant::now();
            let arguments = vec![self.results, u64::from(self.sum)];
            self.world.report(Report::Done { arguments, ended });
        }
    }

    fn disconnect(&mut self) {
        for employee in 0..self.employees.len() as u32 {
            self.router.send(EMPLOYER, RouterMessage::Dismiss { employee });
        }
    }
}

impl Actor for Employer {
    type Message = EmployerMessage;

    fn take(&mut self, _: Name, message: EmployerMessage) -> Fate {
        match message {
            EmployerMessage::Start { salt } => self.start(salt),
            EmployerMessage::Request { employee, result, checksum } => {
                self.request(employee, result, checksum);
            }
            EmployerMessage::Disconnect {} => {
                self.disconnect();
                return Fate::Ends;
            }
        }
        Fate::Lives
    }
}

struct Router {
    employer: Address<EmployerMessage>,
    employees: Vec<Address<EmployeeMessage>>,
    dismissed: usize,
}

impl Actor for Router {
    type Message = RouterMessage;

    fn take(&mut self, from: Name, message: RouterMessage) -> Fate {
        match message {
            RouterMessage::Request { result, checksum } => {
                let employee = from.first();
                let request = EmployerMessage::Request { employee, result, checksum };
                self.employer.send(ROUTER, request);
            }
            RouterMessage::Task { employee, number, size, payload } => {
                let task = EmployeeMessage::Task { number, size, payload };
                self.employees[employee as usize].send(ROUTER, task);
            }
            RouterMessage::Dismiss { employee } => {
                self.employees[employee as usize].send(ROUTER, EmployeeMessage::Dismiss {});
                self.dismissed += 1;
                if self.dismissed == self.employees.len() {
                    return Fate::Ends;
                }
            }
        }
        Fate::Lives
    }
}

struct Employee {
    name: Name,
    router: Address<RouterMessage>,
}

impl Employee {
    fn request(&self, result: u64, checksum: u32) -> Fate {
        self.router.send(self.name, RouterMessage::Request { result, checksum });
        Fate::Lives
    }
}

impl Actor for Employee {
    type Message = EmployeeMessage;

    fn take(&mut self, _: Name, message: EmployeeMessage) -> Fate {
        match message {
            EmployeeMessage::Go {} => self.request(0, 0),
            EmployeeMessage::Task { number, payload, .. } => {
                self.request(u64::from(number) + 1, payload.result(number))
            }
            EmployeeMessage::Dismiss {} => Fate::Ends,
        }
    }
}

pub struct Broker {
    lead: Address<EmployerMessage>,
}

impl Broker {
    pub fn new(world: &World, parameters: &Parameters) -> Self {
        let &Parameters { employees: size, tasks, size: bytes } = parameters;
        let (lead, leads) = mailbox();
        let (router, routers) = mailbox();
        let mut employees = Vec::with_capacity(size as usize);
        for index in 0..size {
            let (address, mailbox) = mailbox();
            let name = Name::of(CLASS_EMPLOYEE, index);
            world.spawn(name, mailbox, Employee { name, router: router.clone() });
            employees.push(address);
        }
        let employer = lead.clone();
        let clerk = Router { employer, employees: employees.clone(), dismissed: 0 };
        world.spawn(ROUTER, routers, clerk);
        let employer = Employer {
            world: world.clone(),
            router,
            employees,
            tasks,
            size: bytes,
            salt: 0,
            given: 0,
            waiting: 0,
            results: 0,
            sum: 0,
        };
        world.spawn(EMPLOYER, leads, employer);
        Self { lead }
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
