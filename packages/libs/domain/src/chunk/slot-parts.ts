import { type ByteReader, MalformedBytesError } from '@tidewatch/contracts/bytes/byte-reader';
import { ByteWriter } from '@tidewatch/contracts/bytes/byte-writer';
import { SLOTS_PER_BLOCK } from '../series/slots.ts';
import { joinHead, openHead, type PartPlace, peekHead } from './checked-head.ts';
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

/** Where the parts of slots lie; numbers for each slot rather than an object, since most are not asked for. */
export class SlotPlaces {
  /** Bit n is set if slot n has a part. */
  readonly mask: number;
  readonly #bytes: Buffer;
  readonly #start: number;
  readonly #ends: number[] = [];
  /** Where the checksum of each part lies in the head. */
  readonly #checksumsAt: number[] = [];

  /** Reads what a head begins with. The first part begins at `start`. */
  constructor(head: ByteReader, start: number) {
    const mask = head.uint16();
    let end = start;
    for (let slot = 0; slot < SLOTS_PER_BLOCK; slot += 1) {
      const isThere = ((mask >> slot) & 1) === 1;
      if (isThere) end += head.varint();
      this.#ends.push(end);
      this.#checksumsAt.push(isThere ? head.pass(4) : 0);
    }
    this.mask = mask;
    this.#bytes = head.bytes;
    this.#start = start;
  }

  /** Where the last part ends. */
  get end(): number {
    return this.#ends[SLOTS_PER_BLOCK - 1] as number;
  }

  /** The place of the part of a slot; null if it has none. */
  of(slot: number): PartPlace | null {
    if (((this.mask >> slot) & 1) === 0) return null;
    return {
      start: slot === 0 ? this.#start : (this.#ends[slot - 1] as number),
      end: this.#ends[slot] as number,
      checksum: this.#bytes.readUInt32LE(this.#checksumsAt[slot] as number),
    };
  }
}

/** Where the part of one slot lies that was cut out of the others: right behind the head. */
class CutPlace {
  readonly mask: number;
  readonly end: number;
  readonly #slot: number;
  readonly #start: number;
  readonly #checksum: number;

  constructor(slot: number, start: number, end: number, checksum: number) {
    this.mask = 1 << slot;
    this.end = end;
    this.#slot = slot;
    this.#start = start;
    this.#checksum = checksum;
  }

  of(slot: number): PartPlace | null {
    return slot === this.#slot ? { start: this.#start, end: this.end, checksum: this.#checksum } : null;
  }
}

/** The head of what `packSlots` has packed. */
export interface SlotParts {
  places: Pick<SlotPlaces, 'mask' | 'end' | 'of'>;
  /** Reads what `writeRest` has added to the head. */
  rest: ByteReader;
}

/**
 * Opens bytes that hold the head at least; parts may be missing if `isWhole` is false. Throws MalformedBytesError if the
 * head is damaged or, for whole bytes, the length differs from what the head says.
 */
export function openSlots(bytes: Buffer, isWhole: boolean): SlotParts {
  const parts = openSlotsAt(bytes, 0);
  if (isWhole && parts.places.end !== bytes.length)
    throw new MalformedBytesError('the length differs from that of the parts');
  return parts;
}

/** Opens what begins at `from`, whatever lies behind it. Throws MalformedBytesError if the head is damaged. */
export function openSlotsAt(bytes: Buffer, from: number): SlotParts {
  const { head: rest, partsStart } = openHead(bytes, from);
  return { places: new SlotPlaces(rest, partsStart), rest };
}

/** Longer bytes are never cut: PostgreSQL keeps them beside their row, and would fetch them whole for each byte that it looks at. */
const MAX_CUT_BYTES = 1_900;
/** Numbers below this are varints of one byte. */
const ONE_BYTE = 128;
/** Where the length of the head lies, the mask of slots, and the first of the entries of slots. */
const [LENGTH_AT, MASK_AT, ENTRIES_AT] = [5, 6, 8];
const ENTRY_BYTES = 5;

