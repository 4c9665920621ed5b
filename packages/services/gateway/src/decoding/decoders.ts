import type { IncomingHttpHeaders } from 'node:http';
import { ProblemError } from '@tidewatch/contracts/problems/problem';
import type { DecodedBody } from './decoded-body.ts';
import { decodeBody } from './json/decode-body.ts';

/** Decodes bodies of one format into payloads. */
export interface Decoder {
  /** The media types of the format; errors name the first one. */
  contentTypes: readonly [string, ...string[]];
  /** `bytes` have no content encoding. `receivedAt` (ms) is the time of payloads that name none. */
  decode(bytes: Buffer, receivedAt: number): DecodedBody;
}

/** Every decoder, by the name under which the decoding thread looks it up. */
const DECODERS_BY_NAME = {
  json: {
    contentTypes: ['application/json'],
    decode: (bytes, receivedAt) => decodeBody(bytes, 'json', receivedAt),
  },
  ndjson: {
    contentTypes: ['application/x-ndjson', 'application/ndjson'],
    decode: (bytes, receivedAt) => decodeBody(bytes, 'ndjson', receivedAt),
  },
} satisfies Record<string, Decoder>;

export type DecoderName = keyof typeof DECODERS_BY_NAME;

export const DECODERS: Readonly<Record<DecoderName, Decoder>> = DECODERS_BY_NAME;

/**
 * Returns the choice among `names` by Content-Type, which throws the 415 of any other type. Texts are UTF-8, so another
 * charset is refused.
 */
export function createDecoderChoice(
  names: readonly DecoderName[],
): (headers: IncomingHttpHeaders) => DecoderName {
  const byType = new Map<string, DecoderName>();
  for (const name of names) for (const type of DECODERS[name].contentTypes) byType.set(type, name);
  const supported = names.map((name) => DECODERS[name].contentTypes[0]);
  return (headers) => {
    const header = headers['content-type'] ?? '';
    const exact = byType.get(header);
    if (exact !== undefined) return exact;
    const [type = '', ...parameters] = header.toLowerCase().split(';');
    const name = byType.get(type.trim());
    const charset = parameters.map((each) => each.trim()).find((each) => each.startsWith('charset='));
    if (name !== undefined && (charset === undefined || /^charset="?utf-?8"?$/.test(charset))) return name;
    throw new ProblemError('unsupported_media_type', {
      detail: `Send ${supported.join(' or ')}, in UTF-8.`,
      headers: { Accept: supported.join(', ') },
    });
  };
}
