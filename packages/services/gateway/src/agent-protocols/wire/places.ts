/**
 * Where fields of a body begin and end. Clearing it keeps its memory, unlike an array whose length becomes 0, which takes new
 * memory for every series.
 */
export class Places {
  readonly #bounds: number[] = [];
  #count = 0;

  get count(): number {
    return this.#count;
  }

  clear(): void {
    this.#count = 0;
  }

  add(start: number, end: number): void {
    const at = 2 * this.#count;
    this.#bounds[at] = start;
    this.#bounds[at + 1] = end;
    this.#count += 1;
  }

  /** As `add`, but makes the last place longer where it ends at `start`. */
  join(start: number, end: number): void {
    const last = 2 * this.#count - 1;
    if (last > 0 && this.#bounds[last] === start) this.#bounds[last] = end;
    else this.add(start, end);
  }

  /** Where a place begins; 0 if there is none with this index. */
  start(index: number): number {
    return index < this.#count ? (this.#bounds[2 * index] as number) : 0;
  }

  /** Where a place ends; 0 if there is none with this index. */
  end(index: number): number {
    return index < this.#count ? (this.#bounds[2 * index + 1] as number) : 0;
  }
}
