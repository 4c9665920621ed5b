import type { Sql } from '@tidewatch/database/connection';
import type { StorageBackendName } from '@tidewatch/store/backends/storage-backend';

const RELATIONS = ['samples', 'rollup_1m', 'rollup_1h', 'rollup_1d'] as const;
export type Relation = (typeof RELATIONS)[number];

/** Returns the size on disk of each relation with its indexes, bytes. */
export async function relationBytes(
  sql: Sql,
  backend: StorageBackendName,
): Promise<Record<Relation, number>> {
  const bytes = { samples: 0, rollup_1m: 0, rollup_1h: 0, rollup_1d: 0 };
  for (const relation of RELATIONS) {
    const name = `tidewatch.${relation}`;
    const [row] =
      backend === 'plain'
        ? await sql<{ bytes: number }[]>`
            select coalesce(sum(pg_total_relation_size(inhrelid)), 0)::bigint as bytes
            from pg_inherits where inhparent = ${name}::regclass`
        : await sql<{ bytes: number }[]>`select public.hypertable_size(${name}::regclass) as bytes`;
    bytes[relation] = Number(row?.bytes ?? 0);
  }
  return bytes;
}

/** Turns every chunk into columnstore, as its policy would once it is old enough. */
export async function compressAll(sql: Sql): Promise<void> {
  for (const relation of RELATIONS)
    await sql`
      select public.compress_chunk(chunk) from public.show_chunks(${`tidewatch.${relation}`}::regclass) as s (chunk)`;
}
