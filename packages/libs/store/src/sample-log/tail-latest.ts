import type { Queryable } from '@tidewatch/database/connection';
import type { PlacedRecord } from '@tidewatch/domain/chunk/indexed-log-rows';
import { decodeRecord } from '@tidewatch/domain/chunk/log-record';
import { Turn } from '../event-loop/turn.ts';
import { askedBuckets } from '../series/chunks/stored/log-buckets.ts';
import { readStored } from '../series/chunks/stored/stored-rows.ts';
import { logBucketOf } from './buckets.ts';
import { sampleLayoutOf } from './sample-layout.ts';

/** A value and its sample time, ms. */
export interface TailValue {
  time: number;
  value: number;
}

/** The newest values of a block, by slot; slots without one are missing. */
export type TailValues = Map<number, TailValue>;

const ALWAYS = { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY };

/**
 * Reads what the log has of a service that may not be in `block_latest` yet: the newest value at or before `until` (ms) of each slot, by
 * block. Empty where the database keeps samples as rows, since the writer stores latest values itself then.
 */
export async function readTailLatest(
  sql: Queryable,
  { organizationId, serviceId, until }: { organizationId: string; serviceId: string; until: number },
): Promise<Map<number, TailValues>> {
  const latest = new Map<number, TailValues>();
  if ((await sampleLayoutOf(sql)) === 'rows') return latest;
  const blocks = await sql<{ id: number }[]>`
    select id from blocks where organization_id = ${organizationId} and service_id = ${serviceId}`;
  const bucket = logBucketOf(serviceId);
  // Any block may be the first of its subject.
  const places = new Map(blocks.map(({ id }) => [id, { organizationId, bucket, anchor: id }]));
  const asked = await askedBuckets(sql, places);
  const { log } = await readStored(sql, { log: { asked, range: ALWAYS }, chunks: [], rows: [] });
  const turn = new Turn();
  const records: PlacedRecord[] = [];
  for (const rows of log) {
    rows.visitRecords(
      (anchor) => places.has(anchor),
      (record) => records.push({ ...record }),
    );
    if (turn.isOver) await turn.yieldWhenDue();
  }
  records.sort((a, b) => a.seq - b.seq);
  for (const record of records) {
    decodeRecord(record, ({ id, time, values }) => {
      if (time > until) return;
      const own = latest.get(id) ?? new Map<number, TailValue>();
      latest.set(id, own);
      for (const [slot, value] of values.entries())
        if (!Number.isNaN(value) && time >= (own.get(slot)?.time ?? Number.NEGATIVE_INFINITY))
          own.set(slot, { time, value });
    });
    if (turn.isOver) await turn.yieldWhenDue();
  }
  return latest;
}

/** The newer of a value that is stored as the latest and of what the log has; null if there is neither. */
export function newerOf(stored: TailValue | null, tail: TailValue | undefined): TailValue | null {
  if (tail === undefined) return stored;
  return stored === null || tail.time >= stored.time ? tail : stored;
}
