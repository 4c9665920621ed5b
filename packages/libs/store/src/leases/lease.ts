import type { Queryable, Sql, Transaction } from '../database/connection.ts';

/** Throws LeaseLostError unless the work may go on; until the transaction ends nobody else can begin it. */
export type Fence = (tx: Transaction) => Promise<void>;

/** Somebody else has the lease now. */
export class LeaseLostError extends Error {
  override name = 'LeaseLostError';
}

export interface LeaseOptions {
  sql: Sql;
  /** What one process at a time may do. */
  name: string;
  /** Names this process among those that could. */
  holder: string;
  /** How long after its last sign of life a holder is taken for dead, by the database's clock, ms. Default 10,000. */
  ttlMs?: number;
}

/** The right to do some work, which one process at a time has; a dead holder's passes on once it has run out. */
export class Lease {
  readonly #options: LeaseOptions;
  readonly #ttlMs: number;
  #askAgainAt = 0;

  constructor(options: LeaseOptions) {
    this.#options = options;
    this.#ttlMs = options.ttlMs ?? 10_000;
  }

  /** Takes the lease where it is free and renews it in time; answers whether this process may begin a round. */
  async held(): Promise<boolean> {
    const asked = performance.now();
    if (asked < this.#askAgainAt) return true;
    if (!(await this.#take(this.#options.sql))) return false;
    this.#askAgainAt = asked + this.#ttlMs / 3;
    return true;
  }

  /** The first statement of each transaction that does the work. It renews the lease when that commits. */
  readonly fence: Fence = async (tx) => {
    if (await this.#take(tx)) return;
    this.#askAgainAt = 0;
    throw new LeaseLostError(`another process has the lease ${this.#options.name}`);
  };

  /** Gives the lease back, so that a successor need not wait. */
  async release(): Promise<void> {
    const { sql, name, holder } = this.#options;
    this.#askAgainAt = 0;
    await sql`delete from leases where name = ${name} and holder = ${holder}`;
  }

  /** Never waits for the transaction of a holder at work. */
  async #take(sql: Queryable): Promise<boolean> {
    const { name, holder } = this.#options;
    const until = sql`clock_timestamp() + ${this.#ttlMs}::float8 * interval '1 millisecond'`;
    const taken = await sql`
      with renewed as (
        update leases set holder = ${holder}, expires_at = ${until}
        where name in (
          select name from leases where name = ${name} and (holder = ${holder} or expires_at <= clock_timestamp())
          for update skip locked)
        returning 1
      ), created as (
        insert into leases (name, holder, expires_at)
        select ${name}, ${holder}, ${until} where not exists (select from leases where name = ${name})
        on conflict (name) do nothing returning 1
      )
      select from renewed union all select from created`;
    return taken.length > 0;
  }
}
