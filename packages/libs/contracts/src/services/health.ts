import { z } from 'zod';

export const livenessSchema = z
  .object({ status: z.literal('ok') })
  .meta({ id: 'Liveness', description: 'The process lives.', examples: [{ status: 'ok' }] });

/** The response of /readyz, which also has topology, storage backend and versions. */
export const readinessSchema = z
  .looseObject({
    status: z.enum(['ready', 'degraded', 'unavailable']).meta({
      description: '`degraded` serves everything, but something is away; `unavailable` does not.',
    }),
    reasons: z.array(z.string()).meta({ description: 'What is missing.', examples: [[]] }),
  })
  .meta({
    id: 'Readiness',
    description: 'Whether the process can do its work, and what answers here.',
    examples: [{ status: 'ready', reasons: [], topology: 'embedded', edition: 'plain' }],
  });
