import { z } from 'zod';
import { idSchema } from './id.ts';

/** Who did something: the key, and its name at that time. */
export const actorSchema = z
  .object({ key_id: idSchema('key'), name: z.string().meta({ examples: ['console'] }) })
  .meta({ id: 'Actor', description: 'The key that did something.' });

export type Actor = z.infer<typeof actorSchema>;
