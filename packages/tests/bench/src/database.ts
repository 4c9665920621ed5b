import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openStore, type Sql, type Store } from '@tidewatch/database/connection';
import { endedChildrenSeconds } from '@tidewatch/harness/process-tree';
import { readStackFile } from '@tidewatch/stack/stack-file';
import { countDirty } from '@tidewatch/store/rollups/drain';
import { readSampleLayout } from '@tidewatch/store/sample-log/sample-layout';
import type { SealFigures } from './sealing/messages.ts';
import { sealStorage } from './sealing/seal-storage.ts';

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
  /** What sealing a log took; its CPU-seconds are also in the total of `used`. */
  sealing: SealFigures | null;
  /** The resources used until then. */
  used: Reading;
  /** Share of one processor that the idle product uses. */
  idleShare: number;
}

/**
 * Waits until the product has finished all work for what it accepted: rollups of buckets that have ended, events, vacuum
 * and a checkpoint. What was deleted from the logs counts as work for vacuum until it is gone: with a new database it may come two rounds later.
 * A log of samples is sealed, and days that have ended are closed. Then watches the product for a whole round of vacuum's
 * launcher, and includes what the workers of that round take, such as analyzing tables. `now` (ms since the epoch) is when the load ended. Throws after `withinMs`.
 */
export function settle<Reading extends Used>(
  dataDir: string,
  now: number,
  used: () => Reading,
  withinMs = 300_000,
): Promise<Settled<Reading>> {
  return withAdmin(dataDir, async (sql) => {
    const isLog = (await readSampleLayout(sql)) === 'log';
    const began = performance.now();
    const since = () => (performance.now() - began) / 1000;
    const [server] = await sql<{ naptime: number }[]>`
      select setting::integer as naptime from pg_settings where name = 'autovacuum_naptime'`;
    const watchedMs = ((server?.naptime ?? 60) + 5) * 1000;
    let drainedSeconds: number | undefined;
    let sealing: SealFigures | null = null;
    let rest: { at: number; restedSeconds: number; used: Reading; workers: number } | undefined;
    // Of a server that does not run here nothing is known.
    const postmaster = await serverPid(dataDir).catch(() => Number.NaN);
    for (;;) {
      const dirty = await countDirty(sql, now);
      const [waiting] = await sql<{ events: number; vacuums: number }[]>`
        select (select count(*)::integer from outbox where sequence is null) as events,
          (select count(*)::integer from pg_stat_activity where backend_type = 'autovacuum worker')
            + (select count(*)::integer from pg_class c join pg_stat_all_tables t on t.relid in (c.oid, c.reltoastrelid)
              where c.oid in (to_regclass('tidewatch.sample_log'), to_regclass('tidewatch.snapshot_log')) and t.n_dead_tup > 0) as vacuums`;
      const drained = [...Object.values(dirty), waiting?.events ?? 0].every((count) => count === 0);
      if (drained) {
        drainedSeconds ??= since();
        if (isLog) sealing ??= await sealStorage({ dataDir });
      }
      if (!drained || (waiting?.vacuums ?? 0) > 0) rest = undefined;
      else if (rest === undefined) {
        await sql`checkpoint`;
        rest = {
          at: performance.now(),
          restedSeconds: since(),
          used: used(),
          workers: endedChildrenSeconds(postmaster),
        };
      }
      if (rest !== undefined && performance.now() - rest.at > watchedMs) {
        const workers = endedChildrenSeconds(postmaster) - rest.workers;
        const idleShare = (used().total - rest.used.total) / ((performance.now() - rest.at) / 1000);
        return {
          drainedSeconds: drainedSeconds ?? 0,
          restedSeconds: rest.restedSeconds,
          sealing,
          used: { ...rest.used, total: rest.used.total + (sealing?.cpuSeconds ?? 0) + workers },
          idleShare,
        };
      }
      if (performance.now() - began > withinMs)
        throw new Error(`timeout: the product did not become idle: ${JSON.stringify({ dirty, ...waiting })}`);
      await sleep(drained ? 1_000 : 250);
    }
  });
}

export interface DiskBytes {
  samples: number;
  rollups: number;
  snapshots: number;
  all: number;
  /** By relation, the largest first. */
  relations: [name: string, bytes: number][];
}

/** Bytes on disk of tables and indexes, by what they store; partitions and chunks count as part of their table. */
export async function diskBytes(sql: Sql): Promise<DiskBytes> {
  const rows = await sql<{ name: string; bytes: number }[]>`
    select coalesce(parent.relname, own.relname)::text as name, sum(pg_total_relation_size(own.oid))::bigint as bytes
    from pg_class own
      left join pg_inherits link on link.inhrelid = own.oid
      left join pg_class parent on parent.oid = link.inhparent
    where own.relkind = 'r'
      and own.relnamespace in (select oid from pg_namespace where nspname in ('tidewatch', '_timescaledb_internal'))
    group by 1 order by 2 desc`;
  const relations = rows.map(({ name, bytes }): [string, number] => [name, Number(bytes)]);
  const sum = (isIt: (name: string) => boolean) =>
    relations.reduce((total, [name, bytes]) => (isIt(name) ? total + bytes : total), 0);
  return {
    samples: sum((name) => name.startsWith('sample')),
    rollups: sum((name) => name.startsWith('rollup') || name.startsWith('packed_')),
    snapshots: sum((name) => name.startsWith('snapshot')),
    all: sum(() => true),
    relations,
  };
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
