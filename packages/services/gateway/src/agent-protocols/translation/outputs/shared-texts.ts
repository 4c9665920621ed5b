import { FreeNumbers } from '../../series/free-numbers.ts';
import { grown, nextSize } from '../../series/series-numbers.ts';

const FIRST_SIZE = 256;
const NONE = -1;

/** Texts that very many have, such as names of metrics, by numbers: each is kept once, and as long as it is used. */
export class SharedTexts {
  readonly #numberOf = new Map<string, number>();
  readonly #texts: string[] = [];
  #users = new Int32Array(FIRST_SIZE);
  readonly #numbers = new FreeNumbers();

  /** The number of a text for one more user. */
  use(text: string): number {
    const known = this.#numberOf.get(text);
    if (known !== undefined) {
      this.#users[known] = (this.#users[known] as number) + 1;
      return known;
    }
    const number = this.#numbers.take();
    if (number === this.#users.length) this.#users = grown(this.#users, nextSize(number));
    this.#numberOf.set(text, number);
    this.#texts[number] = text;
    this.#users[number] = 1;
    return number;
  }

  /** The number of a text; -1 if nobody uses it. */
  find(text: string): number {
    return this.#numberOf.get(text) ?? NONE;
  }

  of(number: number): string {
    return this.#texts[number] as string;
  }

  /** Ends that one of its users has it. */
  release(number: number): void {
    const others = (this.#users[number] as number) - 1;
    this.#users[number] = others;
    if (others > 0) return;
    this.#numberOf.delete(this.of(number));
    this.#texts[number] = '';
    this.#numbers.release(number);
  }
}
