import type { IncomingHttpHeaders } from 'node:http';
import { ProblemError } from '@tidewatch/contracts/problems/problem';
import type { DecodedBody } from './decoded-body.ts';

/** Decodes bodies of one format into payloads. */
export interface Decoder {
  /** The name by which the decoding thread finds the decoder, unique among all protocols. */
  name: string;
  /** The media types of the format; errors name the first one. */
  contentTypes: readonly [string, ...string[]];
  /** Decodes `bytes` without content encoding. `receivedAt` (ms) is the time of payloads without one. */
  decode(bytes: Buffer, receivedAt: number): DecodedBody;
}

/**
 * Returns a function that chooses one of `decoders` by Content-Type, and throws the 415 for any other type or a charset
 * other than UTF-8.
 */
export function createDecoderChoice(decoders: readonly Decoder[]): (headers: IncomingHttpHeaders) => Decoder {
  const byType = new Map<string, Decoder>();
  for (const decoder of decoders) for (const type of decoder.contentTypes) byType.set(type, decoder);
  const supported = decoders.map(({ contentTypes }) => contentTypes[0]);
  return (headers) => {
    const header = headers['content-type'] ?? '';
    const exact = byType.get(header);
    if (exact !== undefined) return exact;
    const [type = '', ...parameters] = header.toLowerCase().split(';');
    const decoder = byType.get(type.trim());
    const charset = parameters.map((each) => each.trim()).find((each) => each.startsWith('charset='));
    if (decoder !== undefined && (charset === undefined || /^charset="?utf-?8"?$/.test(charset)))
      return decoder;
    throw new ProblemError('unsupported_media_type', {
      detail: `Send ${supported.join(' or ')}, in UTF-8.`,
      headers: { Accept: supported.join(', ') },
    });
  };
}
