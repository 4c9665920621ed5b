/**
 * The fingerprints of the newest records that a consumer applied are stored in a ring of slots, each with `SLOT_RECORDS`
 * offsets of four bytes, so that a partition keeps between 3,840 and 4,096 fingerprints in 16 KiB.
 */
export const SLOT_RECORDS = 256;
const SLOTS = 16;
const BYTES = 4;

/** The fingerprints that a move adds to one slot, in hexadecimal digits, for the offsets from `first` on. */
export interface CheckpointPiece {
  partition: number;
  slot: number;
  first: bigint;
  fingerprints: string;
}

/** Divides the fingerprints of a move by slots; keeps only the newest if there are more than the slots hold. */
export function checkpointPieces(move: {
  partition: number;
  to: bigint;
  fingerprints: readonly number[];
}): CheckpointPiece[] {
  const { partition, to, fingerprints } = move;
  const kept = fingerprints.slice(-SLOT_RECORDS * (SLOTS - 1));
  const pieces: CheckpointPiece[] = [];
  let first = to - BigInt(kept.length);
  for (let begin = 0; begin < kept.length; ) {
    const room = SLOT_RECORDS - Number(first % BigInt(SLOT_RECORDS));
    const part = kept.slice(begin, begin + room);
    const slot = Number((first / BigInt(SLOT_RECORDS)) % BigInt(SLOTS));
    pieces.push({ partition, slot, first, fingerprints: hexOf(part) });
    begin += part.length;
    first += BigInt(part.length);
  }
  return pieces;
}

/** The fingerprints before `next` without a gap, from slots in descending order of their offsets. */
export function newestRun(
  next: bigint,
  slots: readonly { first: string; fingerprints: Buffer }[],
): { first: bigint; fingerprints: number[] } {
  let first = next;
  const runs: number[][] = [];
  for (const slot of slots) {
    const begin = BigInt(slot.first);
    const values = numbersOf(slot.fingerprints);
    if (begin >= first || begin + BigInt(values.length) < first) continue;
    runs.unshift(values.slice(0, Number(first - begin)));
    first = begin;
  }
  return { first, fingerprints: runs.flat() };
}

function hexOf(fingerprints: readonly number[]): string {
  const bytes = Buffer.allocUnsafe(fingerprints.length * BYTES);
  for (const [index, fingerprint] of fingerprints.entries()) bytes.writeUInt32BE(fingerprint, index * BYTES);
  return bytes.toString('hex');
}

function numbersOf(bytes: Buffer): number[] {
  return Array.from({ length: bytes.length / BYTES }, (_, index) => bytes.readUInt32BE(index * BYTES));
}
