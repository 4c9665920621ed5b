import type { IncomingHttpHeaders } from 'node:http';
import { ProblemError } from '@tidewatch/contracts/problems/problem';
import type { DecodedBody } from './decoded-body.ts';

/** Decodes bodies of one format into payloads. */
export interface Decoder {
  /** The decoding thread looks the decoder up by it; no two protocols have decoders of one name. */
  name: string;
  /** The media types of the format; errors name the first one. */
  contentTypes: readonly [string, ...string[]];
  /** `bytes` have no content encoding. `receivedAt` (ms) is the time of payloads that name none. */
  decode(bytes: Buffer, receivedAt: number): DecodedBody;
}

/**
 * Returns the choice among `decoders` by Content-Type, which throws the 415 of any other type. Texts are UTF-8, so another
 * charset is refused.
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
