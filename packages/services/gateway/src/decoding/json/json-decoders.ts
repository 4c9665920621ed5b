import type { Decoder } from '../decoder.ts';
import { decodeBody } from './decode-body.ts';

/** The decoder of JSON: one payload, or an array of payloads. */
export const JSON_DECODER: Decoder = {
  name: 'json',
  contentTypes: ['application/json'],
  decode: (bytes, receivedAt) => decodeBody(bytes, 'json', receivedAt),
};

/** The decoder of NDJSON: one payload per line. */
export const NDJSON_DECODER: Decoder = {
  name: 'ndjson',
  contentTypes: ['application/x-ndjson', 'application/ndjson'],
  decode: (bytes, receivedAt) => decodeBody(bytes, 'ndjson', receivedAt),
};
