/** Numbers from 0. One that is released is given again. */
export class FreeNumbers {
  #used = 0;
  readonly #free: number[] = [];

  take(): number {
    return this.#free.pop() ?? this.#used++;
  }

  release(number: number): void {
    this.#free.push(number);
  }
}
