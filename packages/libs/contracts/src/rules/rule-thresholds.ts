import { z } from 'zod';
import { cursorOrOffset, pageQuery, paginationSchema } from '../queries/page.ts';
import { servicesQuerySchema } from '../services/service.ts';
import { idSchema } from '../values/id.ts';
import { ruleSchema } from './rule.ts';

const { severity, threshold, threshold_max, recovery_threshold, duration_minutes, thresholds } =
  ruleSchema.shape;

/** The terms that apply to one host: the rule's own, or those of the first override that matches it. */
export const hostTermsSchema = z
  .object({
    service_id: idSchema('svc'),
    host: z.string().meta({ examples: ['web-01'] }),
    evaluated: z.boolean().meta({
      description: 'False where scope or an override leaves the host out, or the rule is disabled.',
    }),
    overridden: z.boolean().meta({ description: 'Whether an override matches the host.' }),
    terms: z
      .object({ severity, threshold, threshold_max, recovery_threshold, duration_minutes, thresholds })
      .nullable()
      .meta({ description: 'Null where scope or an override leaves the host out.' }),
  })
  .meta({ id: 'HostTerms', description: 'The terms by which a rule evaluates a host.' });

export type HostTerms = z.infer<typeof hostTermsSchema>;

export const ruleThresholdsPageSchema = z
  .object({ thresholds: z.array(hostTermsSchema), pagination: paginationSchema })
  .meta({ id: 'RuleThresholdsPage', description: 'All living services by name.' });

/** The query of the thresholds of a rule; `tag` is parsed into names and values. */
export const ruleThresholdsQuerySchema = z
  .object({ ...pageQuery, q: servicesQuerySchema.shape.q, tag: servicesQuerySchema.shape.tag })
  .check(cursorOrOffset);
