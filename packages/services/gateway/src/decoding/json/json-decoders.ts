import type { Decoder } from '../decoder.ts';
import { decodeBody } from './decode-body.ts';

/** One payload, or an array of them. */
export const JSON_DECODER: Decoder = {
  name: 'json',
  contentTypes: ['application/json'],
  decode: (bytes, receivedAt) => decodeBody(bytes, 'json', receivedAt),
};

/** One payload to a line. */
export const NDJSON_DECODER: Decoder = {
  name: 'ndjson',
  contentTypes: ['application/x-ndjson', 'application/ndjson'],
  decode: (bytes, receivedAt) => decodeBody(bytes, 'ndjson', receivedAt),
};
