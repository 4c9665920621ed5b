import { MalformedBytesError } from '@tidewatch/contracts/bytes/byte-reader';
import type { Transaction } from '@tidewatch/database/connection';
import { readBinary } from '@tidewatch/database/copy/read-binary';
import { type LogRecord, readLogRecords } from '@tidewatch/domain/chunk/log-row';
import { Turn } from '../event-loop/turn.ts';
import { type DamagedBytes, keepDamaged } from '../sample-damage/keep-damaged.ts';

interface DeletedRow {
  organizationId: string;
  bucket: number;
  seq: number;
  /** Of its latest sample, ms. */
  last: number;
  data: Buffer;
}

/** The number of rows among which one call looks for the last that it takes. */
const MAX_ROWS = 20_000;

const DELETE = `
  delete from sample_log where bucket = any($1::smallint[]) and seq <= $2::bigint
  returning organization_id, bucket, seq::float8, extract(epoch from last)::float8 * 1000, data`;

/** What was deleted from the log. */
export interface TakenRows {
  /** In order of the numbers of their transactions, and as they were added within one. */
  records: LogRecord[];
  bytes: number;
  /** Every row of these buckets with this number or one before was taken; 0 if there was none. */
  takenTo: number;
  hasMore: boolean;
  /** Rows that cannot be read whole. They are in `damaged_samples`; what can be read of them is among the records. */
  damaged: { bucket: number; seq: number; error: MalformedBytesError }[];
}

/**
 * Deletes the earliest rows of these buckets from the log, up to the number `bound`, and returns what they held. `maxBytes` is the most
 * that is taken but for what belongs to the same transactions; null where there are known to be few rows.
 */
export async function takeLogRows(
  tx: Transaction,
  buckets: readonly number[],
  bound: number,
  maxBytes: number | null,
): Promise<TakenRows> {
  const { cutoff, hasMore } =
    maxBytes === null ? { cutoff: bound, hasMore: false } : await findCutoff(tx, buckets, bound, maxBytes);
  const taken: TakenRows = { records: [], bytes: 0, takenTo: 0, hasMore, damaged: [] };
  // A row that was sorted from the mixed bucket has the number of its first transaction and holds later ones too. Everything between
  // these is taken with it, since what remains in the log counts as later than what is in chunks.
  const kept: DamagedBytes[] = [];
  const bySeq = new Map<number, LogRecord[]>();
  for (let to = cutoff; to > taken.takenTo; ) {
    const rows = await deleteRows(tx, buckets, to);
    const turn = new Turn();
    taken.takenTo = to;
    for (const row of rows) {
      if (turn.isOver) await turn.yieldWhenDue();
      taken.bytes += row.data.length;
      for (const record of readRow(row, taken, kept)) {
        if (record.seq > to) to = record.seq;
        const own = bySeq.get(record.seq);
        if (own === undefined) bySeq.set(record.seq, [record]);
        else own.push(record);
      }
    }
  }
  await keepDamaged(tx, kept);
  // The numbers are sorted rather than the records, which would hold the event loop up for 20 ms.
  const seqs = [...bySeq.keys()].sort((a, b) => a - b);
  taken.records = seqs.flatMap((seq) => bySeq.get(seq) as LogRecord[]);
  return taken;
}

function readRow(row: DeletedRow, { damaged }: TakenRows, kept: DamagedBytes[]): LogRecord[] {
  const { organizationId, bucket, seq, last, data } = row;
  let found: MalformedBytesError | null = null;
  const note = (error: MalformedBytesError) => {
    if (found !== null) return;
    found = error;
    damaged.push({ bucket, seq, error });
    kept.push({ relation: 'sample_log', place: { organizationId, bucket, seq }, day: last, error, data });
  };
  try {
    return readLogRecords(data, () => true, note);
  } catch (error) {
    if (!(error instanceof MalformedBytesError)) throw error;
    note(error);
    return [];
  }
}

async function findCutoff(tx: Transaction, buckets: readonly number[], bound: number, maxBytes: number) {
  const [row] = await tx<{ cutoff: number | null; newest: number; rows: number }[]>`
    select max(seq) filter (where total <= ${maxBytes} or seq = lowest) as cutoff, max(seq) as newest, count(*)::integer as rows
    from (
      select seq, sum(octet_length(data)) over (order by seq) as total, min(seq) over () as lowest
      from (
        select seq, data from sample_log
        where bucket = any(${buckets as number[]}::smallint[]) and seq <= ${bound}
        order by seq limit ${MAX_ROWS}
      ) earliest
    ) measured`;
  const { cutoff, newest, rows } = row as NonNullable<typeof row>;
  return { cutoff: cutoff ?? 0, hasMore: cutoff !== null && (newest > cutoff || rows === MAX_ROWS) };
}

// As COPY, since the driver reads other answers as text of twice the size.
async function deleteRows(tx: Transaction, buckets: readonly number[], to: number): Promise<DeletedRow[]> {
  const rows = await readBinary(tx, DELETE, [buckets.map(String), String(to)]);
  return rows
    .map(
      ([organizationId, bucket, seq, last, data]): DeletedRow => ({
        organizationId: (organizationId as Buffer).toString(),
        bucket: (bucket as Buffer).readInt16BE(),
        seq: (seq as Buffer).readDoubleBE(),
        last: (last as Buffer).readDoubleBE(),
        data: data as Buffer,
      }),
    )
    .sort((a, b) => a.seq - b.seq);
}
