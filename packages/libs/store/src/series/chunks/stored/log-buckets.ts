import type { Queryable } from '@tidewatch/database/connection';
import { IndexedLogRows } from '@tidewatch/domain/chunk/indexed-log-rows';
import { bucketsWith } from '../../../sample-log/buckets.ts';
import type { SqlParameters } from '../../rows/sql-parameters.ts';
import type { Range } from '../../series-columns.ts';
import type { LogPlace } from './block-places.ts';
import { type BucketRows, LogCache, NO_ROWS } from './cached-log.ts';

/** What a process keeps of the log, bytes: five minutes of some 5,000 hosts with a hundred metrics every 10 s. */
const MAX_CACHED_BYTES = 64 * 1024 * 1024;
const cache = new LogCache(MAX_CACHED_BYTES);
/** What identifies the database of a connection or pool, by its options, which are an object of its own. */
const databases = new WeakMap<object, string>();

/** A bucket of the log that a question reads. */
export interface AskedBucket {
  readonly organizationId: string;
  readonly bucket: number;
  /** Under which its rows are kept; null if they are not. */
  readonly key: string | null;
  /** Those of its rows that were read before. */
  known: BucketRows;
}

/** The buckets that may have records of blocks. */
export async function askedBuckets(
  tx: Queryable,
  places: ReadonlyMap<number, LogPlace>,
): Promise<AskedBucket[]> {
  const database = await databaseOf(tx);
  const asked = new Map<string, AskedBucket>();
  const add = (organizationId: string, bucket: number) => {
    const name = `${bucket} ${organizationId}`;
    if (asked.has(name)) return;
    const key = database && `${database} ${name}`;
    asked.set(name, { organizationId, bucket, key, known: key === null ? NO_ROWS : cache.of(key) });
  };
  for (const { organizationId, bucket } of places.values())
    for (const each of bucketsWith(bucket)) add(organizationId, each);
  return [...asked.values()];
}

async function databaseOf(tx: Queryable): Promise<string | null> {
  const { options } = tx as { options?: object };
  if (options === undefined) return null;
  const remembered = databases.get(options);
  if (remembered !== undefined) return remembered;
  const [row] = await tx<{ name: string }[]>`
    select pg_postmaster_start_time()::text || ' ' || oid as name from pg_database where datname = current_database()`;
  const { name } = row as { name: string };
  databases.set(options, name);
  return name;
}

/**
 * Reads of each bucket that has rows in the range which of the known ones are left, and all others: as the index of the bucket, their data
 * behind each other, and what `foundRows` reads. One row for a bucket, since a row for each costs more than its bytes.
 */
export function logStatement(
  asked: readonly AskedBucket[],
  { from, to }: Range,
  parameters: SqlParameters,
): { index: string; data: string; found: string; from: string } {
  const organizations = parameters.add(asked.map(({ organizationId }) => organizationId));
  const known = parameters.add(asked.map(({ known: { lastSeq } }) => String(lastSeq)));
  const ofBucket = 'sample_log s where s.organization_id = p.organization_id and s.bucket = p.bucket';
  return {
    index: 'p.index - 1',
    data: 'l.data',
    found: 'l.found',
    from: `unnest(${organizations}::text[], ${parameters.integers(asked.map(({ bucket }) => bucket))}::smallint[], ${known}::text[]::bigint[])
        with ordinality as p (organization_id, bucket, known, index)
      cross join lateral (
        select string_agg(r.data, '') filter (where r.seq > p.known) as data,
          concat_ws(' ', min(r.seq), count(*) filter (where r.seq <= p.known), coalesce(sum(r.seq) filter (where r.seq <= p.known), 0),
            array_to_string(array_agg(r.seq) filter (where r.seq > p.known), ','),
            array_to_string(array_agg(octet_length(r.data)) filter (where r.seq > p.known), ',')) as found
        from (select s.seq, s.data from ${ofBucket} order by s.seq) r
      ) l
      where exists (select from ${ofBucket} and s.last >= ${parameters.time(from)} and s.first < ${parameters.time(to)})`,
  };
}

/** The rows of a bucket, from what `logStatement` found. Null if others than the known ones are left, so that it has to be read whole. */
export function foundRows(asked: AskedBucket, found: string, bytes: Buffer | null): BucketRows | null {
  const [fromSeq, count, sum, seqs, lengths] = found.split(' ');
  const left = asked.known.leftIn({ fromSeq: Number(fromSeq), count: Number(count), sum: Number(sum) });
  if (left === null) return null;
  const numbers = (list: string | undefined) => (list ?? '').split(',').map(Number);
  const rows = bytes === null ? left : left.with(new IndexedLogRows(bytes, numbers(seqs), numbers(lengths)));
  if (asked.key !== null) cache.keep(asked.key, rows);
  return rows;
}
