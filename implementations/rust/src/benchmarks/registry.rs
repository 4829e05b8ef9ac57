//! What follows from the table of benchmarks in `mod.rs`.

/// Declares which benchmarks there are. A row has the benchmark's name in requests and
/// receipts, its module, and of that what implements `Benchmark` and what its receipt is. Its
/// parameters are the module's `Parameters`.
#[macro_export]
macro_rules! registry {
    ($($name:ident: $module:ident::{$benchmark:ident, $receipt:ident}),* $(,)?) => {
        /// A benchmark by its parameters.
        #[derive(Clone, Debug, ::serde::Deserialize)]
        #[serde(rename_all = "lowercase")]
        pub enum Parameters {
            $($name($module::Parameters),)*
        }

        /// A benchmark's own receipt.
        #[derive(Debug, ::serde::Serialize)]
        #[serde(rename_all = "lowercase")]
        pub enum Receipt {
            $($name($module::$receipt),)*
        }

        /// Makes the first actors of a benchmark in a world.
        pub fn populate(
            world: &$crate::runtime::world::World,
            parameters: &Parameters,
        ) -> Box<dyn Benchmark> {
            match parameters {
                $(Parameters::$name(p) => Box::new($module::$benchmark::new(world, p)),)*
            }
        }
    };
}
