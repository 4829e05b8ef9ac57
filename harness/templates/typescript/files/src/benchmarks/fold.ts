/** Digests, sums of digests, and checksums of lists: numbers of 32 bits (ACT-8). */

/** `number` folded into `digest`. */
export function fold(digest: number, number: number): number {
  const mixed = (Math.imul(1664525, digest) + 1013904223 + number) >>> 0;
  return (mixed ^ (mixed >>> 16)) >>> 0;
}

/** A sum of digests with one more. */
export function add(total: number, digest: number): number {
  return (total + digest) >>> 0;
}

/** What `start` becomes by a list of numbers, in order (ACT-9). */
export function checksum(start: number, numbers: Iterable<number>): number {
  let sum = start;
  for (const number of numbers) sum = (Math.imul(31, sum) + number) >>> 0;
  return sum;
}

/** The digest of what a post carries: of its two halves. */
export function payloadDigest(payload: bigint): number {
  return fold(Number(payload >> 32n), Number(payload & 0xffff_ffffn));
}
