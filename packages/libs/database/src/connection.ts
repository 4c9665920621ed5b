/**
 * The only place where connections to PostgreSQL are opened. A `timestamptz` is a number, milliseconds since the epoch, in
 * parameters and rows (microseconds are cut off); a parameter needs a statement that makes it a timestamptz, such as
 * `${ms}::timestamptz`. `bigint` columns are numbers while they are safe integers; `jsonb` is written with
 * `sql.json(value)` and read as a value.
 */
import type { Socket } from 'node:net';
import { parseTimestamp } from '@tidewatch/contracts/time/time';
import { ARRAY_TYPES } from './array-types.ts';
import type * as driver from './driver.ts';
import { postgres } from './driver.ts';
import { openSocket, type SocketTarget } from './socket.ts';
import { createBoundStatements } from './tenancy/bound-statements.ts';
import { CLIENT_CHECK_MS, type ConnectionShare, unshared } from './tenancy/connection-share.ts';
import { createLanes } from './transaction-lanes.ts';

export type Sql = driver.Sql;
export type Transaction = driver.Transaction;
/** A database handle that can run a query: either a connection pool or an open transaction. */
export type Queryable = Sql | Transaction;

/**
 * `idleInTransactionMs` of processes that share work, so that a frozen process does not keep rows locked for its successor.
 * Transactions that wait longer for Kafka are retried.
 */
export const SHARED_WORK_IDLE_MS = 15_000;

export interface StoreOptions {
  /** `postgres://user:password@host:port/database`; the fields below override parts of it. */
  url?: string;
  host?: string;
  port?: number;
  /** The folder of the unix socket, if it is used instead of TCP. */
  path?: string;
  user?: string;
  password?: string;
  database?: string;
  /** The maximum number of connections for transactions, and the same number for single statements. Default 4. */
  max?: number;
  /** How long a transaction may wait for its client's next statement before the server ends it, ms. Default 120,000. */
  idleInTransactionMs?: number;
  /** The application name that pg_stat_activity shows. Default `tidewatch`. */
  applicationName?: string;
  /** The statement timeout in milliseconds, 0 for none. Default 30,000. */
  statementTimeoutMs?: number;
  /** How long after the statement timeout a silent connection is closed, in milliseconds. Default 5,000. */
  answerGraceMs?: number;
  /** The schemas in which PostgreSQL looks up names (`search_path`). Default `tidewatch`. */
  searchPath?: string;
  /**
   * Whether statements see only the rows of the organization that is bound where they are created (`inOrganization`), and
   * no rows without one; for logins under row-level security. Default false.
   */
  bindsOrganization?: boolean;
  /**
   * How to divide `max` connections between organizations; first come, first served by default. Only with
   * `bindsOrganization`.
   */
  shareOf?: (max: number, of: 'statements' | 'transactions') => ConnectionShare;
}

export interface Store {
  sql: Sql;
  /** Runs `work` in one transaction: committed when it resolves, rolled back when it throws. */
  transact<R>(work: (tx: Transaction) => Promise<R>): Promise<R>;
  /** Runs a transaction whose first statement must be a `select`; saves one round trip compared with `transact`. */
  transactReading<R>(work: (tx: Transaction) => Promise<R>): Promise<R>;
  /** Waits up to five seconds for running queries, then closes their connections. */
  close(): Promise<void>;
}

/** Runs `work` in one transaction of the pool: committed when it resolves, rolled back when it throws. */
export async function transact<R>(sql: Sql, work: (tx: Transaction) => Promise<R>): Promise<R> {
  return (await sql.begin(work)) as R;
}

/** Parses PostgreSQL's text of a time in a UTC session to milliseconds since the epoch. */
export function parseTime(text: string): number {
  const time = text.endsWith('+00') ? parseTimestamp(text.slice(0, -3)) : undefined;
  if (time !== undefined) return time;
  if (text === 'infinity') return Number.POSITIVE_INFINITY;
  if (text === '-infinity') return Number.NEGATIVE_INFINITY;
  return Date.parse(text.replace(' ', 'T').replace(/([+-]\d\d)$/, '$1:00'));
}

