import { dropPartitions, type Partitions } from './partitions.ts';

/** Chunks of hypertables. TimescaleDB creates them when rows arrive, so none is created in advance. */
export class Chunks implements Partitions {
  readonly drop = dropPartitions;

  has(): boolean {
    return true;
  }

  invalidate(): void {}

  async load(): Promise<void> {}

  async ensure(): Promise<number> {
    return 0;
  }
}
