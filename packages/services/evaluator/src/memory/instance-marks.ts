/** A field of bits within the marks of an alert instance: its lowest bit and its max value. */
export interface Bits {
  readonly shift: number;
  readonly max: number;
}

export const STORED: Bits = { shift: 0, max: 1 };
export const DIRTY: Bits = { shift: 1, max: 1 };
export const SHADOW: Bits = { shift: 2, max: 1 };
export const REFERENCE: Bits = { shift: 3, max: 7 };
export const UNCONFIRMED: Bits = { shift: 6, max: 1 };
export const NO_DATA: Bits = { shift: 7, max: 1 };
export const PHASE: Bits = { shift: 8, max: 3 };
export const SEVERITY: Bits = { shift: 10, max: 3 };
export const MISSED: Bits = { shift: 12, max: 3 };
export const FLAPS: Bits = { shift: 14, max: 0x3_ffff };
/** The bits that stay when the state is reset: all before `NO_DATA`. */
export const KEPT = 127;

/** The states that the values of `PHASE` stand for. */
export const PHASES = [null, 'pending', 'firing', 'recovering'] as const;

export function bitsOf(marks: number, { shift, max }: Bits): number {
  return (marks >> shift) & max;
}

/** Returns the marks with one field replaced; a value above its max is stored as the max. */
export function withBits(marks: number, { shift, max }: Bits, value: number): number {
  return (marks & ~(max << shift)) | (Math.min(value, max) << shift);
}
