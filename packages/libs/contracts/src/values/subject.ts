import { z } from 'zod';

/** What is evaluated or charted: the host itself, one of its containers, or its processes of one name. */
export const subjectSchema = z
  .object({
    kind: z.enum(['host', 'container', 'process']),
    name: z.string().meta({ examples: ['web-01'] }),
  })
  .meta({
    id: 'Subject',
    description: 'The host itself, one of its containers, or its processes of one name.',
  });

export type Subject = z.infer<typeof subjectSchema>;
