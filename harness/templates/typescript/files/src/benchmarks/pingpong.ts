/** Ping-pong: two actors, one message under way (spec/pingpong.md). */
import { Actor } from "./actor.ts";
import { fromControl, type Parameters } from "./benchmark.ts";
import { add, fold } from "./fold.ts";
import type { Address, Mailbox, Message } from "./mailbox.ts";
import type { Argument } from "./messages.ts";
import type { System } from "./system.ts";
import { ActorClass } from "./table.ts";
import { Windowed, Windows } from "./windows.ts";

/** The lead: asks, and adds up what comes back. */
class Ping extends Actor {
  static readonly CLASS = ActorClass.ping;

  readonly #pong: Address<Pong>;
  readonly #windows: Windows;
  readonly #shift: number;
  #salt = 0;
  #pongs = 0;
  #sum = 0;
  #before = 0;
  #ending = false;

  constructor(system: System, address: Mailbox, pong: Address<Pong>, form: PingPong) {
    super(system, address);
    this.#pong = pong;
    this.#windows = new Windows(this, form);
    this.#shift = form.shift;
  }

  start(_sender: Address, rounds: number, salt: number): void {
    this.#windows.begin();
    this.#salt = salt;
    this.#ask(this.#windows.number > 0 ? 1 : rounds - 1);
  }

  pong(_sender: Address, left: number, value: Argument): void {
    this.#pongs++;
    this.#sum = add(this.#sum, narrow(value, this.#shift));
    if (left === 0) {
      this.system.control.done(this.#pongs, this.#sum);
      this.end();
    } else if (this.#windows.number > 0) {
      this.#ask(this.#ending ? 0 : 1);
    } else {
      this.#ask(left - 1);
    }
  }

  tick(_sender: Address, number: number): void {
    this.#ending = this.#windows.ended(number);
    this.system.control.window(number, this.#pongs - this.#before);
    this.#before = this.#pongs;
  }

  #ask(left: number): void {
    const value = fold(this.#salt, this.#pongs);
    this.send(this.#pong, "ping", left, widen(value, this.#shift));
  }
}

/** Answers, and folds in how many it has answered. */
class Pong extends Actor {
  static readonly CLASS = ActorClass.pong;

  readonly #shift: number;
  #pings = 0;

  constructor(system: System, address: Mailbox, form: PingPong) {
    super(system, address);
    this.#shift = form.shift;
  }

  ping(sender: Address<Ping>, left: number, value: Argument): void {
    const answer = fold(narrow(value, this.#shift), this.#pings);
    this.send(sender, "pong", left, widen(answer, this.#shift));
    this.#pings++;
    if (left === 0) this.end();
  }
}

/** `value` with its lowest bits once more behind it: as many as it is shifted by (PING-7). */
function widen(value: number, shift: number): Argument {
  if (shift === 0) return value;
  const bits = BigInt(shift);
  return (BigInt(value) << bits) | (BigInt(value) & ((1n << bits) - 1n));
}

/** The value that was widened. */
function narrow(value: Argument, shift: number): number {
  return Number(shift === 0 ? value : BigInt(value) >> BigInt(shift));
}

/** `rounds` is 0 in the windowed form. */
export class PingPong extends Windowed {
  /** How many bits of a value are sent behind it once more. */
  readonly shift: number;
  readonly #rounds: number;

  constructor(parameters: Parameters) {
    super(parameters);
    this.shift = Number(parameters["shift"] ?? 0);
    this.#rounds = Number(parameters["rounds"]);
  }

  populate(system: System): Mailbox {
    const ping = system.address(Ping);
    const pong = system.address(Pong);
    system.spawn(pong, Pong, this);
    system.spawn(ping, Ping, pong, this);
    return ping;
  }

  start(salt: number): Message {
    return fromControl<Ping>()("start", this.#rounds, salt);
  }
}
