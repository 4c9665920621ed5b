import { DATADOG_ROUTES } from '@tidewatch/contracts/ingest/agents/datadog-routes';
import { agentEncodingOf } from '../handling/agent-encoding.ts';
import type { AgentAnswer, AgentProtocol } from '../handling/agent-protocol.ts';
import { problemLine, refusalsLine } from '../handling/problem-text.ts';
import { requireType } from '../handling/require-type.ts';
import type { PointDecoder } from '../series/point-sink.ts';
import { decodeDatadogJson1, decodeDatadogJson2 } from './decode-datadog-json.ts';
import { decodeDatadogProtobuf } from './decode-datadog-protobuf.ts';
import { decodeIntake } from './decode-intake.ts';
import { decodeSketches } from './decode-sketches.ts';
import { refuseKeyInAddress } from './refuse-key-in-address.ts';

const JSON_TYPE = 'application/json';
const PROTOBUF = 'application/x-protobuf';

/** How bodies are decoded by their path and media type; those of other paths are read and dropped. */
const BODIES: Readonly<Record<string, Readonly<Record<string, PointDecoder>>>> = {
  '/datadog/api/v1/series': ofJson(decodeDatadogJson1),
  '/datadog/api/v2/series': { [PROTOBUF]: decodeDatadogProtobuf, [JSON_TYPE]: decodeDatadogJson2 },
  '/datadog/intake/': ofJson(decodeIntake),
  '/datadog/api/beta/sketches': { [PROTOBUF]: decodeSketches },
};

/** JSON is meant where no type is named. */
function ofJson(decode: PointDecoder): Readonly<Record<string, PointDecoder>> {
  return { [JSON_TYPE]: decode, '': decode };
}

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
    const decode = body[requireType(headers, Object.keys(body))] as PointDecoder;
    return { encoding: agentEncodingOf(headers, []), decode };
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
