import { grown } from '../../series/series-numbers.ts';

/** In place of a number that is kept in a map. */
const IS_LARGE = 65_535;

/** A list of numbers from 0 on, most of them below 65,535, which take two bytes each. */
export class SmallNumbers {
  #numbers: Uint16Array;
  readonly #large = new Map<number, number>();

  constructor(length: number) {
    this.#numbers = new Uint16Array(length);
  }

  of(at: number): number {
    const number = this.#numbers[at] as number;
    return number === IS_LARGE ? (this.#large.get(at) as number) : number;
  }

  set(at: number, number: number): void {
    if (this.#numbers[at] === IS_LARGE) this.#large.delete(at);
    if (number >= IS_LARGE) this.#large.set(at, number);
    this.#numbers[at] = Math.min(number, IS_LARGE);
  }

  grow(length: number): void {
    this.#numbers = grown(this.#numbers, length);
  }
}
