//! Says which compiler and which tokio the program is built with.

use std::env;
use std::fs;
use std::process::Command;

fn main() {
    println!("cargo:rerun-if-changed=Cargo.lock");
    println!("cargo:rustc-env=BUILT_WITH_RUSTC={}", rustc());
    println!("cargo:rustc-env=BUILT_WITH_TOKIO={}", locked("tokio"));
}

fn rustc() -> String {
    let rustc = env::var_os("RUSTC").expect("cargo names the compiler");
    let output = Command::new(rustc).arg("--version").output().expect("the compiler runs");
    String::from_utf8_lossy(&output.stdout).trim().to_owned()
}

/// The version of a package in Cargo.lock.
fn locked(package: &str) -> String {
    let lock = fs::read_to_string("Cargo.lock").expect("Cargo.lock is there");
    let name = format!("name = \"{package}\"");
    let line =
        lock.lines().skip_while(|line| *line != name).nth(1).expect("the package is in Cargo.lock");
    line.trim_start_matches("version = ").trim_matches('"').to_owned()
}
