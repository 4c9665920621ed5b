import type { Standing } from '../position/log-position.ts';

/** How many records of a reader's partitions are known to lie there and are not applied. */
export class ReaderLag {
  readonly #behind = new Map<number, number>();
  #records = 0;

  get records(): number {
    return this.#records;
  }

  /** `end` is where the next record of the partition will lie, as far as is known. */
  note({ partition, next }: Pick<Standing, 'partition' | 'next'>, end: bigint): void {
    const records = end > next ? Number(end - next) : 0;
    this.#records += records - (this.#behind.get(partition) ?? 0);
    this.#behind.set(partition, records);
  }

  clear(): void {
    this.#behind.clear();
    this.#records = 0;
  }
}
