/** A varint of the low 64 bits of a number. */
export function varint(value: number | bigint): Buffer {
  const bytes: number[] = [];
  let rest = BigInt.asUintN(64, BigInt(value));
  for (; rest > 127n; rest >>= 7n) bytes.push(Number(rest & 127n) | 128);
  bytes.push(Number(rest));
  return Buffer.from(bytes);
}

/** A field of wire type 0. */
export const number = (field: number, value: number | bigint) =>
  Buffer.concat([varint(field * 8), varint(value)]);

/** A field of wire type 1 with a double. */
export function double(field: number, value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleLE(value);
  return Buffer.concat([varint(field * 8 + 1), bytes]);
}

/** A field of wire type 1 with an integer. */
export function fixed(field: number, value: number | bigint): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt.asUintN(64, BigInt(value)));
  return Buffer.concat([varint(field * 8 + 1), bytes]);
}

/** A field of wire type 2: a text, or a message or packed numbers of these parts. */
export function nested(field: number, ...parts: readonly (Buffer | string)[]): Buffer {
  const content = Buffer.concat(parts.map((part) => Buffer.from(part as string)));
  return Buffer.concat([varint(field * 8 + 2), varint(content.length), content]);
}
