import { z } from 'zod';

export const SUBJECT_KINDS = ['host', 'container', 'process', 'part'] as const;

/** What is evaluated or charted: the host itself, one of its containers or parts, or its processes of one name. */
export const subjectSchema = z
  .object({
    kind: z.enum(SUBJECT_KINDS),
    name: z.string().meta({
      description: 'Name; of a part its kind, a colon and its own name, such as `filesystem:/var`.',
      examples: ['web-01'],
    }),
  })
  .meta({
    id: 'Subject',
    description: 'The host itself, one of its containers or parts, or its processes of one name.',
  });

export type Subject = z.infer<typeof subjectSchema>;
