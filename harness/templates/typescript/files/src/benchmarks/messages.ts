/** Kinds of messages: which method of an actor takes which (trace.proto). */
import { messages } from "./table.ts";

/** What is logged of an argument: an unsigned integer of 64 bits; as a number below 2^53. */
export type Argument = number | bigint;

export interface Kind {
  readonly number: number;
  /** How many arguments are logged. */
  readonly arity: number;
}

/** By class, the kind that each method takes: `get_and_reset` is taken by `getAndReset`. */
const KINDS = new Map<number, Map<string, Kind>>();
for (const [key, { label, arity }] of Object.entries(messages)) {
  const number = Number(key);
  const actorClass = number >> 4;
  const ofClass = KINDS.get(actorClass) ?? new Map<string, Kind>();
  ofClass.set(camel(label), { number, arity });
  KINDS.set(actorClass, ofClass);
}

/** What actors of this class take, by the methods that take it. */
export function kindsOf(actorClass: number): ReadonlyMap<string, Kind> {
  return KINDS.get(actorClass) ?? new Map();
}

function camel(label: string): string {
  return label.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());
}
