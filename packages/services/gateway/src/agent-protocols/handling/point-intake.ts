import { setImmediate as turn } from 'node:timers/promises';
import { ProblemError } from '@tidewatch/contracts/problems/problem';
import type { KeyRecord } from '@tidewatch/contracts/values/access';
import type { Admission } from '@tidewatch/runtime/http/admission';
import type { Acceptance, Accepted, Arrival, Preferences } from '../../acceptance/accept.ts';
import { allowedHosts } from '../../acceptance/allowed-hosts.ts';
import { type BodyShares, RequestBody } from '../../body/request-body.ts';
import type { DecodedBody } from '../../decoding/decoded-body.ts';
import { PointBatch } from '../series/point-batch.ts';
import type { PointDecoder } from '../series/point-sink.ts';
import type { Sender } from '../translation/sender.ts';
import type { Translation } from '../translation/translator.ts';
import type { AgentMeter } from './agent-meter.ts';
import type { AgentOutcome, AgentProtocol } from './agent-protocol.ts';
import type { Translators } from './translators.ts';

export interface PointIntakeOptions {
  acceptance: Acceptance;
  admission: Admission;
  shares: BodyShares;
  translators: Translators;
  agentMeter: AgentMeter;
}

/** A request of an agent whose key was accepted. */
export interface PointRequest {
  protocol: Pick<AgentProtocol, 'name' | 'zeroIsArrival'>;
  key: KeyRecord;
  /** The address of the client. */
  address: string | undefined;
  /** The name in X-Tidewatch-Host, which names the host of every series of the request, for senders that know none. */
  host: string | undefined;
  /** Reads the bytes as they were sent; called first, so that a request that waits for its bytes delays no other. */
  read(body: RequestBody): Promise<Buffer>;
  /** Decompresses them and says how they are decoded; `receivedAt` is in milliseconds since the epoch. */
  open(wire: Buffer, body: RequestBody, receivedAt: number): Promise<{ bytes: Buffer; decode: PointDecoder }>;
}

/** Takes the points of a request. Resolves only once every sample is durable; rejects with a problem, or an error of the decoder. */
export type PointIntake = (request: PointRequest) => Promise<AgentOutcome>;

/** For how long a body is decoded, or its new series are settled, before other requests are served, ms. */
const SLICE_MS = 5;
const LENIENT: Preferences = { lenient: true, receipt: false, warnings: false };

/** What is done with the points of other agents, however they arrive. */
export function createPointIntake(options: PointIntakeOptions): PointIntake {
  const { acceptance, admission, shares, translators, agentMeter } = options;

  async function publish(arrival: Arrival, { payloads, commit }: Translation): Promise<Accepted> {
    const accepted = await acceptance.accept(arrival, decodedBody(payloads), LENIENT);
    await accepted.durable;
    commit();
    return accepted;
  }

  return async function take(request) {
    requireOpen(admission);
    const { protocol, key } = request;
    const body = new RequestBody(shares, key.organizationId);
    let arrival: Arrival | null = null;
    let batch: PointBatch | null = null;
    try {
      const wire = await request.read(body);
      arrival = acceptance.begin(key);
      const { bytes, decode } = await request.open(wire, body, arrival.receivedAt);
      const sender = senderOf(request, arrival.receivedAt);
      const translator = translators.of(key.organizationId);
      batch = new PointBatch(translator.source(sender));
      await inSlices(decode(bytes, batch as never));
      await inSlices(translator.settle(batch, sender));
      const sent = countSent(batch);
      const accepted = await publish(arrival, translator.translate(batch, sender));
      noteSeriesLimit(batch, accepted);
      agentMeter.answered(protocol.name, batch);
      return { ...sent, refusals: batch.refusals };
    } finally {
      if (arrival !== null) acceptance.end(arrival);
      batch?.release();
      body.release();
    }
  };
}

function requireOpen(admission: Admission): void {
  const closure = admission.closure();
  if (closure === null) return;
  const headers = { 'Retry-After': String(closure.retryAfterSeconds) };
  throw new ProblemError(closure.code, { detail: closure.reason, headers });
}

function senderOf({ protocol, key, address, host }: PointRequest, receivedAt: number): Sender {
  const [only, ...others] = key.hosts ?? [];
  const isLiteral = only !== undefined && others.length === 0 && !/[*?]/.test(only);
  return {
    id: `${key.id} ${address ?? ''}`,
    host: host === undefined || host === '' ? null : requireHostName(host),
    onlyHost: isLiteral ? only : null,
    isAllowed: allowedHosts(key),
    receivedAt,
    zeroIsArrival: protocol.zeroIsArrival,
  };
}

/** Does all of some work, and lets other requests be served meanwhile. */
async function inSlices(work: Iterable<undefined>): Promise<void> {
  let began = performance.now();
  for (const _ of work) {
    if (performance.now() - began < SLICE_MS) continue;
    await turn();
    began = performance.now();
  }
}

/** Counts what was sent, also what the decoder refused or left out, before points are translated. */
function countSent(batch: PointBatch): Omit<AgentOutcome, 'refusals'> {
  const { series, histograms, refusals, omissions } = batch;
  const exemplars = omissions.get('exemplar') ?? 0;
  let omitted = -exemplars;
  for (const count of omissions.values()) omitted += count;
  return {
    points: series.length + refusals.points + omitted,
    histograms: histograms.length + refusals.histograms,
    exemplars,
  };
}

function decodedBody(payloads: DecodedBody['payloads']): DecodedBody {
  const at = payloads.map((_, index) => `/${index}`);
  return { payloads, at, rejected: 0, faults: [], faultCount: 0, refused: false, warnings: [], ignored: {} };
}

/** Counts what the limits of series and of parts left out. */
function noteSeriesLimit(batch: PointBatch, { faultCount, faults }: Accepted): void {
  if (faultCount === 0) return;
  const ofParts = faults.filter(({ code }) => code === 'parts_limit');
  if (ofParts[0] !== undefined) batch.reject('parts_limit', ofParts.length, ofParts[0].message);
  if (faultCount === ofParts.length) return;
  const names = faults
    .filter(({ code }) => code !== 'parts_limit')
    .map(({ path }) => path.slice(path.lastIndexOf('/') + 1));
  batch.reject(
    'series_limit',
    faultCount - ofParts.length,
    `new series beyond the limit of series: ${names.slice(0, 5).join(', ')}`,
  );
}

function requireHostName(host: string): string {
  if (host.length <= 255 && host.isWellFormed()) return host;
  throw new ProblemError('bad_request', { detail: 'X-Tidewatch-Host must have at most 255 characters.' });
}
