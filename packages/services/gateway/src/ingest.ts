import { type Bus, BusUnavailableError, PublicationRefusedError, type Receipt } from '@tidewatch/bus/bus';
import { TOPICS } from '@tidewatch/contracts/events/topic';
import type { IngestWarning } from '@tidewatch/contracts/ingest/ingest-warning';
import type { Payload, SampleBatch } from '@tidewatch/contracts/ingest/sample';
import { ProblemError, validationProblem } from '@tidewatch/contracts/values/problem';
import { keyOf } from '@tidewatch/runtime/auth/authentication';
import type { KeyUses } from '@tidewatch/runtime/auth/key-uses';
import type { Admission } from '@tidewatch/runtime/http/admission';
import { FairShare } from '@tidewatch/runtime/sharing/fair-share';
import { exposeShare } from '@tidewatch/runtime/sharing/share-metrics';
import type { Metrics } from '@tidewatch/runtime/telemetry/metrics';
import type { Request, Response } from 'express';
import { requireHosts } from './acceptance/allowed-hosts.ts';
import type { Receipts, ToldReceipt } from './acceptance/receipts.ts';
import { clientGone } from './body/client-gone.ts';
import { inflate } from './body/inflate.ts';
import { declaredLength, RequestAbortedError, readBody } from './body/read-body.ts';
import { RequestBytes } from './body/request-bytes.ts';
import type { DecodeThread } from './decoding/decode-thread.ts';
import type { DecodedBody } from './decoding/decoded-body.ts';
import { decodeBody } from './decoding/json/decode-body.ts';
import { warningsOf } from './decoding/warnings-of.ts';
import { countPayloads, type IngestMeter, type PayloadCounts } from './ingest-meter.ts';
import {
  type Encoding,
  encodingOf,
  formOf,
  prefersLenient,
  prefersReceipt,
  prefersWarnings,
} from './request-form.ts';
import type { SamplesLimit } from './samples-limit/samples-limit.ts';
import { countStored } from './samples-limit/stored-samples.ts';
import type { SeriesLimit } from './series-limit/series-limit.ts';
import type { StallMeter } from './stall-meter.ts';

