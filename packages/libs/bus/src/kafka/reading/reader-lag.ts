import type { Standing } from '../position/log-position.ts';

/** Counts the records in a reader's partitions that the reader has not applied yet. */
export class ReaderLag {
  readonly #behind = new Map<number, number>();
  #records = 0;

  get records(): number {
    return this.#records;
  }

  /** Updates the lag of one partition; `end` is the last known end offset of its log. */
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
