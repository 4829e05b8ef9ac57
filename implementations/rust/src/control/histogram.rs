//! Histograms of a receipt, in the buckets of the specification (OPEN-5).

/// How many of the readings, each less when its request was due, are in each bucket. All are
/// nanoseconds after the start of the run.
pub fn histogram(due: &[u64], readings: impl IntoIterator<Item = u64>) -> Vec<u64> {
    let mut counts = Vec::new();
    for (due, reading) in due.iter().zip(readings) {
        let bucket = bucket_of(reading.saturating_sub(*due));
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
    use super::*;

    #[test]
    fn times_are_in_the_buckets_of_the_chapter() {
        let buckets = [0, 255, 256, 257, 258, 1000, 1_000_000_000].map(bucket_of);
        assert_eq!(buckets, [0, 255, 256, 256, 257, 506, 3054]);
    }

    #[test]
    fn a_histogram_counts_from_when_each_was_due() {
        assert_eq!(histogram(&[0, 10, 20], [7, 15, 27]), [0, 0, 0, 0, 0, 1, 0, 2]);
    }
}
