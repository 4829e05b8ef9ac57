//! Histograms of a receipt, in the buckets of the specification (OPEN-5).

use std::time::Instant;

use super::stopwatch::nanos;

/// How many of the readings, less the start, are in each bucket.
pub fn histogram(started: Instant, readings: &[Instant]) -> Vec<u64> {
    let mut counts = Vec::new();
    for &reading in readings {
        let bucket = bucket_of(nanos(started, reading));
        if bucket >= counts.len() {
            counts.resize(bucket + 1, 0);
        }
        counts[bucket] += 1;
    }
    counts
}

/// The bucket that so many nanoseconds are in.
fn bucket_of(nanos: u64) -> usize {
    let bits = u64::BITS - nanos.leading_zeros();
    let shift = bits.saturating_sub(8);
    (128 * u64::from(shift) + (nanos >> shift)) as usize
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn times_are_in_the_buckets_of_the_chapter() {
        let buckets = [0, 255, 256, 257, 258, 1000, 1_000_000_000].map(bucket_of);
        assert_eq!(buckets, [0, 255, 256, 256, 257, 506, 3054]);
    }

    #[test]
    fn a_histogram_counts_from_the_start_of_the_run() {
        let started = Instant::now();
        let readings = [7, 5, 7].map(|nanos| started + Duration::from_nanos(nanos));
        assert_eq!(histogram(started, &readings), [0, 0, 0, 0, 0, 1, 0, 2]);
    }
}
