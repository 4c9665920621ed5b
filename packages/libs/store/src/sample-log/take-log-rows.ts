import { MalformedBytesError } from '@tidewatch/contracts/bytes/byte-reader';
import type { Transaction } from '@tidewatch/database/connection';
import { readBinary } from '@tidewatch/database/copy/read-binary';
import { type LogPiece, type LogRecord, readLogPieces, visitRecords } from '@tidewatch/domain/chunk/log-row';
import { BackgroundTurn } from '../event-loop/background-turn.ts';
import { keepDamaged } from '../sample-damage/keep-damaged.ts';

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

/** Which of the earliest rows of buckets are taken. */
interface Cutoff {
  /** Every row with this number or one before is; 0 if there is none. */
  takenTo: number;
  hasMore: boolean;
}

/** What was deleted from the log. */
export class TakenRows {
  readonly takenTo: number;
  readonly hasMore: boolean;
  readonly #rows: readonly DeletedRow[];
  readonly #pieces: readonly LogPiece[];
  readonly #damaged: ReadonlyMap<Buffer, MalformedBytesError>;

  /** `pieces`: in order of the numbers of their transactions. `damaged`: what was found in the data of rows so far. */
  constructor(
    rows: readonly DeletedRow[],
    pieces: readonly LogPiece[],
    damaged: ReadonlyMap<Buffer, MalformedBytesError>,
    { takenTo, hasMore }: Cutoff,
  ) {
    this.#rows = rows;
    this.#pieces = pieces;
    this.#damaged = damaged;
    this.takenTo = takenTo;
    this.hasMore = hasMore;
  }

  /**
   * Calls `visit` for each record, always with the same object: in order of the numbers of their transactions, and as they were added within one.
   * Rows that cannot be read whole move to `damaged_samples`, and are returned; what can be read of them is visited.
   */
  async visitRecords(
    tx: Transaction,
    visit: (record: LogRecord) => void,
  ): Promise<{ bucket: number; seq: number; error: MalformedBytesError }[]> {
    const errors = new Map(this.#damaged);
    const turn = new BackgroundTurn();
    for (const piece of this.#pieces) {
      visitRecords(piece, visit, (error) => {
        if (!errors.has(piece.bytes)) errors.set(piece.bytes, error);
      });
      if (turn.isOver) await turn.yieldWhenDue();
    }
    const damaged = this.#rows.flatMap((row) => {
      const error = errors.get(row.data);
      return error === undefined ? [] : [{ ...row, error }];
    });
    await keepDamaged(
      tx,
      damaged.map(({ organizationId, bucket, seq, last, error, data }) => {
        const place = { organizationId, bucket, seq };
        return { relation: 'sample_log', place, day: last, error, data };
      }),
    );
    return damaged.map(({ bucket, seq, error }) => ({ bucket, seq, error }));
  }
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
  const cutoff =
    maxBytes === null ? { takenTo: bound, hasMore: false } : await findCutoff(tx, buckets, bound, maxBytes);
  // A row that was sorted from the mixed bucket has the number of its first transaction and holds later ones too. Everything between
  // these is taken with it, since what remains in the log counts as later than what is in chunks.
  const all: DeletedRow[] = [];
  const damaged = new Map<Buffer, MalformedBytesError>();
  const bySeq = new Map<number, LogPiece[]>();
  let { takenTo } = cutoff;
  for (let takenBefore = 0; takenTo > takenBefore; ) {
    takenBefore = takenTo;
    const rows = await deleteRows(tx, buckets, takenTo);
    const turn = new BackgroundTurn();
    for (const row of rows) {
      all.push(row);
      for (const piece of piecesOf(row, damaged)) {
        if (piece.seq > takenTo) takenTo = piece.seq;
        const own = bySeq.get(piece.seq);
        if (own === undefined) bySeq.set(piece.seq, [piece]);
        else own.push(piece);
      }
      if (turn.isOver) await turn.yieldWhenDue();
    }
  }
  // The numbers are sorted rather than the pieces, of which there are many where transactions were small.
  const seqs = [...bySeq.keys()].sort((a, b) => a - b);
  const pieces = seqs.flatMap((seq) => bySeq.get(seq) as LogPiece[]);
  return new TakenRows(all, pieces, damaged, { takenTo, hasMore: cutoff.hasMore });
}

function piecesOf(row: DeletedRow, damaged: Map<Buffer, MalformedBytesError>): LogPiece[] {
  try {
    return readLogPieces(row.data);
  } catch (error) {
    if (!(error instanceof MalformedBytesError)) throw error;
    damaged.set(row.data, error);
    return [];
  }
}

async function findCutoff(
  tx: Transaction,
  buckets: readonly number[],
  bound: number,
  maxBytes: number,
): Promise<Cutoff> {
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
  return { takenTo: cutoff ?? 0, hasMore: cutoff !== null && (newest > cutoff || rows === MAX_ROWS) };
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
