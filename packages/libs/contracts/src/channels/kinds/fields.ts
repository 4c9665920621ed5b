import { z } from 'zod';
import { textSchema } from '../../values/text.ts';

const TOKEN_PATTERN = '^[!-~]+$';

/** A text that satisfies a predicate; `message` says what it must be. */
export function formed(
  schema: ReturnType<typeof textSchema>,
  holds: (text: string) => boolean,
  message: string,
) {
  return schema.refine(holds, { message, params: { code: 'invalid_format' }, abort: true });
}

/** A text that has to match a pattern; the API document states the pattern. */
export function shaped(schema: ReturnType<typeof textSchema>, pattern: string, message: string) {
  const form = new RegExp(pattern);
  return formed(schema, (text) => form.test(text), message).meta({ pattern });
}

/** An http or https address without login or fragment, in visible ASCII: a masked one is none. */
export const addressSchema = formed(
  textSchema(1, 2_000),
  isAddress,
  'Must be an http or https address without a login.',
).meta({
  format: 'uri',
  examples: ['https://example.com/hooks/tidewatch'],
});

export const apiSchema = (byDefault: string) =>
  addressSchema
    .transform((url) => url.replace(/\/+$/, ''))
    .default(byDefault)
    .meta({ examples: [byDefault] });

export const tokenSchema = (description: string, example: string) =>
  shaped(textSchema(8, 512), TOKEN_PATTERN, 'Must be visible ASCII without blanks.').meta({
    description,
    examples: [example],
  });

/** A secret field of an answer. */
export const masked = (description: string, example: string) =>
  z.string().meta({ description: `${description} Masked.`, examples: [example] });

function isAddress(text: string): boolean {
  if (!/^https?:\/\/[!-~]+$/i.test(text) || !URL.canParse(text)) return false;
  const { username, password, hash } = new URL(text);
  return username === '' && password === '' && hash === '';
}
