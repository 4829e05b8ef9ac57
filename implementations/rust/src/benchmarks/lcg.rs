//! The random generator (spec/lcg.md).

/// A generator of its own for every actor that draws.
#[derive(Clone, Debug)]
pub struct Lcg(u16);

impl Lcg {
    /// `seed` is 0..65535.
    pub fn new(seed: u32) -> Self {
        Self(seed as u16)
    }

    /// Its state, which is also the last output.
    pub fn state(&self) -> u32 {
        u32::from(self.0)
    }

    /// Draws the next output (LCG-1).
    pub fn draw(&mut self) -> u32 {
        self.0 = self.0.wrapping_mul(1309).wrapping_add(13849);
        self.state()
    }

    /// Draws a number below `limit`, or the output itself for 0 (LCG-2).
    pub fn next_int(&mut self, limit: u32) -> u32 {
        let output = self.draw();
        match limit {
            0 => output,
            limit => output % limit,
        }
    }

    /// Shuffles in place, with one draw fewer than there are elements (LCG-3).
    pub fn shuffle<T>(&mut self, list: &mut [T]) {
        for last in (1..list.len()).rev() {
            let other = self.next_int(last as u32 + 1) as usize;
            list.swap(last, other);
        }
    }
}
