import { FreeNumbers } from '../../series/free-numbers.ts';
import { grown, nextSize } from '../../series/series-numbers.ts';
import { type HostPart, SharedHostParts } from './host-part.ts';
import { NONE } from './none.ts';

/**
 * The columns of a part: the number of its host; its position among all that the host created; how many metrics it had in its life;
 * how many series are of it; its last output and computation, from which the others follow; and the next part of its host.
 */
const WIDTH = 7;
const HOST = 0;
const INDEX = 1;
const METRICS = 2;
const USERS = 3;
const OUTPUT = 4;
const COMPUTATION = 5;
const NEXT = 6;
const FIRST_SIZE = 64;

/** The parts of hosts of which series are remembered, of all organizations, as rows by their numbers. */
export class KnownParts {
  readonly #shared = new SharedHostParts();
  readonly #numbers = new FreeNumbers();
  readonly #parts: (HostPart | null)[] = [];
  #rows = new Int32Array(FIRST_SIZE * WIDTH);

  /** A part without metrics; `index` is its position among all that its host created, `next` another part of the host. */
  create(host: number, part: HostPart, index: number, next: number): number {
    const number = this.#numbers.take();
    if ((number + 1) * WIDTH > this.#rows.length) this.#rows = grown(this.#rows, nextSize(number) * WIDTH);
    this.#parts[number] = this.#shared.of(part);
    this.#rows.set([host, index, 0, 0, NONE, NONE, next], number * WIDTH);
    return number;
  }

  release(part: number): void {
    this.#parts[part] = null;
    this.#numbers.release(part);
  }

  of(part: number): HostPart {
    return this.#parts[part] as HostPart;
  }

  hostOf(part: number): number {
    return this.#rows[part * WIDTH + HOST] as number;
  }

  indexOf(part: number): number {
    return this.#rows[part * WIDTH + INDEX] as number;
  }

  /** How many metrics it had in its life. */
  metricsOf(part: number): number {
    return this.#rows[part * WIDTH + METRICS] as number;
  }

  countMetric(part: number): void {
    this.#rows[part * WIDTH + METRICS] = this.metricsOf(part) + 1;
  }

  /** Counts series that are of it; returns how many there are. */
  addUsers(part: number, count: number): number {
    const users = (this.#rows[part * WIDTH + USERS] as number) + count;
    this.#rows[part * WIDTH + USERS] = users;
    return users;
  }

  outputOf(part: number): number {
    return this.#rows[part * WIDTH + OUTPUT] as number;
  }

  setOutput(part: number, output: number): void {
    this.#rows[part * WIDTH + OUTPUT] = output;
  }

  computationOf(part: number): number {
    return this.#rows[part * WIDTH + COMPUTATION] as number;
  }

  setComputation(part: number, computation: number): void {
    this.#rows[part * WIDTH + COMPUTATION] = computation;
  }

  nextOf(part: number): number {
    return this.#rows[part * WIDTH + NEXT] as number;
  }

  setNext(part: number, next: number): void {
    this.#rows[part * WIDTH + NEXT] = next;
  }
}
