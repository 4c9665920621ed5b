import { ProblemError } from '@tidewatch/contracts/problems/problem';
import { keyOf } from '@tidewatch/runtime/auth/authentication';
import type { Admission } from '@tidewatch/runtime/http/admission';
import type { NextFunction, Request, Response } from 'express';
import type { Acceptance, Accepted, Arrival, Preferences } from './acceptance/accept.ts';
import { clientGone } from './body/client-gone.ts';
import { encodingOf } from './body/content-encoding.ts';
import { RequestAbortedError } from './body/read-body.ts';
import { type BodyShares, RequestBody } from './body/request-body.ts';
import type { DecodeThread } from './decoding/decode-thread.ts';
import type { DecodedBody } from './decoding/decoded-body.ts';
import { createDecoderChoice, type Decoder } from './decoding/decoder.ts';
import type { IngestMeter } from './ingest-meter.ts';
import type { Protocol } from './protocols/protocol.ts';

export interface IngestOptions {
  acceptance: Acceptance;
  admission: Admission;
  thread: DecodeThread;
  meter: IngestMeter;
  shares: BodyShares;
}

/** Handles an authenticated request of one protocol. */
export type IngestHandler = (request: Request, response: Response, next: NextFunction) => void;

/** Bodies larger than this are decoded in a thread, so that the event loop never waits for them. */
const THREAD_BYTES = 512 * 1024;

/** Returns a function that creates the handler of a protocol. Handlers answer success only once every payload is durable. */
export function createIngest(options: IngestOptions): (protocol: Protocol) => IngestHandler {
  const { acceptance, admission, thread, meter, shares } = options;

  /** Decodes a body; returns a promise only if the thread decodes it. */
  function decode(
    bytes: Buffer,
    decoder: Decoder,
    { key, receivedAt }: Arrival,
    lenient: boolean,
    response: Response,
  ): DecodedBody | Promise<DecodedBody> {
    if (bytes.length <= THREAD_BYTES) return decoder.decode(bytes, receivedAt);
    const { organizationId } = key;
    const job = { decoder: decoder.name, receivedAt, lenient };
    return thread.decode(bytes, job, organizationId, clientGone(response));
  }

  /** Decodes and accepts without passing payloads to the waiting caller, which would hold them until they are durable. */
  function decodeAndAccept(
    bytes: Buffer,
    decoder: Decoder,
    arrival: Arrival,
    preferences: Preferences,
    response: Response,
  ): Accepted | Promise<Accepted> {
    const decoding = decode(bytes, decoder, arrival, preferences.lenient, response);
    return decoding instanceof Promise
      ? decoding.then((decoded) => acceptance.accept(arrival, decoded, preferences))
      : acceptance.accept(arrival, decoding, preferences);
  }

  async function serve(
    protocol: Protocol,
    decoderOf: ReturnType<typeof createDecoderChoice>,
    request: Request,
    response: Response,
  ): Promise<void> {
    const closure = admission.closure();
    if (closure !== null) {
      const headers = { 'Retry-After': String(closure.retryAfterSeconds) };
      throw new ProblemError(closure.code, { detail: closure.reason, headers });
    }
    const decoder = decoderOf(request.headers);
    const encoding = encodingOf(request.headers);
    const key = keyOf(response);
    const body = new RequestBody(shares, key.organizationId);
    let arrival: Arrival | null = null;
    try {
      const wire = await body.read(request);
      const preferences = protocol.preferencesOf(request.headers);
      arrival = acceptance.begin(key);
      const decompressing = body.decompress(wire, encoding, response);
      const bytes = decompressing instanceof Promise ? await decompressing : decompressing;
      const accepting = decodeAndAccept(bytes, decoder, arrival, preferences, response);
      const accepted = accepting instanceof Promise ? await accepting : accepting;
      const { seriesWarning, durable } = accepted;
      if (seriesWarning !== undefined) response.setHeader('Tidewatch-Series', seriesWarning);
      protocol.answer(response, accepted, preferences, await durable);
    } finally {
      if (arrival !== null) acceptance.end(arrival);
      body.release();
    }
  }

  return (protocol) => {
    const decoderOf = createDecoderChoice(protocol.decoders);
    return (request, response, next) => {
      serve(protocol, decoderOf, request, response).catch((error: unknown) => {
        if (error instanceof RequestAbortedError) {
          response.destroy();
          return;
        }
        meter.refused(error instanceof ProblemError ? error.code : 'internal_error');
        next(error);
      });
    };
  };
}
