import { Socket } from 'node:net';
import { collectSent, firstFailure } from './before-commit.ts';
import type { Sql, Transaction } from './driver.ts';
import { sendAhead } from './send-ahead.ts';
import { bindingStatement, boundOrganization } from './tenancy/bound-organization.ts';
import { boundWork, type ConnectionShare, cutAfterDisconnect, unshared } from './tenancy/connection-share.ts';

/** The connection of a transaction was lost. The transaction is rolled back, unless its commit was being sent. */
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
  /**
   * Runs work in a transaction, with modes such as `isolation level repeatable read`. With `read only` the first statement is sent together with
   * `begin`, and the result is returned when the commit is sent, since nothing depends on its success.
   */
  begin: Begin;
  /**
   * Runs work whose first statement is a `select`, which is sent together with `begin`. Other first statements are refused,
   * because the first statement runs outside of a transaction if `begin` fails.
   */
  beginReading<R>(work: Work<R>): Promise<R>;
  close(): Promise<void>;
}

interface Lane {
  sql: Sql;
  /** Whether this lane has run a transaction before and therefore has an open connection. */
  used: boolean;
  /** Whether a transaction is open on the connection; if the connection is lost then, it must not be replaced. */
  inTransaction: boolean;
  cut: boolean;
}

/**
 * Runs transactions on at most `max` connections of their own, because transactions of postgres.js 3.4.9 end the process or
 * leak a connection when one is lost. `openLane` opens a pool of one connection with sockets from the given function. With
 * `binds`, a transaction sees the rows of the organization bound where it begins.
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

  /** Returns a lane; the share guarantees that one is free or can be opened. */
  function take(): Lane {
    for (let lane = idle.pop(); lane !== undefined; lane = idle.pop()) {
      if (!lane.cut) return lane;
      discard(lane);
    }
    return open();
  }

  /** Closes a lane whose connection was lost, because the driver may still hold half a message of it. */
  function discard(lane: Lane): void {
    all.delete(lane);
    lane.sql.end({ timeout: 0 }).catch(() => undefined);
  }

  function giveBack(lane: Lane): void {
    lane.inTransaction = false;
    if (lane.cut) discard(lane);
    else idle.push(lane);
  }

  async function run<R>(lane: Lane, modes: string, work: Work<R>, first: FirstStatement): Promise<R> {
    const { sql } = lane;
    const begin = `begin ${modes.replace(/[^a-z ]/gi, '')}`;
    const begun = sendAhead(
      sql.unsafe(binds ? `${begin}; ${bindingStatement(boundOrganization(), 'local')}` : begin),
    );
    const ahead = first !== 'awaits begin' && lane.used;
    if (!ahead) await begun;
    lane.used = true;
    lane.inTransaction = true;
    const tx = transactionOn(lane, ahead ? begun : null, first);
    const sent = collectSent(tx.sql);
    let result: R;
    try {
      result = await work(tx.sql);
      await begun;
      if (lane.cut) throw new TransactionCutError();
    } catch (error) {
      tx.end();
      if (!lane.cut) await sql.unsafe('rollback').catch(() => undefined);
      throw (await firstFailure(sent)) ?? error;
    }
    tx.end();
    if (first === 'reads as all do' && sent.length === 0) {
      sendAhead(sql.unsafe('commit'));
      return result;
    }
    const committed = sql.unsafe('commit');
    const failure = sent.length > 0 ? await firstFailure([...sent, committed]) : undefined;
    const { command } = await committed.catch((error: unknown) => {
      throw failure ?? error;
    });
    // A statement that failed before a savepoint was rolled back to is no failure of the transaction.
    if (command !== 'COMMIT')
      throw failure ?? new Error('the transaction was not committed: one of its statements failed');
    return result;
  }

  async function onLane<R>(modes: string, work: Work<R>, first: FirstStatement): Promise<R> {
    const { organization, signal } = boundWork();
    const holding =
      share.tryTake(organization, 1, { isFinal: false }) ?? (await share.take(organization, 1, signal));
    const lane = take();
    const end = cutAfterDisconnect(signal, () => {
      lane.cut = true;
      lane.sql.end({ timeout: 0 }).catch(() => undefined);
    });
    try {
      return await run(lane, modes, work, first);
    } finally {
      giveBack(lane);
      end(() => holding.release());
    }
  }

  return {
    begin(...args) {
      const [modes, work] = args.length === 1 ? ['', args[0]] : args;
      return onLane(modes, work, READ_ONLY.test(modes) ? 'reads as all do' : 'awaits begin');
    },
    beginReading: (work) => onLane('', work, 'reads'),
    async close() {
      await Promise.all([...all].map((lane) => lane.sql.end({ timeout: 5 })));
    },
  };
}

/** When the first statement of a transaction is sent: alone, or together with `begin` since it reads, or since all of them do. */
type FirstStatement = 'awaits begin' | 'reads' | 'reads as all do';

const READ_ONLY = /\bread only\b/i;
const READS = /^\s*select\b/i;

/**
 * A handle of the lane's connection that is valid for one transaction. Until `begun` resolves, it only accepts reads unless all statements
 * are; after a failure, it accepts nothing.
 */
function transactionOn(
  lane: Lane,
  begun: Promise<unknown> | null,
  first: FirstStatement,
): { sql: Transaction; end(): void } {
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
    if (ended) throw new Error('the transaction has ended');
    if (failure !== null) throw failure;
    if (beginning && !reads && first === 'reads')
      throw new Error('the first statement of transactReading must be a select');
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

/** A socket that fails after the first write, so that the driver rejects the statement with the error. */
export class RefusedSocket extends Socket {
  override write(): boolean {
    process.nextTick(() => this.destroy(new TransactionCutError()));
    return true;
  }
}
