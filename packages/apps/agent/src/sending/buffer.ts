/** A buffer of payloads to be sent, oldest first, limited in number and bytes. */
export interface PayloadBuffer {
  readonly length: number;
  readonly bytes: number;
  /** Appends a payload, and drops the oldest beyond the limits. Returns how many were dropped. */
  push(body: string): number;
  /** The oldest payloads, at most `count` with at most `bytes` in total, but at least one if any waits. */
  peek(count: number, bytes: number): string[];
  /** Removes the oldest `count` payloads. */
  shift(count: number): void;
}

export function createPayloadBuffer(bounds: { payloads: number; bytes: number }): PayloadBuffer {
  let entries: { body: string; bytes: number }[] = [];
  let total = 0;

  function shift(count: number): void {
    for (const entry of entries.slice(0, count)) total -= entry.bytes;
    entries = entries.slice(count);
  }

  return {
    get length() {
      return entries.length;
    },
    get bytes() {
      return total;
    },
    push(body) {
      const bytes = Buffer.byteLength(body);
      entries.push({ body, bytes });
      total += bytes;
      let dropped = 0;
      let kept = total;
      while (
        dropped < entries.length &&
        (entries.length - dropped > bounds.payloads || kept > bounds.bytes)
      ) {
        kept -= (entries[dropped] as { bytes: number }).bytes;
        dropped += 1;
      }
      if (dropped > 0) shift(dropped);
      return dropped;
    },
    peek(count, bytes) {
      const chosen: string[] = [];
      let sum = 0;
      for (const entry of entries) {
        if (chosen.length >= count || (chosen.length > 0 && sum + entry.bytes > bytes)) break;
        chosen.push(entry.body);
        sum += entry.bytes;
      }
      return chosen;
    },
    shift,
  };
}
