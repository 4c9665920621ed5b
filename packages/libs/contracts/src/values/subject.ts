import { z } from 'zod';

/** The subject that is evaluated or charted: itself, one of its containers, or its processes of one name. */
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
