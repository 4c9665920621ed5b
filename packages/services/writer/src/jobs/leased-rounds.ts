import type { Sql } from '@tidewatch/database/connection';
import { type Fence, Lease, LeaseLostError } from '@tidewatch/store/leases/lease';

/** How often a writer without a lease tries to take it, ms. */
const LEASE_RETRY_MS = 5_000;

export interface LeasedRoundsOptions {
  sql: Sql;
  /** The name of this writer in leases. */
  holder: string;
}

/** Rounds of jobs that one writer at a time does, each under a lease of its own. */
export class LeasedRounds {
  readonly #options: LeasedRoundsOptions;
  readonly #leases: Lease[] = [];

  constructor(options: LeasedRoundsOptions) {
    this.#options = options;
  }

  /** Returns a round that runs only while this writer holds the lease of that name. */
  under(name: string, round: (fence: Fence) => Promise<number>): () => Promise<number> {
    const lease = new Lease({ ...this.#options, name: `writer-${name}` });
    this.#leases.push(lease);
    return async () => {
      try {
        return (await lease.held()) ? await round(lease.fence) : LEASE_RETRY_MS;
      } catch (error) {
        if (error instanceof LeaseLostError) return LEASE_RETRY_MS;
        throw error;
      }
    };
  }

  /** Releases the leases, so that the next writer need not wait until they expire, as it must without a database. */
  async release(): Promise<void> {
    await Promise.all(this.#leases.map((lease) => lease.release())).catch(() => {});
  }
}
