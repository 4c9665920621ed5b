/** Every cut of the bytes, and each byte with every one of its bits flipped, with all of them, and set to 0 and 255. */
export function* damaged(bytes: Buffer): Generator<{ what: string; bytes: Buffer }> {
  for (let length = 0; length < bytes.length; length += 1)
    yield { what: `cut to ${length} of ${bytes.length} bytes`, bytes: bytes.subarray(0, length) };
  yield { what: 'one byte more', bytes: Buffer.concat([bytes, Buffer.of(0)]) };
  for (let at = 0; at < bytes.length; at += 1) {
    const before = bytes[at] as number;
    const others = new Set([1, 2, 4, 8, 16, 32, 64, 128, 255].map((bits) => before ^ bits));
    for (const other of others.add(0).add(255)) {
      if (other === before) continue;
      const changed = Buffer.from(bytes);
      changed[at] = other;
      yield { what: `byte ${at} is ${other} for ${before}`, bytes: changed };
    }
  }
}

/** The kinds of damage for which `read` does not throw an error of the given class, with what it did. */
export function unnoticed(bytes: Buffer, read: (bytes: Buffer) => unknown, error: new () => Error): string[] {
  const found: string[] = [];
  for (const { what, bytes: changed } of damaged(bytes)) {
    try {
      read(changed);
      found.push(`${what}: read`);
    } catch (cause) {
      if (!(cause instanceof error)) found.push(`${what}: ${cause}`);
    }
  }
  return found;
}
