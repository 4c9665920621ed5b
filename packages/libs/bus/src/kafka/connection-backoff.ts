import { lookup as lookupAddress } from 'node:dns';
import { isIP, type LookupFunction, type Socket } from 'node:net';

/** Pauses after failures in a row, ms: doubled from the first to the maximum, so that recovery is noticed within a second. */
const FIRST_PAUSE_MS = 100;
const MAX_PAUSE_MS = 1_000;

interface Failures {
  count: number;
  /** The earliest time of the next connection attempt, ms. */
  until: number;
}

/**
 * Delays connections to addresses that failed: the retries of all requests of a Kafka client would otherwise connect some
 * twenty times a second. A connection failed if it closes before the peer has sent anything.
 */
export class ConnectionBackoff {
  readonly #failures = new Map<string, Failures>();
  readonly #clock: () => number;
  readonly #random: () => number;

  /** Takes a clock in ms, and a source of random numbers from 0 up to, but without, 1. */
  constructor(clock: () => number, random: () => number) {
    this.#clock = clock;
    this.#random = random;
  }

  /** Returns how many ms the next connection attempt to this address has to wait; 0 if the address has not failed. */
  delayOf(address: string): number {
    return Math.max(0, (this.#failures.get(address)?.until ?? 0) - this.#clock());
  }

  /** Observes the socket of an attempt to see whether the address works. */
  watch(address: string, socket: Socket): void {
    socket.once('data', () => this.#failures.delete(address));
    socket.once('close', () => {
      if (socket.bytesRead === 0) this.#fail(address);
    });
  }

  /**
   * Records a failed attempt and sets the next pause, with a jitter of up to half. Attempts that fail at the same time
   * count once.
   */
  #fail(address: string): void {
    const count = this.#failures.get(address)?.count ?? 0;
    if (this.delayOf(address) > 0) return;
    const pause = Math.min(FIRST_PAUSE_MS * 2 ** count, MAX_PAUSE_MS);
    const until = this.#clock() + pause * (0.5 + this.#random() / 2);
    this.#failures.set(address, { count: Math.min(count + 1, 10), until });
  }
}

/**
 * Connection options that delay the connection by `delayMs`, by a delayed name lookup of `host`. Since sockets do not look
 * up an IP address, it is passed under a name that only this lookup resolves.
 */
export function connectLater(host: string, delayMs: number): { host: string; lookup: LookupFunction } {
  const family = isIP(host);
  return {
    host: family === 0 ? host : 'delayed',
    lookup(_name, options, callback) {
      setTimeout(() => {
        if (family === 0) lookupAddress(host, options, callback);
        else if (options.all) callback(null, [{ address: host, family }]);
        else callback(null, host, family);
      }, delayMs);
    },
  };
}
