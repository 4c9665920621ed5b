import type { PointSink } from '../series/point-sink.ts';

/** Whether the double at `at` (little-endian) is the NaN by which Prometheus marks that a series has ended. */
export function isStaleMarker(bytes: Buffer, at: number): boolean {
  return bytes.readUInt32LE(at) === 2 && bytes.readUInt32LE(at + 4) === 0x7ff0_0000;
}

/** Counts a value that is no number as left out: NaN or ±Infinity. */
export function omitValue(sink: PointSink, value: number): void {
  sink.omit(Number.isNaN(value) ? 'not_a_number' : 'infinite', 1);
}
