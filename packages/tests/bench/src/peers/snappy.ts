/** Encodes a safe integer as unsigned LEB128. */
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

/**
 * Encodes the snappy block format as literals of up to 64 KiB, which every receiver can decode and which needs no
 * compression.
 */
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
