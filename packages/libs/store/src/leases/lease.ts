import type { Queryable, Sql, Transaction } from '@tidewatch/database/connection';

/**
 * Throws LeaseLostError unless this process holds the lease; otherwise no other process can take it until the transaction
 * ends.
 */
export type Fence = (tx: Transaction) => Promise<void>;

/** How long a lease lasts after its last renewal, by the database's clock, ms. */
const TTL_MS = 10_000;

/** Another process holds the lease. */
export class LeaseLostError extends Error {
  override name = 'LeaseLostError';
}

export interface LeaseOptions {
  sql: Sql;
  /** The name of the work that one process at a time may do. */
  name: string;
  /** The name of this process. */
  holder: string;
  /** Whether no other process does work on the database, so that this one holds the lease without asking for it. Default false. */
  isAlone?: boolean;
}

/** A lease, which one process at a time holds; that of a crashed process expires. */
export class Lease {
  readonly #options: LeaseOptions;
  #renewAt = 0;

  constructor(options: LeaseOptions) {
    this.#options = options;
  }

  /** Takes or renews the lease; returns whether this process holds it. */
  async held(): Promise<boolean> {
    if (this.#options.isAlone) return true;
    const asked = performance.now();
    if (asked < this.#renewAt) return true;
    if (!(await this.#take(this.#options.sql))) return false;
    this.#renewAt = asked + TTL_MS / 3;
    return true;
  }

  /** Must be the first statement of each transaction of the protected work; its commit renews the lease. */
  readonly fence: Fence = async (tx) => {
    if (this.#options.isAlone || (await this.#take(tx))) return;
    this.#renewAt = 0;
    throw new LeaseLostError(`another process has the lease ${this.#options.name}`);
  };

  /** Releases the lease, so that another process need not wait for its expiry. */
  async release(): Promise<void> {
    const { sql, name, holder, isAlone } = this.#options;
    if (isAlone) return;
    this.#renewAt = 0;
    await sql`delete from leases where name = ${name} and holder = ${holder}`;
  }

  /** Takes or renews the lease without waiting for transactions of its holder. */
  async #take(sql: Queryable): Promise<boolean> {
    const { name, holder } = this.#options;
    const until = sql`clock_timestamp() + ${TTL_MS}::float8 * interval '1 millisecond'`;
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
