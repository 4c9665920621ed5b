import { z } from 'zod';

/** The severities of alerts, from the worst to the mildest. */
export const SEVERITIES = ['critical', 'warning', 'info'] as const;

export const severitySchema = z
  .enum(SEVERITIES)
  .meta({ description: 'How bad a breach is.', examples: ['warning'] });

export type Severity = z.infer<typeof severitySchema>;
