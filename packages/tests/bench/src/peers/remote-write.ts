import type { Point } from './peer.ts';

/**
 * A Prometheus remote-write 1.0 body: the protobuf WriteRequest in a snappy block of literals only, which every
 * receiver unpacks and which costs us no compressor.
 */
export function encodeRemoteWrite(points: readonly Point[]): Uint8Array {
  const series: Buffer[] = [];
  for (const point of points) {
    for (const [index, name] of point.names.entries()) {
      const sample = Buffer.alloc(9);
      sample[0] = 0x09;
      sample.writeDoubleLE((point.values[index] as number) / 100, 1);
      const labels = [label('__name__', name), label('host', point.host)];
      const body = Buffer.concat([
        ...labels,
        field(2, Buffer.concat([sample, Buffer.from([0x10]), varint(point.time)])),
      ]);
      series.push(field(1, body));
    }
  }
  return snappyLiterals(Buffer.concat(series));
}

function label(name: string, value: string): Buffer {
  return field(1, Buffer.concat([field(1, Buffer.from(name)), field(2, Buffer.from(value))]));
}

function field(number: number, body: Buffer): Buffer {
  return Buffer.concat([Buffer.from([(number << 3) | 2]), varint(body.length), body]);
}

/** Unsigned LEB128 of a safe integer. */
export function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  while (rest >= 128) {
    bytes.push((rest % 128) | 128);
    rest = Math.floor(rest / 128);
  }
  bytes.push(rest);
  return Buffer.from(bytes);
}

/** The block format: length of the whole, then literals of up to 64 KiB. */
export function snappyLiterals(plain: Buffer): Buffer {
  const parts: Buffer[] = [varint(plain.length)];
  for (let from = 0; from < plain.length; from += 65_536) {
    const piece = plain.subarray(from, from + 65_536);
    const head = Buffer.from([61 << 2, 0, 0]);
    head.writeUInt16LE(piece.length - 1, 1);
    parts.push(head, piece);
  }
  return Buffer.concat(parts);
}
