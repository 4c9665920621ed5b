import { z } from 'zod';
import { idSchema } from './id.ts';

/** The API key that performed an action, with the name that the key had at that time. */
export const actorSchema = z
  .object({
    key_id: idSchema('key'),
    name: z.string().meta({ examples: ['console'] }),
    session_id: idSchema('ses')
      .optional()
      .meta({ description: 'The session that acted for the key; absent where the key itself was sent.' }),
  })
  .meta({ id: 'Actor', description: 'The key that did something.' });

export type Actor = z.infer<typeof actorSchema>;
