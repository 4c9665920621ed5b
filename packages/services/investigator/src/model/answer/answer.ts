import { z } from 'zod';

const claimSchema = z.object({
  text: z.string().describe('One sentence.'),
  evidence_ids: z.array(z.string()).describe('Ids of the evidence that shows it; at least one.'),
});

export type Claim = z.infer<typeof claimSchema>;

/**
 * What a model is asked to answer with: nothing but claims, each with what it cites, and one of the findings. Lengths and
 * numbers of claims are not part of it, since one sentence too long should not cost the others.
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