/**
 * An SQL expression that cuts the part of a slot out of `data`: the head and this part. It yields `data` itself where the head or one of the
 * parts up to this one is long, a slot before this one or this one itself is missing, or the bytes are many. `openCutAt` reads both.
 */
export function cutSql(data: string, slot: number): string {
  const byte = (at: number) => `get_byte(${data}, ${at})`;
  const lengths = Array.from({ length: slot + 1 }, (_, each) => byte(ENTRIES_AT + each * ENTRY_BYTES));
  const low = lowMask(slot);
  const masks = [low & 0xff, low >> 8].map((bits, index) =>
    bits === 0 ? 'true' : `${byte(MASK_AT + index)} & ${bits} = ${bits}`,
  );
  const partAt = [`${LENGTH_AT + 2}`, byte(LENGTH_AT), ...lengths.slice(0, slot)].join(' + ');
  const cut = `substring(${data} for ${LENGTH_AT + 1} + ${byte(LENGTH_AT)}) || substring(${data} from ${partAt} for ${lengths[slot]})`;
  // Each condition keeps the next one within the bytes.
  const conditions = [
    `octet_length(${data}) between ${ENTRIES_AT + (slot + 1) * ENTRY_BYTES} and ${MAX_CUT_BYTES}`,
    `${byte(LENGTH_AT)} < ${ONE_BYTE} and ${masks.join(' and ')}`,
    `(${lengths.join(' | ')}) < ${ONE_BYTE}`,
  ];
  return conditions.reduceRight(
    (inner, condition) => `case when ${condition} then ${inner} else ${data} end`,
    cut,
  );
}

/** Opens what `cutSql` made of bytes, at `from`, whatever lies behind it. Throws MalformedBytesError if the head is damaged. */
export function openCutAt(bytes: Buffer, from: number, slot: number): SlotParts {
  const { head, partsStart } = openHead(bytes, from);
  const mask = head.uint16();
  const low = lowMask(slot);
  let areShort = (mask & low) === low && partsStart - from - LENGTH_AT - 1 < ONE_BYTE;
  let [own, checksumAt, whole] = [0, 0, partsStart];
  for (let rest = mask, each = 0; rest !== 0; rest >>= 1, each += 1) {
    if ((rest & 1) === 0) continue;
    const length = head.varint();
    const at = head.pass(4);
    whole += length;
    if (each > slot) continue;
    if (length >= ONE_BYTE) areShort = false;
    if (each === slot) [own, checksumAt] = [length, at];
  }
  if (!areShort || whole - from > MAX_CUT_BYTES) return openSlotsAt(bytes, from);
  return {
    places: new CutPlace(slot, partsStart, partsStart + own, bytes.readUInt32LE(checksumAt)),
    rest: head,
  };
}

/** The mask of a slot and all before it. */
function lowMask(slot: number): number {
  return (2 << slot) - 1;
}

/** The first bytes that `peekSlots` needs at most. */
export const PEEKED_BYTES = 5 + 5 + 2 + SLOTS_PER_BLOCK * (5 + 4);

/**
 * Where the parts of slots lie and the head ends, from the first PEEKED_BYTES, for a reader that fetches the rest of the head and some parts
 * next. Nothing is checked yet: `openSlots` does that. Throws MalformedBytesError if the bytes end too early.
 */
export function peekSlots(bytes: Buffer): { headEnd: number; places: SlotPlaces } {
  const { head, partsStart } = peekHead(bytes);
  return { headEnd: partsStart, places: new SlotPlaces(head, partsStart) };
}

function maskOf(slots: readonly unknown[]): number {
  if (slots.length > SLOTS_PER_BLOCK)
    throw new RangeError(`a block has ${SLOTS_PER_BLOCK} slots, not ${slots.length}`);
  let mask = 0;
  for (let slot = 0; slot < slots.length; slot += 1) if (slots[slot] !== null) mask |= 1 << slot;
  return mask;
}
