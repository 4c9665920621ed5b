import { z } from 'zod';
import { textSchema } from '../../values/text.ts';
import { type ChannelKindFacts, NO_EXPOSURE } from './channel-kind.ts';
import { shaped } from './fields.ts';

const MAX_ADDRESSES = 50;
/** The characters before the @ of an email address, and those of the names after it, without dots. */
const LOCAL = "[\\w!#$%&'*+/=?^`{|}~-]";
const NAME = '[A-Za-z0-9]';
/** Matches an email address that contains no two adjacent dots. */
const EMAIL_PATTERN = `^(?:(?:\\.?${LOCAL})+\\.?|\\.)@${NAME}(?:(?:\\.?[A-Za-z0-9-])*\\.?${NAME})?$`;

export interface EmailConfig {
  to: string[];
}

const input = z
  .strictObject({
    to: z
      .array(shaped(textSchema(3, 254), EMAIL_PATTERN, 'Must be an email address.'))
      .min(1)
      .max(MAX_ADDRESSES)
      .meta({ examples: [['oncall@example.com']] }),
  })
  .meta({ id: 'EmailConfigInput', description: 'Who gets it.' });

const answer = z
  .object({ to: z.array(z.string()).meta({ examples: [['oncall@example.com']] }) })
  .meta({ id: 'EmailConfig', description: 'Who gets it.' });

export const email = {
  input,
  answer,
  mask: (config) => ({ ...config }),
  exposure: () => NO_EXPOSURE,
  pace: { perSecond: 1, burst: 10 },
  shorthand: { field: 'to', isList: true },
} satisfies ChannelKindFacts<EmailConfig>;
