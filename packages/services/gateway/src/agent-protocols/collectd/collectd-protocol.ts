import { COLLECTD_ROUTES } from '@tidewatch/contracts/ingest/agents/collectd-routes';
import { encodingOf } from '../../body/content-encoding.ts';
import type { AgentProtocol } from '../handling/agent-protocol.ts';
import { problemLine, refusalsLine, textAnswer } from '../handling/problem-text.ts';
import { requireType } from '../handling/require-type.ts';
import { decodeCollectd } from './decode-collectd.ts';

/** The plugin `write_http` of collectd, in the format JSON. */
export const COLLECTD_PROTOCOL: AgentProtocol = {
  name: 'collectd',
  routes: COLLECTD_ROUTES,
  zeroIsArrival: true,
  dividesLargeRequests: false,
  formOf({ headers }) {
    requireType(headers, ['application/json']);
    return { encoding: encodingOf(headers), decode: decodeCollectd };
  },
  answer: ({ refusals }) =>
    refusals.points === 0 ? { status: 204, type: '', body: '' } : textAnswer(400, refusalsLine(refusals)),
  refuse: (problem, status) => textAnswer(status, problemLine(problem)),
};
