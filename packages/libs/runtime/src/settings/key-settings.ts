import { z } from 'zod';
import { setting } from './config.ts';

/** The settings of the first API key, for every program that may create it. */
export const keySettings = {
  bootstrapKey: setting({
    env: 'TIDEWATCH_BOOTSTRAP_KEY',
    schema: z.string().min(32, 'must have at least 32 characters').max(512).optional(),
    meaning: 'Becomes an admin key, in place of the one that the first start makes.',
    example: 'a text of at least 32 characters',
    secret: true,
  }),
};
