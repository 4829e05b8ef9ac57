//! Where this process stands among the nodes of a world: there are no others.

use serde::Deserialize;

use super::{populate, Benchmark, Parameters};
use crate::runtime::world::World;

#[derive(Debug, Deserialize)]
pub struct Place {}

impl Place {
    /// Whether the lead lives here.
    pub fn leads(&self) -> bool {
        true
    }

    /// Makes the first actors of a benchmark in a world.
    pub fn populate(&self, world: &World, parameters: &Parameters) -> Box<dyn Benchmark> {
        populate(world, parameters)
    }
}
