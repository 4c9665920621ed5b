import { type Bus, BusUnavailableError, PublicationRefusedError } from '@tidewatch/bus/bus';
import { TOPICS } from '@tidewatch/contracts/events/topic';
import { BOUNDS, type Payload, type SampleBatch } from '@tidewatch/contracts/ingest/sample';
import { ProblemError, validationProblem } from '@tidewatch/contracts/values/problem';
import type { Admission } from '@tidewatch/runtime/admission';
import { keyOf } from '@tidewatch/runtime/authentication';
import type { Request, Response } from 'express';
import { createByteBudget } from './byte-budget.ts';
import { type DecodedBody, decodeBody } from './decode-body.ts';
import type { DecodeThread } from './decode-thread.ts';
import { inflate, inflatesBeside } from './inflate.ts';
import { countPayloads, type IngestMeter } from './ingest-meter.ts';
import { declaredLength, RequestAbortedError, readBody } from './read-body.ts';
import { type Encoding, encodingOf, formOf, prefersLenient } from './request-form.ts';
import type { StallMeter } from './stall-meter.ts';

export interface IngestOptions {
  bus: Bus<never>;
  admission: Admission;
  stalls: StallMeter;
  thread: DecodeThread;
  meter: IngestMeter;
  /** Milliseconds since the epoch. */
  clock: () => number;
}

export interface Ingest {
  handle(request: Request, response: Response, next: (error: unknown) => void): void;
  /** Receipt of the oldest request that is not published yet, ms. */
  oldestUnpublished(): number | undefined;
}

/** Larger bodies are decoded in a thread, so that the event loop never waits for one of them. */
const THREAD_BYTES = 512 * 1024;
const WIRE_BUDGET = { capacity: 64 * 1024 * 1024, maxWaiting: 5_000, maxWaitMs: 10_000 };
const INFLATED_BUDGET = { capacity: 64 * 1024 * 1024, maxWaiting: 1_000, maxWaitMs: 25_000 };

/** What the answer needs of a body; its payloads may be gone by then. */
type Outcome = Pick<DecodedBody, 'faults' | 'rejected'> & { accepted: number };

function answer(response: Response, { accepted, faults, rejected }: Outcome, lenient: boolean): void {
  let body = `{"status":"ok","events_accepted":${accepted}`;
  if (lenient) {
    response.setHeader('Preference-Applied', 'handling=lenient');
    const errors = faults.map(({ path, code, message }) => ({ path, code, message }));
    body += `,"events_rejected":${rejected},"errors":${JSON.stringify(errors)}`;
  }
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  response.end(`${body}}`);
}

/** Poison is refused for good: it would fail as often as it is sent, and hold up what waits behind it at its sender. */
function problemOf(error: unknown): unknown {
  if (error instanceof PublicationRefusedError) {
    const detail = 'The payloads are valid but cannot be stored. Sending them again will not help.';
    return new ProblemError('unsupported', { detail, cause: error });
  }
  if (!(error instanceof BusUnavailableError)) return error;
  const retryAfter = String(Math.max(1, Math.ceil(error.retryAfterSeconds)));
  return new ProblemError('ingest_unavailable', { headers: { 'Retry-After': retryAfter }, cause: error });
}

/** POST /api/v1/ingest behind the key: 200 only once every payload is durable. */
export function createIngest({ bus, admission, stalls, thread, meter, clock }: IngestOptions): Ingest {
  const wire = createByteBudget(WIRE_BUDGET);
  const inflated = createByteBudget(INFLATED_BUDGET);
  const unpublished = new Set<{ receivedAt: number }>();

  async function decode(
    bytes: Buffer,
    request: Request,
    receivedAt: number,
    lenient: boolean,
  ): Promise<DecodedBody> {
    const form = formOf(request.headers);
    if (bytes.length > THREAD_BYTES) return thread.decode(bytes, form, receivedAt, lenient);
    return decodeBody(bytes, form, receivedAt);
  }

  /** Not a function that waits: whoever waits for an acknowledgement is not to hold the payloads. */
  function publish(response: Response, payloads: Payload[], receivedAt: number): Promise<void> {
    if (payloads.length === 0) return Promise.resolve();
    const { organizationId } = keyOf(response);
    const value: SampleBatch = {
      kind: 'samples',
      organizationId,
      receivedAt,
      stalledMs: stalls.stalledMs(),
      payloads,
    };
    const counts = countPayloads(payloads);
    return bus.publish(TOPICS.samples, [{ key: organizationId, value }]).then(
      () => meter.accepted(counts),
      (error: unknown) => {
        throw problemOf(error);
      },
    );
  }

  /** Decodes a body and begins to publish it. */
  async function take(
    request: Request,
    response: Response,
    bytes: Buffer,
    receivedAt: number,
    lenient: boolean,
  ): Promise<{ outcome: Outcome; published: Promise<void> }> {
    const { payloads, faults, rejected, faultCount, refused } = await decode(
      bytes,
      request,
      receivedAt,
      lenient,
    );
    if (refused || (faultCount > 0 && !lenient)) throw validationProblem(faults);
    const published = publish(response, payloads, receivedAt);
    return { outcome: { faults, rejected, accepted: payloads.length }, published };
  }

  async function accept(
    request: Request,
    response: Response,
    body: Buffer,
    encoding: Encoding,
  ): Promise<void> {
    const lenient = prefersLenient(request.headers);
    const receipt = { receivedAt: clock() };
    unpublished.add(receipt);
    try {
      const bytes = encoding === 'identity' ? body : await inflate(body, encoding);
      const { outcome, published } = await take(request, response, bytes, receipt.receivedAt, lenient);
      await published;
      meter.rejectedPayloads(outcome.rejected);
      answer(response, outcome, lenient);
    } finally {
      unpublished.delete(receipt);
    }
  }

  async function serve(request: Request, response: Response): Promise<void> {
    const closure = admission.closure();
    if (closure !== null) {
      const headers = { 'Retry-After': String(closure.retryAfterSeconds) };
      throw new ProblemError(closure.code, { detail: closure.reason, headers });
    }
    formOf(request.headers);
    const encoding = encodingOf(request.headers);
    const reserved = declaredLength(request) ?? BOUNDS.wireBytes;
    if (!wire.tryTake(reserved)) await wire.take(reserved);
    try {
      const body = await readBody(request);
      const large = encoding !== 'identity' && inflatesBeside(body) ? BOUNDS.inflatedBytes : body.length;
      if (!inflated.tryTake(large)) await inflated.take(large);
      try {
        await accept(request, response, body, encoding);
      } finally {
        inflated.give(large);
      }
    } finally {
      wire.give(reserved);
    }
  }

  return {
    oldestUnpublished: () => unpublished.values().next().value?.receivedAt,
    handle(request, response, next) {
      serve(request, response).catch((error: unknown) => {
        if (error instanceof RequestAbortedError) {
          response.destroy();
          return;
        }
        meter.refused(error instanceof ProblemError ? error.code : 'internal_error');
        next(error);
      });
    },
  };
}
