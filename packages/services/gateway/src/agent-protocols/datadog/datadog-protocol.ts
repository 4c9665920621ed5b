import { DATADOG_ROUTES } from '@tidewatch/contracts/ingest/agents/datadog-routes';
import { agentEncodingOf } from '../handling/agent-encoding.ts';
import type { AgentAnswer, AgentProtocol } from '../handling/agent-protocol.ts';
import { problemLine, refusalsLine } from '../handling/problem-text.ts';
import { requireType } from '../handling/require-type.ts';
import type { PointDecoder } from '../series/point-sink.ts';
import { decodeDatadogJson } from './decode-datadog-json.ts';
import { decodeDatadogProtobuf } from './decode-datadog-protobuf.ts';
import { decodeIntake } from './decode-intake.ts';
import { decodeSketches } from './decode-sketches.ts';
import { refuseKeyInAddress } from './refuse-key-in-address.ts';

const JSON_TYPES = ['application/json', ''];
const PROTOBUF_TYPES = ['application/x-protobuf'];

/** How bodies are decoded by their path; those of others are read and dropped. */
const BODIES: Readonly<Record<string, { types: readonly string[]; decode: PointDecoder }>> = {
  '/datadog/api/v1/series': { types: JSON_TYPES, decode: decodeDatadogJson },
  '/datadog/api/v2/series': { types: PROTOBUF_TYPES, decode: decodeDatadogProtobuf },
  '/datadog/intake/': { types: JSON_TYPES, decode: decodeIntake },
  '/datadog/api/beta/sketches': { types: PROTOBUF_TYPES, decode: decodeSketches },
};

/** Datadog's agent, by both versions of series. It keeps what is answered 401, 404 or 415 and sends it for ever. */
export const DATADOG_PROTOCOL: AgentProtocol = {
  name: 'datadog',
  routes: DATADOG_ROUTES,
  zeroIsArrival: false,
  dividesLargeRequests: false,
  precheck: refuseKeyInAddress,
  formOf({ path, headers }) {
    const body = BODIES[path];
    if (body === undefined) return { encoding: 'identity', decode: dropBody };
    requireType(headers, body.types);
    return { encoding: agentEncodingOf(headers, []), decode: body.decode };
  },
  answer: ({ refusals }) =>
    refusals.points === 0 ? errorsAnswer(202, []) : errorsAnswer(400, [refusalsLine(refusals)]),
  refuse: (problem, status) => errorsAnswer(status === 415 ? 400 : status, [problemLine(problem)]),
};

/** An answer as Datadog gives it. */
export function errorsAnswer(status: number, errors: readonly string[]): AgentAnswer {
  return { status, type: 'application/json; charset=utf-8', body: JSON.stringify({ errors }) };
}

function* dropBody(): Generator<undefined, void, undefined> {
  yield;
}
