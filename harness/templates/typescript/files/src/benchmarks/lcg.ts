/** The random generator (spec/lcg.md). */
export class Lcg {
  state: number;

  constructor(seed: number) {
    this.state = seed & 0xffff;
  }

  /** Draws once; the output modulo `modulus`, or the output itself for 0 (LCG-2). */
  nextInt(modulus: number): number {
    this.state = (1309 * this.state + 13849) & 0xffff;
    return modulus === 0 ? this.state : this.state % modulus;
  }

  /** Shuffles in place, from the end, with one draw fewer than there are items (LCG-3). */
  shuffle<T>(items: T[]): void {
    for (let last = items.length - 1; last > 0; last--) {
      const other = this.nextInt(last + 1);
      [items[last], items[other]] = [items[other] as T, items[last] as T];
    }
  }
}
