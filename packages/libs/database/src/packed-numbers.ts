const HEADER_BYTES = 20;
let scratch = Buffer.alloc(4_096);

/**
 * Decodes the hexadecimal text of PostgreSQL's `array_send(float8[])` into `into`; null becomes NaN. Exact, and cheaper on
 * both sides than numbers as text. All calls share one buffer. Per element: its length (-1 for null) and eight bytes.
 */
export function unpackNumbers(packed: string, into: Float64Array): void {
  const bytes = packed.length / 2 - 1;
  if (scratch.length < bytes) scratch = Buffer.alloc(bytes);
  scratch.write(packed.slice(2), 'hex');
  let at = HEADER_BYTES;
  for (let index = 0; index < into.length; index++) {
    if (scratch.readInt32BE(at) === -1) {
      into[index] = Number.NaN;
      at += 4;
    } else {
      into[index] = scratch.readDoubleBE(at + 4);
      at += 12;
    }
  }
}
