import { OTLP_ROUTES } from '@tidewatch/contracts/ingest/agents/otlp-routes';
import type { Request } from 'express';
import { agentEncodingOf } from '../handling/agent-encoding.ts';
import type { AgentProtocol } from '../handling/agent-protocol.ts';
import { problemLine, refusalsLine } from '../handling/problem-text.ts';
import { requireType } from '../handling/require-type.ts';
import { decodeOtlpJson } from './decode-otlp-json.ts';
import { decodeOtlpProtobuf } from './decode-otlp-protobuf.ts';
import { JSON_ANSWERS, type OtlpAnswers, PROTOBUF_ANSWERS, rejectedPoints } from './otlp-answers.ts';

/** Codes of gRPC by the status that says the same. */
const CODES: Readonly<Record<number, number>> = { 401: 16, 403: 7, 503: 14 };
const INVALID_ARGUMENT = 3;

/** Metrics by OTLP over HTTP. */
export const OTLP_PROTOCOL: AgentProtocol = {
  name: 'otlp',
  routes: OTLP_ROUTES,
  zeroIsArrival: true,
  dividesLargeRequests: true,
  formOf({ headers }) {
    const type = requireType(headers, [PROTOBUF_ANSWERS.type, JSON_ANSWERS.type]);
    const decode = type === JSON_ANSWERS.type ? decodeOtlpJson : decodeOtlpProtobuf;
    return { encoding: agentEncodingOf(headers, ['snappy']), decode };
  },
  answer({ refusals }, request) {
    const answers = answersTo(request);
    const rejected = rejectedPoints(refusals);
    const body = answers.exported(rejected, rejected === 0 ? '' : refusalsLine(refusals));
    return { status: 200, type: answers.type, body };
  },
  refuse(problem, status, request) {
    const answers = answersTo(request);
    const body = answers.status(CODES[status] ?? INVALID_ARGUMENT, problemLine(problem));
    return { status, type: answers.type, body };
  },
};

/** An answer has the type of its request, whatever that accepts. */
function answersTo({ headers }: Request): OtlpAnswers {
  const isJson = /^application\/json\b/i.test(headers['content-type'] ?? '');
  return isJson ? JSON_ANSWERS : PROTOBUF_ANSWERS;
}
