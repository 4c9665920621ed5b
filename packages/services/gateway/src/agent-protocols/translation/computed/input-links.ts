import { FreeNumbers } from '../../series/free-numbers.ts';
import { grown, nextSize } from '../../series/series-numbers.ts';
import { NONE } from '../outputs/none.ts';

/**
 * The columns of a link: its computation and the role of the input in that, the output that is the input, the next link of the
 * computation, and the next link of the output.
 */
const WIDTH = 4;
const COMPUTATION = 0;
const INPUT = 1;
const NEXT_INPUT = 2;
const NEXT_FEED = 3;
/** The role is in the lowest bits of the first column. */
const ROLE_BITS = 4;
export const MAX_ROLES = 1 << ROLE_BITS;
const FIRST_SIZE = 64;

/** That outputs are inputs of computations, as rows by their numbers: each is in a list of its computation and in one of its output. */
export class InputLinks {
  readonly #numbers = new FreeNumbers();
  #rows = new Int32Array(FIRST_SIZE * WIDTH);

  /** A link that is in no list yet. */
  create(computation: number, role: number, input: number): number {
    const link = this.#numbers.take();
    if ((link + 1) * WIDTH > this.#rows.length) this.#rows = grown(this.#rows, nextSize(link) * WIDTH);
    this.#rows.set([(computation << ROLE_BITS) | role, input, NONE, NONE], link * WIDTH);
    return link;
  }

  /** Releases a link that is no longer in the list of its computation, and whose output is not used any more. */
  release(link: number): void {
    this.#numbers.release(link);
  }

  computationOf(link: number): number {
    return (this.#rows[link * WIDTH + COMPUTATION] as number) >> ROLE_BITS;
  }

  roleOf(link: number): number {
    return (this.#rows[link * WIDTH + COMPUTATION] as number) & (MAX_ROLES - 1);
  }

  setRole(link: number, role: number): void {
    const computation = this.computationOf(link);
    this.#rows[link * WIDTH + COMPUTATION] = (computation << ROLE_BITS) | role;
  }

  /** The output that is the input. */
  inputOf(link: number): number {
    return this.#rows[link * WIDTH + INPUT] as number;
  }

  /** The next link of the computation. */
  nextInputOf(link: number): number {
    return this.#rows[link * WIDTH + NEXT_INPUT] as number;
  }

  /** The next link of the output. */
  nextFeedOf(link: number): number {
    return this.#rows[link * WIDTH + NEXT_FEED] as number;
  }

  /** Appends a link to the list of its computation, which begins with `first`. */
  appendInput(first: number, link: number): void {
    this.#append(first, link, NEXT_INPUT);
  }

  /** Appends a link to the list of its output, which begins with `first`. */
  appendFeed(first: number, link: number): void {
    this.#append(first, link, NEXT_FEED);
  }

  /** Removes a link from the list of its computation, which begins with `first`; returns with which link it begins then. */
  removeInput(first: number, link: number): number {
    const next = this.nextInputOf(link);
    if (link === first) return next;
    let before = first;
    while (this.nextInputOf(before) !== link) before = this.nextInputOf(before);
    this.#rows[before * WIDTH + NEXT_INPUT] = next;
    return first;
  }

  #append(first: number, link: number, next: number): void {
    let last = first;
    while (this.#rows[last * WIDTH + next] !== NONE) last = this.#rows[last * WIDTH + next] as number;
    this.#rows[last * WIDTH + next] = link;
  }
}
