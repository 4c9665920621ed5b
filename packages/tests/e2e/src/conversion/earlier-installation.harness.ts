import { DAY_MS } from '@tidewatch/contracts/time/duration';
import { newId } from '@tidewatch/contracts/values/id';
import type { Product } from '@tidewatch/harness/product';
import { createLogger } from '@tidewatch/runtime/telemetry/logger';
import { withMigrationsUpTo } from '@tidewatch/standalone/backup/earlier-migrations';
import { makeDataDirectory, readPasswords } from '@tidewatch/standalone/data-directory/data-directory';
import { connectAdmin, DATABASE, openServer, provision } from '@tidewatch/standalone/database';

/** The last migration before samples could be kept as a log. */
const LAST_MIGRATION = 10;
export const HISTORY_INTERVAL_MS = 10_000;

/** What an earlier release stored of one host, in rows: `cpu_percent` and, as `n`, numbers from 0 on. */
export interface History {
  host: string;
  /** The start of its first day, ms. */
  from: number;
  days: number;
}

/** Fills the data directory of a product that was never started, as the release before the log did. */
export async function writeEarlierInstallation(product: Product, history: History): Promise<void> {
  const { dataDir } = product;
  makeDataDirectory(dataDir);
  const server = await openServer(dataDir, createLogger({ name: 'earlier', level: 'error' }));
  try {
    await withMigrationsUpTo(LAST_MIGRATION, (folder) => provision(server, dataDir, folder));
    const admin = connectAdmin(server.host, server.port, readPasswords(dataDir).postgres, DATABASE);
    await writeHistory(admin.sql, history).finally(() => admin.close());
  } finally {
    await server.stop();
  }
}

async function writeHistory(
  sql: ReturnType<typeof connectAdmin>['sql'],
  { host, from, days }: History,
): Promise<void> {
  const organizationId = newId('org');
  const serviceId = newId('svc');
  await sql`insert into organizations (id, name) values (${organizationId}, 'earlier')`;
  await sql`
    insert into services (organization_id, id, host, first_seen, status_since)
    values (${organizationId}, ${serviceId}, ${host}, ${from}::timestamptz, ${from}::timestamptz)`;
  await sql`
    insert into blocks (organization_id, service_id, subject_kind, subject_name, ordinal, metrics)
    values (${organizationId}, ${serviceId}, 'host', ${host}, 0, '{cpu_percent,n}')`;
  for (let day = from; day < from + days * DAY_MS; day += DAY_MS) {
    const to = day + DAY_MS;
    await sql`select ensure_partition('samples', ${day}::timestamptz, ${to}::timestamptz)`;
    await sql`
      insert into samples ("time", block_id, v0, v1)
      select ${day}::timestamptz + i * ${HISTORY_INTERVAL_MS} * interval '1 millisecond', b.id, 20 + i % 7,
        i + ${(day - from) / HISTORY_INTERVAL_MS}
      from blocks b cross join generate_series(0, ${DAY_MS / HISTORY_INTERVAL_MS - 1}::integer) i`;
    // The drain computes the rollups.
    await sql`
      insert into dirty_buckets (tier, block_id, bucket)
      select '1m', b.id, m from blocks b
      cross join generate_series(${day}::timestamptz, ${to - 1}::timestamptz, interval '1 minute') m`;
  }
}
