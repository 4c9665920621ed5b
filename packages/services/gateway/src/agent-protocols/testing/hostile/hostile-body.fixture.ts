import { nested } from '../../../testing/protobuf-bytes.fixture.ts';

/** A body that costs its sender little, or that is as large as a body may be and holds as many things as fit. */
export interface HostileBody {
  name: string;
  path: string;
  type: string;
  /** Made when it is needed, since all of them together are large. */
  body: () => Buffer;
  encoding?: string;
  /** The status of the answer. */
  status: number;
}

export const MIB = 1_048_576;
/** Just below the max size of a body. */
export const FULL_BYTES = 15.5 * MIB;
export const NOW = Date.now();
export const SECONDS = Math.floor(NOW / 1_000);

/** As many of these bytes as fit. */
export const repeated = (piece: Buffer | string, bytes = FULL_BYTES) =>
  Buffer.alloc(Math.floor(bytes / piece.length) * piece.length, piece);

/** What is made for each number below `count`, together. */
export const each = (count: number, make: (index: number) => Buffer | string) =>
  Buffer.concat(Array.from({ length: count }, (_, index) => Buffer.from(make(index))));

/** A text between two others. */
export const between = (open: string, middle: Buffer, close: string) =>
  Buffer.concat([Buffer.from(open), middle, Buffer.from(close)]);

/** Bytes that cannot be compressed. */
export function randomBytes(length: number): Buffer {
  const bytes = Buffer.alloc(length);
  let state = 1;
  for (let at = 0; at + 4 <= length; at += 4) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    bytes.writeUInt32LE((state ^ (state >>> 15)) >>> 0, at);
  }
  return bytes;
}

/** A message with two texts. */
export const twoTexts = (field: number, one: string, other: string) =>
  nested(field, nested(1, one), nested(2, other));
