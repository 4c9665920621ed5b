import type { PartShape } from '@tidewatch/contracts/ingest/part-shape';

/** `parts` of a host's last payload that was read: what it names, and its bytes. */
export interface KnownParts {
  readonly shape: PartShape;
  /** The bytes of the list without its numbers. */
  readonly bytes: DataView;
  /** Where in these bytes each number stood. */
  readonly cuts: readonly number[];
}

const MAX_BYTES = 96 * 1_024 * 1_024;
/** What is remembered is dropped after this many lists that found no room, since other hosts report by then. */
const FORGET_AFTER = 50_000;
/** What a position of a number takes in memory. */
const CUT_BYTES = 8;

/** Remembers the last `parts` of each host, within a limit of memory. */
export class KnownPartsOfHosts {
  readonly #maxBytes: number;
  readonly #forgetAfter: number;
  readonly #byHost = new Map<string, KnownParts>();
  #bytes = 0;
  #withoutRoom = 0;

  constructor(maxBytes = MAX_BYTES, forgetAfter = FORGET_AFTER) {
    this.#maxBytes = maxBytes;
    this.#forgetAfter = forgetAfter;
  }

  get(host: string): KnownParts | undefined {
    return this.#byHost.get(host);
  }

  /** Replaces what is remembered of a host. Without room for it, what hosts sent before stays. */
  set(host: string, parts: KnownParts): void {
    const last = this.#byHost.get(host);
    if (last !== undefined) this.#bytes -= sizeOf(last);
    const size = sizeOf(parts);
    if (this.#bytes + size > this.#maxBytes) {
      this.#byHost.delete(host);
      this.#withoutRoom += 1;
      if (this.#withoutRoom < this.#forgetAfter) return;
      this.#byHost.clear();
      this.#bytes = 0;
      this.#withoutRoom = 0;
      if (size > this.#maxBytes) return;
    }
    this.#bytes += size;
    this.#byHost.set(host, parts);
  }
}

function sizeOf({ bytes, cuts }: KnownParts): number {
  return bytes.byteLength + cuts.length * CUT_BYTES;
}
