import { z } from 'zod';

const claimSchema = z.object({
  text: z.string().describe('One sentence.'),
  evidence_ids: z.array(z.string()).describe('Ids of the evidence that shows it; at least one.'),
});

export type Claim = z.infer<typeof claimSchema>;

/**
 * The schema of a model's answer: claims with the evidence that they cite, and one of the findings. It does not limit the
 * length or number of claims, since one claim that is too long must not invalidate the others.
 */
export function answerSchema(findingIds: readonly string[]) {
  const [first, ...others] = findingIds;
  return z.object({
    most_likely_finding_id:
      first === undefined
        ? z.null()
        : z
            .enum([first, ...others])
            .nullable()
            .describe('One of the findings.'),
    summary: z.array(claimSchema),
    root_cause: z.array(claimSchema),
    details: z.array(claimSchema),
  });
}

export type Answer = z.infer<ReturnType<typeof answerSchema>>;
