import type { Decoder } from '../decoding/decoder.ts';
import { PAYLOAD_PROTOCOL } from './payload-protocol.ts';
import type { Protocol } from './protocol.ts';

/** Every protocol that the gateway serves. */
export const PROTOCOLS: readonly Protocol[] = [PAYLOAD_PROTOCOL];

const DECODERS = new Map(
  PROTOCOLS.flatMap(({ decoders }) => decoders.map((each) => [each.name, each] as const)),
);

/** The decoder of that name, whichever protocol it belongs to; throws for a name that no decoder has. */
export function decoderNamed(name: string): Decoder {
  const decoder = DECODERS.get(name);
  if (decoder === undefined) throw new Error(`There is no decoder "${name}".`);
  return decoder;
}
