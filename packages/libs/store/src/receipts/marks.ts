import type { SampleBatch } from '@tidewatch/contracts/ingest/sample';
import type { Queryable, Transaction } from '@tidewatch/database/connection';

/** A value of the topic of samples, or the bytes of a record that cannot be decoded, as a consumer received it. */
export interface ReceivedValue {
  topic: string;
  partition: number;
  offset: bigint;
  value: unknown;
}

interface Mark {
  org: string;
  receipt: string;
  consumer: string;
  partition: number;
  offset: string;
  reason: string | null;
}

/** Marks in `tx` that a consumer applied records with a receipt; runs no statement if there are none. */
export async function markTaken(
  tx: Transaction,
  consumer: string,
  batch: readonly ReceivedValue[],
): Promise<void> {
  const marks: Mark[] = [];
  for (const received of batch) {
    const mark = markOf(received, consumer, null);
    if (mark !== null) marks.push(mark);
  }
  if (marks.length === 0) return;
  await tx`
    insert into ingest_receipt_marks as m (organization_id, receipt_id, consumer, partition, "offset")
    select distinct org, receipt, consumer, partition, "offset" from ${rowsOf(tx, marks)}
    order by 1, 2, 3, 4, 5
    on conflict (organization_id, receipt_id, consumer, partition, "offset") do update set at = excluded.at, reason = null`;
}

/**
 * Records dead letters of records with receipts: `unreadable` if they cannot be decoded, otherwise with the reason of the
 * consumer.
 */
export async function recordDeadLetters(
  sql: Queryable,
  letters: readonly { consumer: string; delivery: ReceivedValue }[],
): Promise<void> {
  const marks = letters
    .map(({ consumer, delivery }) => markOf(delivery, consumer, REASONS[consumer] ?? 'refused'))
    .filter((mark) => mark !== null);
  if (marks.length > 0)
    await sql`
      insert into ingest_receipt_marks (organization_id, receipt_id, consumer, partition, "offset", reason)
      select distinct org, receipt, consumer, partition, "offset", reason from ${rowsOf(sql, marks)}
      on conflict (organization_id, receipt_id, consumer, partition, "offset") do nothing`;
  const unreadable = letters.filter(({ delivery: { value } }) => value === null || Buffer.isBuffer(value));
  if (unreadable.length === 0) return;
  const records = unreadable.map(({ delivery: { topic, partition, offset } }) => {
    return { topic, partition, offset: String(offset) };
  });
  await sql`
    insert into unreadable_records (topic, partition, "offset", reason)
    select distinct topic, partition, "offset", 'unreadable'
    from json_to_recordset(${JSON.stringify(records)}::text::json) as r(topic text, partition integer, "offset" bigint)
    on conflict (topic, partition, "offset") do nothing`;
}

/** The reason codes of dead letters by consumer; clients are not shown errors of the database. */
const REASONS: Record<string, string> = { writer: 'cannot_be_stored', evaluator: 'cannot_be_evaluated' };

/** The receipt mark of a bus record; null if the record has no receipt or cannot be decoded. */
function markOf(
  { partition, offset, value }: ReceivedValue,
  consumer: string,
  reason: string | null,
): Mark | null {
  const record = value as SampleBatch | null;
  // Most records have no receipt, and neither do heartbeats and records that cannot be decoded.
  const receipt = record?.receiptId;
  if (record === null || receipt === undefined) return null;
  return { org: record.organizationId, receipt, consumer, partition, offset: String(offset), reason };
}

function rowsOf(sql: Queryable, marks: readonly Mark[]) {
  return sql`json_to_recordset(${JSON.stringify(marks)}::text::json) as r(org text, receipt text, consumer text,
    partition integer, "offset" bigint, reason text)`;
}
