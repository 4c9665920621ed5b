/** A buffer of payloads to be sent, oldest first, limited in number and bytes. */
export interface PayloadBuffer {
  /** Whether payloads that wait survive the process. */
  readonly isKept: boolean;
  readonly length: number;
  readonly bytes: number;
  /** How many payloads could not be read again and were left out. */
  readonly unreadable: number;
  /** Appends a payload, and drops the oldest beyond the limits. Returns how many were dropped. */
  push(body: string): number;
  /** The oldest payloads, at most `count` with at most `bytes` of text in total, but at least one if any waits that can be read. */
  peek(count: number, bytes: number): string[];
  /** Removes the oldest `count` payloads. */
  shift(count: number): void;
}

export interface BufferBounds {
  payloads: number;
  bytes: number;
}

/** Creates a buffer in memory. */
export function createPayloadBuffer(bounds: BufferBounds): PayloadBuffer {
  let entries: { body: string; bytes: number; textBytes: number }[] = [];
  let total = 0;

  function shift(count: number): void {
    for (const entry of entries.slice(0, count)) total -= entry.bytes;
    entries = entries.slice(count);
  }

  return {
    isKept: false,
    unreadable: 0,
    get length() {
      return entries.length;
    },
    get bytes() {
      return total;
    },
    push(body) {
      const bytes = Buffer.byteLength(body);
      entries.push({ body, bytes, textBytes: bytes });
      total += bytes;
      const dropped = surplusOf(entries, total, bounds);
      if (dropped > 0) shift(dropped);
      return dropped;
    },
    peek: (count, bytes) => chooseBatch(entries, count, bytes).map(({ body }) => body),
    shift,
  };
}

/** How many of the oldest entries are beyond the limits; `total` is the size of all. */
export function surplusOf(
  entries: readonly { bytes: number }[],
  total: number,
  bounds: BufferBounds,
): number {
  let surplus = 0;
  let kept = total;
  for (const { bytes } of entries) {
    if (entries.length - surplus <= bounds.payloads && kept <= bounds.bytes) break;
    kept -= bytes;
    surplus += 1;
  }
  return surplus;
}

/** The oldest entries, at most `count` with at most `bytes` of text in total, but at least one if there is any. */
export function chooseBatch<E extends { textBytes: number }>(
  entries: readonly E[],
  count: number,
  bytes: number,
): E[] {
  const chosen: E[] = [];
  let sum = 0;
  for (const entry of entries) {
    if (chosen.length >= count || (chosen.length > 0 && sum + entry.textBytes > bytes)) break;
    chosen.push(entry);
    sum += entry.textBytes;
  }
  return chosen;
}
