import { z } from 'zod';
import type { Content, Route } from '../../document/route.ts';
import { agentRoute, refusals } from './agent-route.ts';

const PROTOBUF: Content = { type: 'application/x-protobuf', schema: null };

const requestSchema = z
  .looseObject({ resourceMetrics: z.array(z.looseObject({})).optional() })
  .meta({ description: 'ExportMetricsServiceRequest of OTLP.', examples: [{ resourceMetrics: [] }] });

const answerSchema = z
  .looseObject({
    partialSuccess: z
      .object({ rejectedDataPoints: z.string(), errorMessage: z.string() })
      .optional()
      .meta({ examples: [{ rejectedDataPoints: '3', errorMessage: 'cpu names no host' }] }),
  })
  .meta({ description: 'ExportMetricsServiceResponse of OTLP.', examples: [{}] });

const statusSchema = z
  .object({ code: z.int(), message: z.string() })
  .meta({ description: 'google.rpc.Status.', examples: [{ code: 3, message: 'bad_request: …' }] });

const ofJson = (schema: z.ZodType): Content => ({ type: 'application/json', schema });

function otlpMetrics(operationId: string, path: string): Route {
  return agentRoute({
    operationId,
    path,
    summary: 'Send metrics by OTLP over HTTP',
    description:
      'Protobuf or JSON; the answer has the type of the request. Answers 200 once every point is durable, with `partial_success` where ' +
      'some were refused for ever. There are no traces and no logs here: their paths are a 404.',
    body: [PROTOBUF, ofJson(requestSchema)],
    answers: [
      {
        status: 200,
        description: 'The points are durable but for those that `partial_success` counts.',
        content: [PROTOBUF, ofJson(answerSchema)],
      },
      ...refusals(PROTOBUF, ofJson(statusSchema)),
    ],
  });
}

/** OTLP, and its paths in Prometheus and Mimir. */
export const OTLP_ROUTES: readonly Route[] = [
  otlpMetrics('otlpMetrics', '/v1/metrics'),
  otlpMetrics('otlpMetricsOfPrometheus', '/api/v1/otlp/v1/metrics'),
  otlpMetrics('otlpMetricsOfMimir', '/otlp/v1/metrics'),
];
