//! Digests and checksums (ACT-8 to ACT-10).

/// Folds a number into a digest.
pub fn fold(digest: u32, number: u32) -> u32 {
    let h = digest.wrapping_mul(1_664_525).wrapping_add(1_013_904_223).wrapping_add(number);
    h ^ (h >> 16)
}

/// What messages say whose value begins with the salt: two numbers folded into it.
pub fn fold2(salt: u32, first: u32, second: u32) -> u32 {
    fold(fold(salt, first), second)
}

/// The stream from a key (ACT-11).
pub fn stream(key: u32) -> impl Iterator<Item = u32> {
    (0..).scan(key, |drawn, place| {
        *drawn = fold(*drawn, place);
        Some(*drawn)
    })
}

/// The digest of a payload of ChatApp, of its two halves.
pub fn digest(payload: u64) -> u32 {
    fold((payload >> 32) as u32, payload as u32)
}

/// The checksum of a list, from `start`.
pub fn checksum(start: u32, numbers: impl IntoIterator<Item = u32>) -> u32 {
    numbers.into_iter().fold(start, |sum, number| sum.wrapping_mul(31).wrapping_add(number))
}
