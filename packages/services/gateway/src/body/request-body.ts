import type { IncomingMessage, ServerResponse } from 'node:http';
import { BOUNDS } from '@tidewatch/contracts/ingest/sample';
import { FairShare } from '@tidewatch/runtime/sharing/fair-share';
import { exposeShare } from '@tidewatch/runtime/sharing/share-metrics';
import type { Metrics } from '@tidewatch/runtime/telemetry/metrics';
import { clientGone } from './client-gone.ts';
import type { Encoding } from './content-encoding.ts';
import { inflate } from './inflate.ts';
import { declaredLength, RequestAbortedError, readBody } from './read-body.ts';
import { RequestBytes } from './request-bytes.ts';

const MIB = 1024 * 1024;
/**
 * The memory of a process for bodies. A quarter is reserved for organizations that hold less than a mebibyte, so that slow
 * or large bodies of others leave room for theirs.
 */
const CAPACITY = { capacity: 64 * MIB, maxPerOrganization: 48 * MIB, reserve: 16 * MIB, smallShare: MIB };
const WIRE_SHARE = { ...CAPACITY, maxWaitingPerOrganization: 5_000, maxWaitMs: 10_000 };
const INFLATED_SHARE = { ...CAPACITY, maxWaitingPerOrganization: 1_000, maxWaitMs: 25_000 };

/** The memory of a process for bodies as they arrive, and for bodies as they are decoded. */
export interface BodyShares {
  wire: FairShare;
  inflated: FairShare;
}

export function createBodyShares(metrics: Metrics): BodyShares {
  const wire = new FairShare(WIRE_SHARE);
  const inflated = new FairShare(INFLATED_SHARE);
  exposeShare(metrics, 'ingest_wire_bytes', wire);
  exposeShare(metrics, 'ingest_inflated_bytes', inflated);
  return { wire, inflated };
}

/** The body of one request. Its memory counts against the shares until `release`. */
export class RequestBody {
  readonly #wire: RequestBytes;
  readonly #inflated: RequestBytes;

  constructor({ wire, inflated }: BodyShares, organizationId: string) {
    this.#wire = new RequestBytes(wire, organizationId);
    this.#inflated = new RequestBytes(inflated, organizationId);
  }

  /** Reads the bytes as they were sent, at most `maxBytes`. Rejects with a 413, a 503, or `RequestAbortedError`. */
  read(request: IncomingMessage, maxBytes: number = BOUNDS.wireBytes): Promise<Buffer> {
    return readBody(request, this.#wire, declaredLength(request, maxBytes), maxBytes);
  }

  /** Decompresses what `read` returned; without a promise if it has no encoding and there is room. */
  decompress(bytes: Buffer, encoding: Encoding, response: ServerResponse): Buffer | Promise<Buffer> {
    if (encoding === 'identity' && this.#inflated.tryAdd(bytes.length)) return bytes;
    return this.#decompressHeld(bytes, encoding, response);
  }

  /** Waits for the memory of a body that is decompressed elsewhere, which may have at most so many bytes. `gone` ends the wait. */
  async reserve(bytes: number, gone: () => AbortSignal): Promise<void> {
    if (!this.#inflated.tryAdd(bytes)) await this.#inflated.add(bytes, gone());
  }

  release(): void {
    this.#wire.release();
    this.#inflated.release();
  }

  async #decompressHeld(wire: Buffer, encoding: Encoding, response: ServerResponse): Promise<Buffer> {
    const held = this.#inflated;
    let gone: AbortSignal | null = null;
    const hold = (bytes: number) => {
      gone ??= clientGone(response);
      return held.add(bytes, gone);
    };
    const bytes = await inflate(wire, encoding, hold);
    held.shrinkTo(bytes.length);
    const more = bytes.length - held.held;
    if (!held.tryAdd(more)) await hold(more);
    if (response.closed) throw new RequestAbortedError('the client disconnected');
    return bytes;
  }
}
