import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ByteReader } from './byte-reader.ts';
import { ByteWriter, DECIMALS, RAW_SCALE } from './byte-writer.ts';

/** The same number by trying every scale, as the format says it. */
function written(value: number): Buffer {
  const writer = new ByteWriter();
  const scale = DECIMALS.findIndex((factor) => {
    const scaled = Math.round(value * factor);
    return Math.abs(scaled) < 2 ** 45 && scaled / factor === value && (scaled !== 0 || Object.is(value, 0));
  });
  if (scale === -1) {
    writer.varint(RAW_SCALE);
    writer.double(value);
    return writer.bytes();
  }
  const scaled = Math.round(value * (DECIMALS[scale] as number));
  writer.varint((scaled < 0 ? -scaled * 2 - 1 : scaled * 2) * 8 + scale);
  return writer.bytes();
}

const decimals = fc
  .tuple(fc.maxSafeInteger(), fc.integer({ min: 0, max: 52 }), fc.integer({ min: 0, max: 8 }))
  .map(([integer, bits, digits]) => Math.trunc(integer / 2 ** bits) / 10 ** digits);
const nearBounds = fc
  .tuple(
    fc.constantFrom(2 ** 27, 2 ** 45),
    fc.integer({ min: -2, max: 2 }),
    fc.constantFrom(1, 10, 100, 1_000),
  )
  .chain(([bound, more, factor]) => fc.constantFrom((bound + more) / factor, -(bound + more) / factor));
const finite = fc.double({ noNaN: true, noDefaultInfinity: true });

test('number writes the least scale by which a number is exact, and reads it back bit for bit', () => {
  const writer = new ByteWriter(16);
  fc.assert(
    fc.property(fc.oneof(decimals, nearBounds, finite, fc.constantFrom(0, -0, 0.001, 1e-7)), (value) => {
      writer.reset();
      writer.number(value);
      const bytes = Buffer.from(writer.bytes());
      expect(bytes.equals(written(value))).toBe(true);
      expect(Object.is(new ByteReader(bytes).number(), value)).toBe(true);
    }),
    { numRuns: 20_000 },
  );
});
