/** For so many numbers of outputs an order is kept. */
const MAX_ORDERS = 64;

/**
 * Sorts outputs. What hosts send differs in its values alone, and most hosts send the same, so that the order of as many outputs that
 * were sorted last mostly fits; whether it does takes one comparison for each.
 */
export class OutputOrder {
  readonly #compare: (one: number, other: number) => number;
  /** By the number of outputs: the positions that they had before they were sorted. */
  readonly #orders = new Map<number, readonly number[]>();

  /** No two outputs that are sorted are equal by `compare`. */
  constructor(compare: (one: number, other: number) => number) {
    this.#compare = compare;
  }

  sorted(outputs: readonly number[]): readonly number[] {
    if (this.#isSorted(outputs)) return outputs;
    const last = this.#arranged(outputs, this.#orders.get(outputs.length) ?? []);
    if (last.length === outputs.length && this.#isSorted(last)) return last;
    const order = outputs.map((_, position) => position);
    order.sort((one, other) => this.#compare(outputs[one] as number, outputs[other] as number));
    if (this.#orders.size === MAX_ORDERS) this.#orders.clear();
    this.#orders.set(outputs.length, order);
    return this.#arranged(outputs, order);
  }

  #arranged(outputs: readonly number[], order: readonly number[]): number[] {
    return order.map((position) => outputs[position] as number);
  }

  #isSorted(outputs: readonly number[]): boolean {
    for (let at = 1; at < outputs.length; at += 1)
      if (this.#compare(outputs[at] as number, outputs[at - 1] as number) < 0) return false;
    return true;
  }
}
