import type { Queryable } from '@tidewatch/database/connection';
import { type LogRecord, readLogRecord, readLogRecords } from '@tidewatch/domain/chunk/log-row';
import { Turn } from '../event-loop/turn.ts';
import { logBucketOf, MIXED_BUCKET } from './buckets.ts';
import { sampleLayoutOf } from './sample-layout.ts';

/** A value and its sample time, ms. */
export interface TailValue {
  time: number;
  value: number;
}

/** The newest values of a block, by slot; slots without one are missing. */
export type TailValues = Map<number, TailValue>;

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
  // Any block may be the first of its subject.
  const ids = new Set(blocks.map(({ id }) => id));
  const rows = await sql<{ data: Buffer }[]>`
    select data from sample_log
    where organization_id = ${organizationId}
      and bucket = any(${[logBucketOf(serviceId), MIXED_BUCKET]}::smallint[])`;
  const turn = new Turn();
  const records: LogRecord[] = [];
  for (const { data } of rows) {
    records.push(...readLogRecords(data, (anchor) => ids.has(anchor)));
    if (turn.isOver) await turn.yieldWhenDue();
  }
  records.sort((a, b) => a.seq - b.seq);
  for (const record of records) {
    readLogRecord(record, ({ id, time, values }) => {
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
