/** First in, first out, without a bound: a ring that grows. */
export class Queue<T> {
  #ring: (T | undefined)[] = new Array<T | undefined>(4);
  #first = 0;
  #length = 0;

  get length(): number {
    return this.#length;
  }

  push(item: T): void {
    const size = this.#ring.length;
    if (this.#length === size) {
      const ring = new Array<T | undefined>(2 * size);
      for (let i = 0; i < size; i++) ring[i] = this.#ring[(this.#first + i) & (size - 1)];
      this.#ring = ring;
      this.#first = 0;
    }
    this.#ring[(this.#first + this.#length) & (this.#ring.length - 1)] = item;
    this.#length++;
  }

  shift(): T | undefined {
    if (this.#length === 0) return undefined;
    const item = this.#ring[this.#first];
    this.#ring[this.#first] = undefined;
    this.#first = (this.#first + 1) & (this.#ring.length - 1);
    this.#length--;
    return item;
  }
}
