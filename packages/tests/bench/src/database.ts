import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openStore, type Sql, type Store } from '@tidewatch/database/connection';
import { readStackFile } from '@tidewatch/stack/stack-file';
import { countDirty } from '@tidewatch/store/rollups/drain';

/**
 * Connects to the product's database as superuser: to read, to wait and to write a checkpoint, never to change data.
 */
export function openAdmin(dataDir: string, database = 'tidewatch', max = 2): Store {
  const shared = { database, applicationName: 'bench', max, statementTimeoutMs: 0 };
  const stack = readStackFile(dataDir);
  if (stack !== null) return openStore({ ...shared, url: stack.postgres.url });
  const home = join(dataDir, 'postgres');
  const socketFolder = (
    readFileSync(join(home, 'data', 'postmaster.pid'), 'utf8').split('\n')[4] ?? ''
  ).trim();
  const passwords = JSON.parse(readFileSync(join(dataDir, 'passwords.json'), 'utf8')) as { postgres: string };
  return openStore({
    path: socketFolder,
    user: 'postgres',
    password: passwords.postgres,
    ...shared,
  });
}

/** Runs `work` with a connection as superuser to the product's database, which is closed afterwards. */
export async function withAdmin<R>(dataDir: string, work: (sql: Sql) => Promise<R>): Promise<R> {
  const admin = openAdmin(dataDir);
  try {
    return await work(admin.sql);
  } finally {
    await admin.close();
  }
}

/** The processor time that the product has used since its start, CPU-seconds. */
export interface Used {
  total: number;
}

export interface Settled<Reading extends Used = Used> {
  /** Seconds until no ended bucket waited for its rollup and every event was published. */
  drainedSeconds: number;
  /** Seconds until vacuum had nothing left to do either, and a checkpoint had ended. */
  restedSeconds: number;
  /** The resources used until then. */
  used: Reading;
  /** Share of one processor that the idle product uses. */
  idleShare: number;
}

/**
 * Waits until the product has finished all work for what it accepted: rollups of buckets that have ended, events, vacuum
 * and a checkpoint. Then watches it for a whole round of vacuum's launcher, and includes further work. `now` (ms since the
 * epoch) is when the load ended. Throws after `withinMs`.
 */
export async function settle<Reading extends Used>(
  sql: Sql,
  now: number,
  used: () => Reading,
  withinMs = 300_000,
): Promise<Settled<Reading>> {
  const began = performance.now();
  const since = () => (performance.now() - began) / 1000;
  const [server] = await sql<{ naptime: number }[]>`
    select setting::integer as naptime from pg_settings where name = 'autovacuum_naptime'`;
  const watchedMs = ((server?.naptime ?? 60) + 5) * 1000;
  let drainedSeconds: number | undefined;
  let rest: { at: number; restedSeconds: number; used: Reading } | undefined;
  for (;;) {
    const dirty = await countDirty(sql, now);
    const [waiting] = await sql<{ events: number; vacuums: number }[]>`
      select (select count(*)::integer from outbox where sequence is null) as events,
        (select count(*)::integer from pg_stat_activity where backend_type = 'autovacuum worker') as vacuums`;
    const drained = [...Object.values(dirty), waiting?.events ?? 0].every((count) => count === 0);
    if (drained) drainedSeconds ??= since();
    if (!drained || (waiting?.vacuums ?? 0) > 0) rest = undefined;
    else if (rest === undefined) {
      await sql`checkpoint`;
      rest = { at: performance.now(), restedSeconds: since(), used: used() };
    }
    if (rest !== undefined && performance.now() - rest.at > watchedMs) {
      const idleShare = (used().total - rest.used.total) / ((performance.now() - rest.at) / 1000);
      return {
        drainedSeconds: drainedSeconds ?? 0,
        restedSeconds: rest.restedSeconds,
        used: rest.used,
        idleShare,
      };
    }
    if (performance.now() - began > withinMs)
      throw new Error(`timeout: the product did not become idle: ${JSON.stringify({ dirty, ...waiting })}`);
    await sleep(drained ? 1_000 : 250);
  }
}

/** Bytes on disk of tables and indexes, by what they store; chunks count as part of their hypertable. */
export async function diskBytes(
  sql: Sql,
): Promise<{ samples: number; rollups: number; snapshots: number; all: number }> {
  const rows = await sql<{ kind: string; bytes: number }[]>`
    with named as (
      select coalesce(parent.relname, own.relname)::text as name, pg_total_relation_size(own.oid) as bytes
      from pg_class own
        left join pg_inherits link on link.inhrelid = own.oid
        left join pg_class parent on parent.oid = link.inhparent
      where own.relkind = 'r'
        and own.relnamespace in (select oid from pg_namespace where nspname in ('tidewatch', '_timescaledb_internal'))
    )
    select case
        when name like 'samples%' then 'samples'
        when name like 'rollup%' then 'rollups'
        when name like 'snapshots%' then 'snapshots'
        else 'other' end as kind,
      sum(bytes)::bigint as bytes
    from named group by 1`;
  const of = (kind: string) => Number(rows.find((row) => row.kind === kind)?.bytes ?? 0);
  const all = rows.reduce((sum, row) => sum + Number(row.bytes), 0);
  return { samples: of('samples'), rollups: of('rollups'), snapshots: of('snapshots'), all };
}

/** The process id of the PostgreSQL server, which must run on this machine. */
export async function serverPid(dataDir: string): Promise<number> {
  const { sql, close } = openAdmin(dataDir, 'postgres', 1);
  try {
    const [row] = await sql<{ text: string }[]>`select pg_read_file('postmaster.pid') as text`;
    return Number.parseInt(row?.text ?? '', 10);
  } finally {
    await close();
  }
}

export async function serverVersion(sql: Sql): Promise<string> {
  const [row] = await sql<{ server_version: string }[]>`show server_version`;
  return row?.server_version ?? 'unknown';
}
