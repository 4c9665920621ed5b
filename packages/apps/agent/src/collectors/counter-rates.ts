/** Turns counters into rates per second between two readings. */
export class CounterRates {
  #before: ReadonlyMap<string, number> = new Map();
  #at: number | undefined;

  /**
   * The increase per second of each counter since the previous call; `at` is in ms of a clock that never goes back. A
   * counter that is new or went back has no rate until the next call.
   */
  update(at: number, counters: ReadonlyMap<string, number>): Map<string, number> {
    const rates = new Map<string, number>();
    const seconds = this.#at === undefined ? 0 : (at - this.#at) / 1_000;
    if (seconds > 0)
      for (const [name, value] of counters) {
        const before = this.#before.get(name);
        if (before !== undefined && value >= before) rates.set(name, (value - before) / seconds);
      }
    this.#before = counters;
    this.#at = at;
    return rates;
  }
}

/** The counters of several devices, each under the name of its device and its field: `sda reads`. */
export function countersByDevice<Field extends string>(
  devices: ReadonlyMap<string, Readonly<Record<Field, number>>>,
  fields: readonly Field[],
): Map<string, number> {
  return new Map(
    [...devices].flatMap(([name, each]) => fields.map((field) => [`${name} ${field}`, each[field]])),
  );
}
