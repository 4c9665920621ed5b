import { randomInt } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { REMOTE_WRITE_ROUTES } from '@tidewatch/contracts/ingest/agents/remote-write-routes';
import { ProblemError } from '@tidewatch/contracts/problems/problem';
import { LRUCache } from 'lru-cache';
import { remoteWriteEncodingOf } from '../handling/agent-encoding.ts';
import type { AgentOutcome, AgentProtocol } from '../handling/agent-protocol.ts';
import { problemLine, refusalsLine, textAnswer } from '../handling/problem-text.ts';
import { SeriesHash } from '../wire/series-hash.ts';
import { remoteWrite1Decoder } from './decode-remote-write-1.ts';
import { remoteWrite2Decoder } from './decode-remote-write-2.ts';
import { MetricTypes } from './metric-types.ts';
import { SeriesOrders } from './series-orders.ts';

const MAX_SEED = 2 ** 31;
const MAX_ORGANIZATIONS = 10_000;
const TYPE = 'application/x-protobuf';
const MESSAGES: Readonly<Record<string, 1 | 2>> = {
  'prometheus.WriteRequest': 1,
  'io.prometheus.write.v2.Request': 2,
};

/** The version that Content-Type names. Throws 415 for another type or message. */
export function versionOf(headers: IncomingHttpHeaders): 1 | 2 {
  const [type = '', ...parameters] = (headers['content-type'] ?? '').split(';');
  const proto = parameters
    .map((each) => each.trim())
    .find((each) => each.toLowerCase().startsWith('proto='))
    ?.slice('proto='.length);
  const version = proto === undefined ? 1 : MESSAGES[proto.replaceAll('"', '')];
  if (type.trim().toLowerCase() === TYPE && version !== undefined) return version;
  throw new ProblemError('unsupported_media_type', {
    detail: `Send ${TYPE}, with proto=prometheus.WriteRequest or proto=io.prometheus.write.v2.Request.`,
    headers: { Accept: TYPE },
  });
}

/** Prometheus' remote write, of both versions, which remembers the order of at most `maxSeries` series. */
export function createRemoteWriteProtocol(maxSeries: number): AgentProtocol {
  const types = new LRUCache<string, MetricTypes>({ max: MAX_ORGANIZATIONS });
  const orders = new SeriesOrders(maxSeries);

  function typesOf(organizationId: string): MetricTypes {
    const known =
      types.get(organizationId) ??
      new MetricTypes(new SeriesHash([randomInt(MAX_SEED), randomInt(MAX_SEED)]));
    types.set(organizationId, known);
    return known;
  }

  return {
    name: 'remote_write',
    routes: REMOTE_WRITE_ROUTES,
    zeroIsArrival: false,
    dividesLargeRequests: false,
    formOf({ headers }, organizationId) {
      const version = versionOf(headers);
      const decode =
        version === 1
          ? remoteWrite1Decoder(typesOf(organizationId))
          : remoteWrite2Decoder(orders, organizationId);
      return { encoding: remoteWriteEncodingOf(headers), decode };
    },
    answer(outcome, { headers }) {
      const written = versionOf(headers) === 2 ? writtenHeaders(outcome) : {};
      const { points, histograms } = outcome.refusals;
      if (points + histograms === 0) return { status: 204, type: '', body: '', headers: written };
      return { ...textAnswer(400, refusalsLine(outcome.refusals)), headers: written };
    },
    refuse: (problem, status) => textAnswer(status, problemLine(problem)),
  };
}

/** What was taken, also of it what is not stored: a sender sends the difference again or counts it as lost. */
function writtenHeaders({ points, histograms, exemplars, refusals }: AgentOutcome): Record<string, string> {
  return {
    'X-Prometheus-Remote-Write-Samples-Written': String(Math.max(0, points - refusals.points)),
    'X-Prometheus-Remote-Write-Histograms-Written': String(Math.max(0, histograms - refusals.histograms)),
    'X-Prometheus-Remote-Write-Exemplars-Written': String(exemplars),
  };
}
