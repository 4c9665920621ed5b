import { z } from 'zod';
import type { Route } from '../../document/route.ts';
import { agentHeaders, agentRoute, REFUSAL_TEXT, refusals } from './agent-route.ts';

const written = z
  .string()
  .optional()
  .meta({ description: 'How many were taken; version 2.0.', examples: ['512'] });

function remoteWrite(operationId: string, path: string): Route {
  return agentRoute({
    operationId,
    path,
    summary: "Send series by Prometheus' remote write",
    description:
      'Version 1.0 and 2.0, in snappy or zstd. Answers 204 once every sample is durable, and 400 once the valid ones are: the ' +
      'others will never be taken. What is taken later is answered 503 with Retry-After.',
    headers: agentHeaders.extend({
      'Content-Encoding': z
        .enum(['snappy', 'zstd', 'identity'])
        .optional()
        .meta({ description: 'How the body is compressed; snappy without it.' }),
    }),
    body: [{ type: 'application/x-protobuf', schema: null }],
    answers: [
      {
        status: 204,
        description: 'The samples are durable.',
        headers: z.object({
          'X-Prometheus-Remote-Write-Samples-Written': written,
          'X-Prometheus-Remote-Write-Histograms-Written': written,
          'X-Prometheus-Remote-Write-Exemplars-Written': written,
        }),
      },
      ...refusals(REFUSAL_TEXT),
    ],
  });
}

/** Prometheus' remote write, and its path in Mimir. */
export const REMOTE_WRITE_ROUTES: readonly Route[] = [
  remoteWrite('remoteWrite', '/api/v1/write'),
  remoteWrite('remoteWritePush', '/api/v1/push'),
];
