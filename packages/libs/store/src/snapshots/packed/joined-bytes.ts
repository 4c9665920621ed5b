/** Buffers as one parameter of a statement, of which `substring(data from start for size)` returns each. */
export interface JoinedBytes {
  data: Buffer;
  /** Counted from 1. */
  starts: number[];
  sizes: number[];
}

export function joinBytes(buffers: readonly Buffer[]): JoinedBytes {
  let start = 1;
  const starts = buffers.map(({ length }) => {
    const own = start;
    start += length;
    return own;
  });
  return { data: Buffer.concat(buffers), starts, sizes: buffers.map(({ length }) => length) };
}

/** Divides items into portions of at most `max` bytes, each with at least one item. */
export function inPortions<Item extends { data: Buffer }>(items: readonly Item[], max: number): Item[][] {
  const portions: Item[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const item of items) {
    if (bytes + item.data.length > max) {
      portions.push([]);
      bytes = 0;
    }
    portions.at(-1)?.push(item);
    bytes += item.data.length;
  }
  return portions;
}
