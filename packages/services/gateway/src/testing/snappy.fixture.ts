const MAX_LITERAL = 60;
const MAX_COPY = 64;

/** Compresses to one block of snappy, well enough for tests: repeated stretches of four bytes or more within 64 KiB become copies. */
export function compressSnappy(content: Buffer): Buffer {
  const parts: number[] = [];
  for (let rest = content.length; ; rest = Math.floor(rest / 128)) {
    parts.push(rest < 128 ? rest : (rest % 128) + 128);
    if (rest < 128) break;
  }
  const seen = new Map<number, number>();
  let literal = 0;
  const flush = (end: number) => {
    for (; literal < end; literal += MAX_LITERAL) {
      const length = Math.min(MAX_LITERAL, end - literal);
      parts.push((length - 1) << 2);
      for (let at = literal; at < literal + length; at += 1) parts.push(content[at] as number);
    }
    literal = end;
  };
  for (let at = 0; at + 4 <= content.length; ) {
    const word = content.readUInt32LE(at);
    const earlier = seen.get(word);
    seen.set(word, at);
    if (earlier === undefined || at - earlier > 0xffff) {
      at += 1;
      continue;
    }
    let length = 4;
    while (
      length < MAX_COPY &&
      content[earlier + length] === content[at + length] &&
      at + length < content.length
    )
      length += 1;
    flush(at);
    const offset = at - earlier;
    if (length < 12 && offset < 2_048)
      parts.push(((offset >>> 8) << 5) | ((length - 4) << 2) | 1, offset & 0xff);
    else parts.push(((length - 1) << 2) | 2, offset & 0xff, offset >>> 8);
    at += length;
    literal = at;
  }
  flush(content.length);
  return Buffer.from(parts);
}
