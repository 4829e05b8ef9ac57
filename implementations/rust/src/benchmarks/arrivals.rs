//! When requests of an open load arrive (spec/openweb.md).

use super::lcg::Lcg;

/// When each request is due, in nanoseconds after the start of the run (OPEN-1).
pub fn arrivals(requests: u32, gap: u32, seed: u32) -> Vec<u64> {
    const STEPS: u32 = 256;
    let mut length = 0;
    let lengths: Vec<u64> = (0..STEPS)
        .map(|step| {
            length += u64::from(1_000_000 / (STEPS - step));
            length
        })
        .collect();
    let mut lcg = Lcg::new(seed);
    let mut total = 0;
    (0..requests)
        .map(|_| {
            total += lengths[(lcg.draw() / STEPS) as usize];
            u64::from(gap) * total / 1000
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::arrivals;

    #[test]
    fn arrivals_are_those_of_the_chapter() {
        assert_eq!(arrivals(3, 1000, 42), [52_008, 2_924_682, 3_085_009]);
    }
}
