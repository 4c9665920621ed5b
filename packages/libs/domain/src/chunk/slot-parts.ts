import { type ByteReader, MalformedBytesError } from '@tidewatch/contracts/bytes/byte-reader';
import { ByteWriter } from '@tidewatch/contracts/bytes/byte-writer';
import { SLOTS_PER_BLOCK } from '../series/slots.ts';
import { joinHead, openHead, type PartPlace, peekHead, readPartPlace } from './checked-head.ts';
import { checksum } from './checksum.ts';

const head = new ByteWriter();
const parts = new ByteWriter();

/**
 * Packs one part for each slot that is not null behind a checked head:
 *
 *   head = mask of slots (2 bytes), for each of these slots: length and checksum of its part; then what `writeRest` adds
 *
 * `writePart` writes the part of a slot.
 */
export function packSlots(
  slots: readonly unknown[],
  writePart: (into: ByteWriter, slot: number) => void,
  writeRest: (into: ByteWriter) => void,
): Buffer {
  head.reset();
  parts.reset();
  head.uint16(maskOf(slots));
  for (let slot = 0; slot < slots.length; slot += 1) {
    if (slots[slot] === null) continue;
    const start = parts.length;
    writePart(parts, slot);
    head.varint(parts.length - start);
    head.uint32(checksum(parts.bytes(), start));
  }
  writeRest(head);
  return joinHead(head, parts);
}

/** The head of what `packSlots` has packed, and where the part of each slot lies. */
export interface SlotParts {
  /** Bit n is set if slot n has a part. */
  mask: number;
  places: readonly (PartPlace | null)[];
  /** What `writeRest` has added to the head. */
  rest: ByteReader;
}

/**
 * Opens bytes that hold the head at least; parts may be missing if `isWhole` is false. Throws MalformedBytesError if the
 * head is damaged or, for whole bytes, the length differs from what the head says.
 */
export function openSlots(bytes: Buffer, isWhole: boolean): SlotParts {
  const { head: reader, partsStart } = openHead(bytes);
  const { mask, places, end } = readPlaces(reader, partsStart);
  if (isWhole && end !== bytes.length)
    throw new MalformedBytesError('the length differs from that of the parts');
  return { mask, places, rest: reader };
}

/** The first bytes that `peekSlots` needs at most. */
export const PEEKED_BYTES = 5 + 5 + 2 + SLOTS_PER_BLOCK * (5 + 4);

/**
 * Where the parts of slots lie and the head ends, from the first PEEKED_BYTES, for a reader that fetches the rest of the head and some parts
 * next. Nothing is checked yet: `openSlots` does that. Throws MalformedBytesError if the bytes end too early.
 */
export function peekSlots(bytes: Buffer): { headEnd: number; places: readonly (PartPlace | null)[] } {
  const { head: reader, partsStart } = peekHead(bytes);
  return { headEnd: partsStart, places: readPlaces(reader, partsStart).places };
}

function readPlaces(reader: ByteReader, partsStart: number) {
  const mask = reader.uint16();
  const places: (PartPlace | null)[] = new Array(SLOTS_PER_BLOCK).fill(null);
  let end = partsStart;
  for (let slot = 0; slot < SLOTS_PER_BLOCK; slot += 1) {
    if (((mask >> slot) & 1) === 0) continue;
    const place = readPartPlace(reader, end);
    places[slot] = place;
    end = place.end;
  }
  return { mask, places, end };
}

function maskOf(slots: readonly unknown[]): number {
  if (slots.length > SLOTS_PER_BLOCK)
    throw new RangeError(`a block has ${SLOTS_PER_BLOCK} slots, not ${slots.length}`);
  let mask = 0;
  for (let slot = 0; slot < slots.length; slot += 1) if (slots[slot] !== null) mask |= 1 << slot;
  return mask;
}
