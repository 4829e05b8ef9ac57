//! What follows from the table of benchmarks in `mod.rs`.

/// Declares which benchmarks there are. A row has the benchmark's name in requests, its module,
/// which is called so in receipts, and of that what implements `Benchmark`. Its parameters are the
/// module's `Parameters`.
#[macro_export]
macro_rules! registry {
    ($($name:ident: $module:ident::$benchmark:ident),* $(,)?) => {
        /// A benchmark by its parameters.
        #[derive(Clone, Debug, ::serde::Deserialize)]
        #[serde(rename_all = "lowercase")]
        pub enum Parameters {
            $($name($module::Parameters),)*
        }

        impl Parameters {
            /// What the benchmark is called in a receipt.
            pub fn benchmark(&self) -> &'static str {
                match self {
                    $(Parameters::$name(_) => stringify!($module),)*
                }
            }
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
