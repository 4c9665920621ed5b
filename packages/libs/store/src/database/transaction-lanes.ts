import { Socket } from 'node:net';
import type { Sql, Transaction } from './driver.ts';
import { sendAhead } from './send-ahead.ts';
import { bindingStatement, boundOrganization } from './tenancy/bound-organization.ts';
import { boundTurn, type ConnectionShare, cutOnceGone, unshared } from './tenancy/connection-share.ts';

/** The connection of a transaction was lost; nothing of it is stored unless its commit was under way. */
export class TransactionCutError extends Error {
  override name = 'TransactionCutError';
  readonly code = 'CONNECTION_CLOSED';

  constructor() {
    super('the connection of the transaction was lost');
  }
}

type Work<R> = (tx: Transaction) => R | Promise<R>;
export type Begin = <R>(...args: [Work<R>] | [string, Work<R>]) => Promise<R>;

export interface Lanes {
  /** Runs work in a transaction of its own, with modes such as `isolation level repeatable read` where given. */
  begin: Begin;
  /**
   * The same for work whose first statement is a `select`: `begin` travels with it and is not waited for. Where `begin`
   * fails, that statement alone runs outside a transaction, so anything else first is refused.
   */
  beginReading<R>(work: Work<R>): Promise<R>;
  close(): Promise<void>;
}

interface Lane {
  sql: Sql;
  /** Whether it has begun a transaction before, and so has a connection. */
  used: boolean;
  /** From the answer to `begin` to the end: a connection that is lost in between must not be replaced. */
  inTransaction: boolean;
  cut: boolean;
}

/**
 * Transactions on connections of their own, at most `max`. The driver's own transactions (postgres.js 3.4.9) end the
 * process if a statement follows after their connection was lost, and lose a place in the pool where none does.
 * `openLane` opens a pool of one connection whose sockets come from the function given. With `binds`, a transaction sees
 * the rows of the organization that is bound where it is begun.
 */
export function createLanes(
  max: number,
  openLane: (socketOf: (open: () => Socket) => Socket) => Sql,
  { binds = false, share = unshared(max) }: { binds?: boolean; share?: ConnectionShare } = {},
): Lanes {
  const all = new Set<Lane>();
  const idle: Lane[] = [];

  function open(): Lane {
    const lane: Lane = { sql: undefined as unknown as Sql, used: false, inTransaction: false, cut: false };
    lane.sql = openLane((connect) => {
      if (lane.inTransaction) return new RefusedSocket();
      const cut = () => {
        lane.cut = true;
      };
      return connect().on('error', cut).on('close', cut);
    });
    all.add(lane);
    return lane;
  }

  /** There is one for everybody who has a share. */
  function take(): Lane {
    for (let lane = idle.pop(); lane !== undefined; lane = idle.pop()) {
      if (!lane.cut) return lane;
      discard(lane);
    }
    return open();
  }

  /** A lane that was cut is not used again: the driver may go on with half a message of the old connection. */
  function discard(lane: Lane): void {
    all.delete(lane);
    lane.sql.end({ timeout: 0 }).catch(() => undefined);
  }

  function giveBack(lane: Lane): void {
    lane.inTransaction = false;
    if (lane.cut) discard(lane);
    else idle.push(lane);
  }

  async function run<R>(lane: Lane, modes: string, work: Work<R>, reading: boolean): Promise<R> {
    const { sql } = lane;
    const begin = `begin ${modes.replace(/[^a-z ]/gi, '')}`;
    const begun = sendAhead(
      sql.unsafe(binds ? `${begin}; ${bindingStatement(boundOrganization(), 'local')}` : begin),
    );
    const ahead = reading && lane.used;
    if (!ahead) await begun;
    lane.used = true;
    lane.inTransaction = true;
    const tx = transactionOn(lane, ahead ? begun : null);
    let result: R;
    try {
      result = await work(tx.sql);
      await begun;
      if (lane.cut) throw new TransactionCutError();
    } catch (error) {
      tx.end();
      if (!lane.cut) await sql.unsafe('rollback').catch(() => undefined);
      throw error;
    }
    tx.end();
    const { command } = await sql.unsafe('commit');
    if (command !== 'COMMIT')
      throw new Error('the transaction was not committed: one of its statements failed');
    return result;
  }

  async function onLane<R>(modes: string, work: Work<R>, reading: boolean): Promise<R> {
    const { organization, signal } = boundTurn();
    const holding =
      share.tryTake(organization, 1, { isFinal: false }) ?? (await share.take(organization, 1, signal));
    const lane = take();
    const end = cutOnceGone(signal, () => {
      lane.cut = true;
      lane.sql.end({ timeout: 0 }).catch(() => undefined);
    });
    try {
      return await run(lane, modes, work, reading);
    } finally {
      giveBack(lane);
      end(() => holding.release());
    }
  }

  return {
    begin(...args) {
      const [modes, work] = args.length === 1 ? ['', args[0]] : args;
      return onLane(modes, work, false);
    },
    beginReading: (work) => onLane('', work, true),
    async close() {
      await Promise.all([...all].map((lane) => lane.sql.end({ timeout: 5 })));
    },
  };
}

const READS = /^\s*select\b/i;

/**
 * The lane's connection under another identity for each transaction, which answers for that alone. While `begun` is not
 * answered, only what reads is let through, and nothing at all once it has failed.
 */
function transactionOn(lane: Lane, begun: Promise<unknown> | null): { sql: Transaction; end(): void } {
  let ended = false;
  let beginning = begun !== null;
  let failure: unknown = null;
  begun?.then(
    () => {
      beginning = false;
    },
    (error: unknown) => {
      failure = error;
    },
  );
  const refuse = (reads: boolean) => {
    if (ended) throw new Error('the transaction is over');
    if (failure !== null) throw failure;
    if (beginning && !reads) throw new Error('the transaction was to begin by reading');
  };
  const sql = new Proxy(lane.sql, {
    apply(target, self, args) {
      refuse(READS.test(args[0]?.raw?.[0] ?? ''));
      return Reflect.apply(target as never, self, args);
    },
    get(target, name) {
      refuse(name === 'json' || name === 'array');
      return Reflect.get(target, name);
    },
  }) as unknown as Transaction;
  return {
    sql,
    end() {
      ended = true;
    },
  };
}

/** A socket that fails once the driver has written to it, so that the statement is answered with the error. */
export class RefusedSocket extends Socket {
  override write(): boolean {
    process.nextTick(() => this.destroy(new TransactionCutError()));
    return true;
  }
}
