import { FreeNumbers } from './free-numbers.ts';

/** Objects by numbers, where most have a number in place of one. A number that is released is given again. */
export class ObjectSlots<T extends object> {
  readonly #objects: (T | null)[] = [];
  readonly #numbers = new FreeNumbers();

  add(object: T): number {
    const slot = this.#numbers.take();
    this.#objects[slot] = object;
    return slot;
  }

  of(slot: number): T {
    return this.#objects[slot] as T;
  }

  release(slot: number): void {
    this.#objects[slot] = null;
    this.#numbers.release(slot);
  }
}
