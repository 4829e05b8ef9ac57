//! Who is watched, and which slice of what it takes is logged (TRACE-1, TRACE-16).

use serde::Deserialize;

use super::name::Name;

/// How many numbers a class can have.
const CLASSES: usize = 128;

/// All `events` that there are.
const ALL: u32 = u32::MAX;

/// A row of `Prepare`.
#[derive(Clone, Debug, Deserialize)]
pub struct Watch {
    class: u8,
    modulus: u32,
    remainder: u32,
    first: u32,
    last: u32,
    from: u32,
    events: u32,
}

impl Watch {
    fn fits(&self, name: Name) -> bool {
        let index = name.first();
        (self.first..=self.last).contains(&index) && index % self.modulus == self.remainder
    }

    /// Whether the message with this number, from 0, is to be logged.
    pub fn wants(&self, number: u64) -> bool {
        let from = u64::from(self.from);
        number >= from && (self.events == ALL || number < from + u64::from(self.events))
    }
}

/// The watches of a world, by class and in their order.
pub struct Watches(Vec<Vec<Watch>>);

impl Watches {
    pub fn new(rows: &[Watch]) -> Self {
        let mut classes = vec![Vec::new(); CLASSES];
        for row in rows {
            match row.class {
                0 => classes.iter_mut().for_each(|class| class.push(row.clone())),
                class => classes[usize::from(class)].push(row.clone()),
            }
        }
        Self(classes)
    }

    /// An actor's own watch: the first that it fits.
    pub fn of(&self, name: Name) -> Option<&Watch> {
        self.0[usize::from(name.class())].iter().find(|watch| watch.fits(name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::runtime::table::{CLASS_CHAT, CLASS_CLIENT};

    /// The example of actors.md.
    fn example() -> Watches {
        let row = |modulus, remainder, first, last, from, events| Watch {
            class: CLASS_CLIENT,
            modulus,
            remainder,
            first,
            last,
            from,
            events,
        };
        Watches::new(&[row(3, 1, 0, 8, 2, ALL), row(1, 0, 4, 9, 0, 3)])
    }

    fn logged(watches: &Watches, name: Name) -> Option<Vec<u64>> {
        let watch = watches.of(name)?;
        Some((0..6).filter(|number| watch.wants(*number)).collect())
    }

    #[test]
    fn the_first_watch_that_fits_is_the_actors_own() {
        let watches = example();
        for (index, slice) in [
            (1, Some(vec![2, 3, 4, 5])),
            (7, Some(vec![2, 3, 4, 5])),
            (4, Some(vec![2, 3, 4, 5])),
            (5, Some(vec![0, 1, 2])),
            (9, Some(vec![0, 1, 2])),
            (0, None),
            (10, None),
        ] {
            assert_eq!(logged(&watches, Name::of(CLASS_CLIENT, index)), slice, "client/{index}");
        }
        assert_eq!(logged(&watches, Name::of(CLASS_CHAT, 4)), None);
    }

    #[test]
    fn a_row_of_class_0_fits_everybody() {
        let row =
            Watch { class: 0, modulus: 1, remainder: 0, first: 0, last: ALL, from: 0, events: ALL };
        let watches = Watches::new(&[row]);
        assert!(watches.of(Name::of(CLASS_CHAT, ALL)).unwrap().wants(u64::MAX));
    }
}
