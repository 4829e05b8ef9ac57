/** Ping-pong: two actors, one message under way (spec/pingpong.md). */
import { Actor } from "./actor.ts";
import { fromControl, type Parameters } from "./benchmark.ts";
import { add, fold } from "./fold.ts";
import type { Address, Mailbox, Message } from "./mailbox.ts";
import type { System } from "./system.ts";
import { ActorClass } from "./table.ts";
import { Windowed, Windows } from "./windows.ts";

/** The lead: asks, and adds up what comes back. */
class Ping extends Actor {
  static readonly CLASS = ActorClass.ping;

  readonly #pong: Address<Pong>;
  readonly #windows: Windows;
  #salt = 0;
  #pongs = 0;
  #sum = 0;
  #before = 0;
  #ending = false;

  constructor(system: System, address: Mailbox, pong: Address<Pong>, form: PingPong) {
    super(system, address);
    this.#pong = pong;
    this.#windows = new Windows(this, form);
  }

  start(_sender: Address, rounds: number, salt: number): void {
    this.#windows.begin();
    this.#salt = salt;
    this.#ask(this.#windows.number > 0 ? 1 : rounds - 1);
  }

  pong(_sender: Address, left: number, value: number): void {
    this.#pongs++;
    this.#sum = add(this.#sum, value);
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
    this.send(this.#pong, "ping", left, fold(this.#salt, this.#pongs));
  }
}

/** Answers, and folds in how many it has answered. */
class Pong extends Actor {
  static readonly CLASS = ActorClass.pong;

  #pings = 0;

  ping(sender: Address<Ping>, left: number, value: number): void {
    this.send(sender, "pong", left, fold(value, this.#pings));
    this.#pings++;
    if (left === 0) this.end();
  }
}

/** `rounds` is 0 in the windowed form. */
export class PingPong extends Windowed {
  readonly counts = ["pongs", "sum"];
  readonly #rounds: number;

  constructor(parameters: Parameters) {
    super(parameters);
    this.#rounds = Number(parameters["rounds"]);
  }

  populate(system: System): Mailbox {
    const ping = system.address(Ping);
    const pong = system.address(Pong);
    system.spawn(pong, Pong);
    system.spawn(ping, Ping, pong, this);
    return ping;
  }

  start(salt: number): Message {
    return fromControl<Ping>()("start", this.#rounds, salt);
  }
}
