/** Names of actors: class, first and second index in 64 bits (ACT-3). */
import { ActorClass, classLabels } from "./table.ts";

export interface Name {
  readonly actorClass: number;
  readonly first: number;
  readonly second: number;
}

export const CONTROL: Name = { actorClass: ActorClass.control, first: 0, second: 0 };

/** The upper 32 bits. */
export function high(name: Name): number {
  return ((name.actorClass << 24) | (name.first >>> 8)) >>> 0;
}

/** The lower 32 bits. */
export function low(name: Name): number {
  return ((name.first << 24) | name.second) >>> 0;
}

/** A name as people read it: `client/17`, `chat/17.2`. */
export function spell(name: Name): string {
  const label = classLabels[name.actorClass] ?? String(name.actorClass);
  const second = name.second > 0 || name.actorClass === ActorClass.chat ? `.${name.second}` : "";
  return `${label}/${name.first}${second}`;
}
