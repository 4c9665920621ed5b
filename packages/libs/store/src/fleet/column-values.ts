import type { NumberColumn } from '@tidewatch/domain/fleet/fleet-changes';

/** How the values of a column are collected: SQL of all of them in order, and how to read what comes of it. */
export interface Collected<Read> {
  sql(field: string): string;
  read(bytes: Buffer): Read;
}

export const NUMBERS: Collected<NumberColumn> = {
  sql: (field) => `string_agg(float8send(coalesce(${field}, 'NaN')), '')`,
  read: (bytes) => numbersOf(bytes, 8, (at) => bytes.readDoubleBE(at)),
};
export const COUNTS: Collected<NumberColumn> = {
  sql: (field) => `string_agg(int4send(${field}), '')`,
  read: (bytes) => numbersOf(bytes, 4, (at) => bytes.readInt32BE(at)),
};
/** Microseconds since 2000, in eight bytes. */
export const TIMES: Collected<NumberColumn> = {
  sql: (field) => `string_agg(timestamptz_send(${field}), '')`,
  read: (bytes) => numbersOf(bytes, 8, (at) => EPOCH_MS + Math.floor(microsecondsAt(bytes, at) / 1_000)),
};

const EPOCH_MS = Date.UTC(2000, 0, 1);

function numbersOf(bytes: Buffer, width: number, read: (at: number) => number): NumberColumn {
  const column = new Float64Array(bytes.length / width);
  for (let index = 0; index < column.length; index += 1) column[index] = read(index * width);
  return column;
}

function microsecondsAt(bytes: Buffer, at: number): number {
  return bytes.readInt32BE(at) * 2 ** 32 + bytes.readUInt32BE(at + 4);
}

/** The time of the transaction, which is before its snapshot, and the time after the rows were read, microseconds. */
export interface ReadTimes {
  read_from: number;
  read_up_to: number;
  /** The oldest transaction that was not over: every later change is made by that one or a younger one. */
  seen: string;
}

/** SQL of ReadTimes. */
export const READ_TIMES = `${microsecondsOf('now()')} as read_from, ${microsecondsOf('clock_timestamp()')} as read_up_to,
      pg_snapshot_xmin(pg_current_snapshot())::text as seen`;

/** SQL of the microseconds of a time since the epoch: exact, and cheaper than the numeric that `extract` returns. */
function microsecondsOf(time: string): string {
  return `(date_part('epoch', ${time}) * 1000000)::int8`;
}
