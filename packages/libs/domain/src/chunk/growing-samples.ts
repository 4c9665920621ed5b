const MIN_ROWS = 64;

/** Samples of one slot, in memory that is used again after `clear`. */
export class GrowingSamples {
  #times = new Float64Array(MIN_ROWS);
  #values = new Float64Array(MIN_ROWS);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  clear(): void {
    this.#length = 0;
  }

  /** Adds those of the first `count` values that are not NaN and whose times are in `[from, to)`. Times ascend. */
  add(times: Float64Array, values: Float64Array, count: number, from: number, to: number): void {
    this.#reserve(count);
    let length = this.#length;
    for (let row = 0; row < count; row += 1) {
      const time = times[row] as number;
      if (time < from) continue;
      if (time >= to) break;
      const value = values[row] as number;
      if (Number.isNaN(value)) continue;
      this.#times[length] = time;
      this.#values[length++] = value;
    }
    this.#length = length;
  }

  /** The times and values so far, valid until more are added. */
  columns(): { times: Float64Array; values: Float64Array } {
    return {
      times: this.#times.subarray(0, this.#length),
      values: this.#values.subarray(0, this.#length),
    };
  }

  #reserve(count: number): void {
    const wanted = this.#length + count;
    if (wanted <= this.#times.length) return;
    const capacity = Math.max(wanted, 2 * this.#times.length);
    const wider = (column: Float64Array) => {
      const next = new Float64Array(capacity);
      next.set(column.subarray(0, this.#length));
      return next;
    };
    this.#times = wider(this.#times);
    this.#values = wider(this.#values);
  }
}
