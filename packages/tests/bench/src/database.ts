import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openStore, type Sql, type Store } from '@tidewatch/store/connection';
import { countDirty } from '@tidewatch/store/rollups/drain';

/** Opens the product's own server as its superuser: to look, to wait and to write a checkpoint, never to change data. */
export function openAdmin(dataDir: string, database?: string): Store {
  const home = join(dataDir, 'postgres');
  const socketFolder = (
    readFileSync(join(home, 'data', 'postmaster.pid'), 'utf8').split('\n')[4] ?? ''
  ).trim();
  const passwords = JSON.parse(readFileSync(join(dataDir, 'passwords.json'), 'utf8')) as { postgres: string };
  return openStore({
    path: socketFolder,
    user: 'postgres',
    password: passwords.postgres,
    database: database ?? 'tidewatch',
    applicationName: 'bench',
    max: 2,
    statementTimeoutMs: 0,
  });
}

/** Resolves when no bucket that has ended waits for its rollup and a checkpoint has ended; answers the seconds that took. */
export async function settle(sql: Sql, withinMs = 120_000): Promise<number> {
  const began = performance.now();
  for (;;) {
    const dirty = await countDirty(sql, Date.now());
    if (dirty['1m'] + dirty['1h'] + dirty['1d'] === 0) break;
    if (performance.now() - began > withinMs) {
      throw new Error(`dirty buckets were not drained: ${JSON.stringify(dirty)}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
  await sql`checkpoint`;
  return (performance.now() - began) / 1000;
}

/** Bytes on disk of tables and indexes, by what they hold. */
export async function diskBytes(
  sql: Sql,
): Promise<{ samples: number; rollups: number; snapshots: number; all: number }> {
  const rows = await sql<{ kind: string; bytes: number }[]>`
    select case
        when c.relname like 'samples%' then 'samples'
        when c.relname like 'rollup%' then 'rollups'
        when c.relname like 'snapshots%' then 'snapshots'
        else 'other' end as kind,
      sum(pg_total_relation_size(c.oid))::bigint as bytes
    from pg_class c where c.relnamespace = 'tidewatch'::regnamespace and c.relkind = 'r' group by 1`;
  const of = (kind: string) => Number(rows.find((row) => row.kind === kind)?.bytes ?? 0);
  const all = rows.reduce((sum, row) => sum + Number(row.bytes), 0);
  return { samples: of('samples'), rollups: of('rollups'), snapshots: of('snapshots'), all };
}
