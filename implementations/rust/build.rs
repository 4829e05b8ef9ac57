//! Says which compiler and which crates the program is built with.

use std::env;
use std::fs;
use std::process::Command;

fn main() {
    println!("cargo:rerun-if-changed=Cargo.lock");
    println!("cargo:rustc-env=BUILT_WITH_RUSTC={}", rustc());
    for (name, version) in locked() {
        println!("cargo:rustc-env=BUILT_WITH_{name}={version}");
    }
}

fn rustc() -> String {
    let rustc = env::var_os("RUSTC").expect("cargo names the compiler");
    let output = Command::new(rustc).arg("--version").output().expect("the compiler runs");
    String::from_utf8_lossy(&output.stdout).trim().to_owned()
}

/// The packages in Cargo.lock, by names as variables have them, and their versions.
fn locked() -> Vec<(String, String)> {
    let lock = fs::read_to_string("Cargo.lock").expect("Cargo.lock is there");
    let value = |line: &str, key| Some(line.strip_prefix(key)?.trim_matches('"').to_owned());
    lock.lines()
        .zip(lock.lines().skip(1))
        .filter_map(|(name, version)| {
            Some((value(name, "name = ")?, value(version, "version = ")?))
        })
        .map(|(name, version)| (name.to_uppercase().replace('-', "_"), version))
        .collect()
}