export interface IngestOptions {
  bus: Bus<never>;
  admission: Admission;
  stalls: StallMeter;
  thread: DecodeThread;
  meter: IngestMeter;
  metrics: Metrics;
  receipts: Receipts;
  /** undefined: samples are not limited. */
  samplesLimit: SamplesLimit | undefined;
  /** undefined: series are not limited. */
  seriesLimit: SeriesLimit | undefined;
  /** Told for which hosts keys report. */
  uses: Pick<KeyUses, 'noteHosts'>;
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
const MIB = 1024 * 1024;
/**
 * Bytes of bodies as they arrive, and as they are decoded. A quarter stays free of all organizations that hold more than a
 * mebibyte: several that send slow or large bodies leave room for the small bodies of others.
 */
const BODIES = {
  ...{ capacity: 64 * MIB, maxPerOrganization: 48 * MIB },
  ...{ reserve: 16 * MIB, smallShare: MIB },
};
const WIRE_SHARE = { ...BODIES, maxWaitingPerOrganization: 5_000, maxWaitMs: 10_000 };
const INFLATED_SHARE = { ...BODIES, maxWaitingPerOrganization: 1_000, maxWaitMs: 25_000 };

/** What the answer needs of a body; its payloads may be gone by then. */
type Outcome = Pick<DecodedBody, 'faults' | 'rejected'> & { accepted: number; warnings: IngestWarning[] };

/** What `Prefer` asked for. */
interface Preferences {
  lenient: boolean;
  receipt: boolean;
  warnings: boolean;
}

/** A body that was taken: what is answered, and the answer of the bus to come. */
interface Taken {
  outcome: Outcome;
  receiptId: string | null;
  published: Promise<Receipt | null>;
}

function nothing(): void {}

function answer(
  response: Response,
  { accepted, faults, rejected, warnings: ignored }: Outcome,
  { lenient, warnings }: Preferences,
  receipt: ToldReceipt | null,
): void {
  let body = `{"status":"ok","events_accepted":${accepted}`;
  const applied = [
    lenient && 'handling=lenient',
    receipt !== null && 'return=representation',
    warnings && 'warnings',
  ];
  if (lenient || warnings || receipt !== null)
    response.setHeader('Preference-Applied', applied.filter(Boolean).join(', '));
  if (lenient) {
    const errors = faults.map(({ path, code, message }) => ({ path, code, message }));
    body += `,"events_rejected":${rejected},"errors":${JSON.stringify(errors)}`;
  }
  if (warnings) body += `,"warnings":${JSON.stringify(ignored)}`;
  if (receipt !== null) body += `,"receipt":${JSON.stringify(receipt)}`;
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
export function createIngest(options: IngestOptions): Ingest {
  const { bus, admission, stalls, thread, meter, receipts, uses, samplesLimit, seriesLimit, clock } = options;
  const wire = new FairShare(WIRE_SHARE);
  const inflated = new FairShare(INFLATED_SHARE);
  exposeShare(options.metrics, 'ingest_wire_bytes', wire);
  exposeShare(options.metrics, 'ingest_inflated_bytes', inflated);
  const unpublished = new Set<{ receivedAt: number }>();

  /** A body is waited for only where a thread decodes it. */
  function decode(
    bytes: Buffer,
    request: Request,
    response: Response,
    receivedAt: number,
    lenient: boolean,
  ): DecodedBody | Promise<DecodedBody> {
    const form = formOf(request.headers);
    if (bytes.length > THREAD_BYTES) {
      const { organizationId } = keyOf(response);
      return thread.decode(bytes, { form, receivedAt, lenient }, organizationId, clientGone(response));
    }
    return decodeBody(bytes, form, receivedAt);
  }

  /**
   * Not a function that waits: whoever waits for an acknowledgement is not to hold the payloads. `settle` is called once the
   * outcome is known.
   */
  function publish(
    response: Response,
    payloads: Payload[],
    receivedAt: number,
    counts: PayloadCounts,
    receiptId: string | null,
    settle: () => void,
  ): Promise<Receipt | null> {
    if (payloads.length === 0) {
      settle();
      return Promise.resolve(null);
    }
    const { organizationId } = keyOf(response);
    const value: SampleBatch = {
      kind: 'samples',
      organizationId,
      receivedAt,
      stalledMs: stalls.stalledMs(),
      ...(receiptId !== null && { receiptId }),
      payloads,
    };
    const wanted = { receipt: receiptId !== null };
    return bus.publish(TOPICS.samples, [{ key: organizationId, value }], wanted).then(
      (published) => {
        settle();
        meter.accepted(counts);
        return published;
      },
      (error: unknown) => {
        settle();
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
    { lenient, receipt, warnings }: Preferences,
  ): Promise<Taken> {
    const decoding = decode(bytes, request, response, receivedAt, lenient);
    const decoded = decoding instanceof Promise ? await decoding : decoding;
    meter.ignoredFields(decoded.ignored);
    if (decoded.refused || (decoded.faultCount > 0 && !lenient)) throw validationProblem(decoded.faults);
    const ignored = warnings ? warningsOf(decoded) : [];
    const key = keyOf(response);
    requireHosts(key, decoded.payloads);
    uses.noteHosts(key, decoded.payloads);
    const { organizationId } = key;
    const counts = countPayloads(decoded.payloads);
    const waiting = samplesLimit?.take(organizationId, countStored(decoded.payloads, counts.samples));
    if (waiting !== undefined) await waiting;
    const asked = seriesLimit?.admit(organizationId, decoded, counts.samples, lenient);
    const admitted = asked instanceof Promise ? await asked : asked;
    const { payloads, faults, rejected } = admitted?.body ?? decoded;
    const kept = admitted === undefined || admitted.body === decoded ? counts : countPayloads(payloads);
    const receiptId = receipt ? receipts.begin(organizationId) : null;
    const settle = admitted?.settle ?? nothing;
    const published = publish(response, payloads, receivedAt, kept, receiptId, settle);
    const warning = seriesLimit?.warning(organizationId);
    if (warning !== undefined) response.setHeader('Tidewatch-Series', warning);
    return {
      outcome: { faults, rejected, accepted: payloads.length, warnings: ignored },
      receiptId,
      published,
    };
  }

  function keep(response: Response, id: string, places: Receipt | null): Promise<ToldReceipt | null> {
    const { id: keyId, organizationId } = keyOf(response);
    return receipts.finish({ id, organizationId, keyId, acceptedAt: clock() }, places);
  }

  /** The body without its encoding, held in `held`. Rejects once the client has gone. */
  async function bytesOf(
    body: Buffer,
    encoding: Encoding,
    response: Response,
    held: RequestBytes,
  ): Promise<Buffer> {
    let gone: AbortSignal | null = null;
    const hold = (bytes: number) => {
      gone ??= clientGone(response);
      return held.add(bytes, gone);
    };
    const bytes = await inflate(body, encoding, hold);
    held.shrinkTo(bytes.length);
    const more = bytes.length - held.held;
    if (!held.tryAdd(more)) await hold(more);
    if (response.closed) throw new RequestAbortedError('the client has gone');
    return bytes;
  }

  async function accept(
    request: Request,
    response: Response,
    body: Buffer,
    encoding: Encoding,
    held: RequestBytes,
  ): Promise<void> {
    const { headers } = request;
    const wanted = {
      lenient: prefersLenient(headers),
      receipt: prefersReceipt(headers),
      warnings: prefersWarnings(headers),
    };
    const arrival = { receivedAt: clock() };
    unpublished.add(arrival);
    try {
      const isReady = encoding === 'identity' && held.tryAdd(body.length);
      const bytes = isReady ? body : await bytesOf(body, encoding, response, held);
      const { outcome, receiptId, published } = await take(
        request,
        response,
        bytes,
        arrival.receivedAt,
        wanted,
      );
      const places = await published;
      unpublished.delete(arrival);
      meter.rejectedPayloads(outcome.rejected);
      const receipt = receiptId === null ? null : await keep(response, receiptId, places);
      answer(response, outcome, wanted, receipt);
    } finally {
      unpublished.delete(arrival);
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
    const { organizationId } = keyOf(response);
    const arrived = new RequestBytes(wire, organizationId);
    const held = new RequestBytes(inflated, organizationId);
    try {
      const body = await readBody(request, arrived, declaredLength(request));
      await accept(request, response, body, encoding, held);
    } finally {
      arrived.release();
      held.release();
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
