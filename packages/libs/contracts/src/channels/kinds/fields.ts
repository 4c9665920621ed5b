import { z } from 'zod';
import { textSchema } from '../../values/text.ts';

const TOKEN_PATTERN = '^[!-~]+$';

/** Schema of a text for which a predicate is true; `message` says what the text must be. */
export function formed(
  schema: ReturnType<typeof textSchema>,
  holds: (text: string) => boolean,
  message: string,
) {
  return schema.refine(holds, { message, params: { code: 'invalid_format' }, abort: true });
}

/** Schema of a text that must match a pattern, which the API document contains. */
export function shaped(schema: ReturnType<typeof textSchema>, pattern: string, message: string) {
  const form = new RegExp(pattern);
  return formed(schema, (text) => form.test(text), message).meta({ pattern });
}

/** Schema of an http or https address without login and fragment, in visible ASCII, so that a masked address is refused. */
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

/** Schema of a masked secret in a response. */
export const masked = (description: string, example: string) =>
  z.string().meta({ description: `${description} Masked.`, examples: [example] });

function isAddress(text: string): boolean {
  if (!/^https?:\/\/[!-~]+$/i.test(text) || !URL.canParse(text)) return false;
  const { username, password, hash } = new URL(text);
  return username === '' && password === '' && hash === '';
}