function formatTime(value: unknown): string {
  if (value instanceof Date) return value.toISOString();
  if (typeof value !== 'number') return `${value}`;
  if (value === Number.POSITIVE_INFINITY) return 'infinity';
  if (value === Number.NEGATIVE_INFINITY) return '-infinity';
  // Passed on as a number, so that the server rejects it: toISOString would throw outside of the promise.
  if (!(Math.abs(value) <= 8.64e15)) return `${value}`;
  // Removes the sign that ISO texts have for years beyond 9999 and PostgreSQL does not accept.
  return new Date(value).toISOString().replace(/^\+0*/, '');
}

function parseInt8(text: string): number | bigint {
  const value = Number(text);
  return Number.isSafeInteger(value) ? value : BigInt(text);
}

/** Opens a pool; nothing is sent before the first query. */
export function openStore(options: StoreOptions): Store {
  const statementTimeoutMs = options.statementTimeoutMs ?? 30_000;
  const answerWithinMs = statementTimeoutMs === 0 ? 0 : statementTimeoutMs + (options.answerGraceMs ?? 5_000);
  const settings = {
    ...(options.host === undefined ? {} : { host: options.host }),
    ...(options.port === undefined ? {} : { port: options.port }),
    ...(options.path === undefined ? {} : { path: `${options.path}/.s.PGSQL.${options.port ?? 5432}` }),
    ...(options.user === undefined ? {} : { user: options.user }),
    ...(options.password === undefined ? {} : { password: options.password }),
    ...(options.database === undefined ? {} : { database: options.database }),
    max: options.max ?? 4,
    connect_timeout: 10,
    max_lifetime: null,
    // Disabled, because a failure of the driver's query for array types would be unhandled.
    fetch_types: false,
    array_types: Object.values(ARRAY_TYPES),
    backoff: (retries: number) => Math.min(2, 0.05 * 2 ** retries),
    onnotice: () => {},
    connection: {
      application_name: options.applicationName ?? 'tidewatch',
      search_path: options.searchPath ?? 'tidewatch',
      TimeZone: 'UTC',
      DateStyle: 'ISO, YMD',
      // Disabled, because statements over many partitions take milliseconds, but have high cost estimates and would be
      // compiled for seconds.
      jit: 'off',
      statement_timeout: statementTimeoutMs,
      idle_in_transaction_session_timeout: options.idleInTransactionMs ?? 120_000,
      // Makes the server cancel a statement soon after its client has closed the connection.
      ...(options.bindsOrganization ? { client_connection_check_interval: CLIENT_CHECK_MS } : {}),
    },
    types: {
      date: { to: 1184, from: [1114, 1184], serialize: formatTime, parse: parseTime },
      int8: { to: 20, from: [20], serialize: (value: number | bigint) => `${value}`, parse: parseInt8 },
    },
  };
  // A cast, because the driver's types do not allow dates as numbers.
  const open = (more: object) => {
    const connect = postgres as unknown as (url: string | object, settings?: object) => Sql;
    const all = { ...settings, ...more };
    return options.url === undefined ? connect(all) : connect(options.url, all);
  };
  const openLane = (socketOf: (connect: () => Socket) => Socket) =>
    open({ max: 1, socket: (to: SocketTarget) => socketOf(() => openSocket(to, answerWithinMs)) });
  const binds = options.bindsOrganization ?? false;
  const shareOf = (of: 'statements' | 'transactions') =>
    options.shareOf?.(settings.max, of) ?? unshared(settings.max);
  const lanes = createLanes(settings.max, openLane, { binds, share: shareOf('transactions') });
  const { sql, close } = binds
    ? createBoundStatements(settings.max, openLane, shareOf('statements'))
    : openPool();
  Object.assign(sql, { begin: lanes.begin });
  return {
    sql,
    transact: (work) => transact(sql, work),
    transactReading: lanes.beginReading,
    close: async () => {
      await Promise.all([lanes.close(), close()]);
    },
  };

  function openPool() {
    const pool = open({ socket: (to: SocketTarget) => openSocket(to, answerWithinMs) });
    return { sql: pool, close: () => pool.end({ timeout: 5 }) };
  }
}
