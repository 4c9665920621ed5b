import { INFLUX_WRITE_ROUTES } from '@tidewatch/contracts/ingest/agents/influx-routes';
import { ProblemError } from '@tidewatch/contracts/problems/problem';
import type { Request } from 'express';
import { encodingOf } from '../../body/content-encoding.ts';
import type { AgentAnswer, AgentProtocol } from '../handling/agent-protocol.ts';
import { problemLine, refusalsLine } from '../handling/problem-text.ts';
import { lineProtocolDecoder } from './decode-line-protocol.ts';
import { type LinePrecision, PRECISIONS } from './line-time.ts';

const VERSION_1 = '/write';
/** What version 2 calls an error by its status. */
const CODES: Readonly<Record<number, string>> = {
  401: 'unauthorized',
  403: 'forbidden',
  413: 'request too large',
  503: 'unavailable',
};

/** Line protocol by the endpoints of InfluxDB 1 and 2. */
export const INFLUX_PROTOCOL: AgentProtocol = {
  name: 'influx',
  routes: INFLUX_WRITE_ROUTES,
  // The decoder gives lines without a time that of their arrival.
  zeroIsArrival: false,
  dividesLargeRequests: true,
  formOf: (request, _organizationId, receivedAt) => ({
    encoding: encodingOf(request.headers),
    decode: lineProtocolDecoder(precisionOf(request), receivedAt),
  }),
  answer({ refusals }, request) {
    const refused = refusals.points + refusals.histograms;
    if (refused === 0) return { status: 204, type: '', body: '' };
    return jsonAnswer(request, 400, `partial write: ${refusalsLine(refusals)} dropped=${refused}`);
  },
  refuse: (problem, status, request) => jsonAnswer(request, status, problemLine(problem)),
};

function precisionOf({ path, query }: Request): LinePrecision {
  const allowed = PRECISIONS[path === VERSION_1 ? 1 : 2];
  const given = query.precision ?? 'ns';
  const precision = allowed.find((each) => each === given);
  if (precision !== undefined) return precision;
  throw new ProblemError('bad_request', { detail: `precision must be one of ${allowed.join(', ')}.` });
}

/** Version 1 says errors in `error`, version 2 in `code` and `message`. */
function jsonAnswer({ path }: Request, status: number, message: string): AgentAnswer {
  const body = path === VERSION_1 ? { error: message } : { code: CODES[status] ?? 'invalid', message };
  return { status, type: 'application/json; charset=utf-8', body: JSON.stringify(body) };
}
