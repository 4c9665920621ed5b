import type { Queryable } from '@tidewatch/database/connection';
import { inOrganization } from '@tidewatch/database/tenancy/bound-organization';

/** Where payloads are stored: in a record of a topic, or by a transaction. Offsets are strings. */
export type ReceiptRecord = { topic: string; partition: number; offset: string } | { transaction: string };

/** The receipt of an accepted ingest request. */
export interface Receipt {
  organizationId: string;
  id: string;
  /** The id of the API key of the request. */
  keyId: string;
  /** ms. */
  acceptedAt: number;
  records: readonly ReceiptRecord[];
}

/** The processing status of one record of a receipt; times are ms. */
export type RecordStatus = ReceiptRecord & {
  storedAt: number | null;
  evaluatedAt: number | null;
  deadLettered: { reason: string; at: number } | null;
};

export interface TracedReceipt extends Omit<Receipt, 'records'> {
  records: readonly RecordStatus[];
}

export async function saveReceipt(sql: Queryable, receipt: Receipt): Promise<void> {
  const { organizationId, id, keyId, acceptedAt, records } = receipt;
  await inOrganization(
    organizationId,
    () => sql`
      insert into ingest_receipts (organization_id, id, key_id, accepted_at, records)
      values (${organizationId}, ${id}, ${keyId}, ${acceptedAt}, ${sql.json(records as never)})`,
  );
}

interface MarkRow {
  consumer: string;
  partition: number;
  offset: string;
  at: number;
  reason: string | null;
}

/** A receipt with the status of each of its records; null if there is none. */
export async function readReceipt(
  sql: Queryable,
  organizationId: string,
  id: string,
): Promise<TracedReceipt | null> {
  const [receipt] = await sql<Receipt[]>`
    select organization_id as "organizationId", id, key_id as "keyId", accepted_at as "acceptedAt", records
    from ingest_receipts where organization_id = ${organizationId} and id = ${id}`;
  if (receipt === undefined) return null;
  const marks = await sql<MarkRow[]>`
    select consumer, partition, "offset"::text as "offset", at, reason from ingest_receipt_marks
    where organization_id = ${organizationId} and receipt_id = ${id}`;
  const unreadable = await sql<Omit<MarkRow, 'consumer'>[]>`
    select u.partition, u."offset"::text as "offset", u.at, u.reason from unreadable_records u
    join ingest_receipts r on r.organization_id = ${organizationId} and r.id = ${id}
    cross join jsonb_to_recordset(r.records) as p(topic text, partition integer, "offset" bigint)
    where u.topic = p.topic and u.partition = p.partition and u."offset" = p."offset"`;
  return { ...receipt, records: receipt.records.map((record) => statusOf(record, marks, unreadable)) };
}

function statusOf(
  record: ReceiptRecord,
  marks: readonly MarkRow[],
  unreadable: readonly Omit<MarkRow, 'consumer'>[],
): RecordStatus {
  // One transaction stores all records of a receipt, which then share its status.
  const isHere = (row: { partition: number; offset: string }) =>
    'transaction' in record || (row.partition === record.partition && row.offset === record.offset);
  const here = marks.filter(isHere);
  const takenBy = (consumer: string) =>
    here.find((mark) => mark.consumer === consumer && mark.reason === null)?.at ?? null;
  // If both consumers gave up, the writer's reason is shown: samples that are not stored are not evaluated either.
  const givenUp = here.filter(({ reason }) => reason !== null);
  const given =
    givenUp.find(({ consumer }) => consumer === 'writer') ?? givenUp[0] ?? unreadable.find(isHere);
  return {
    ...record,
    storedAt: takenBy('writer'),
    evaluatedAt: takenBy('evaluator'),
    deadLettered: given === undefined ? null : { reason: given.reason as string, at: given.at },
  };
}
