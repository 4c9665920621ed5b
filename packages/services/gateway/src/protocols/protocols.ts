import { PAYLOAD_PROTOCOL } from './payload-protocol.ts';
import type { Protocol } from './protocol.ts';

/** Every protocol that the gateway serves. */
export const PROTOCOLS: readonly Protocol[] = [PAYLOAD_PROTOCOL];
