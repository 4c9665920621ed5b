import type { DecodedBody } from '../decoded-body.ts';
import { firstPlaces } from '../places.ts';
import type { BodyForm } from './body-form.ts';
import { parseBody } from './parse-body.ts';
import { scanBody } from './scan-body.ts';

/** Decodes a decompressed body. `receivedAt` (ms) is the time of payloads without a time. */
export function decodeBody(bytes: Buffer, form: BodyForm, receivedAt: number): DecodedBody {
  const scanned = scanBody(bytes, form, receivedAt);
  if (scanned === null) return parseBody(bytes, form, receivedAt);
  const { payloads, isList } = scanned;
  const at = isList ? firstPlaces(payloads.length) : [''];
  return { payloads, at, rejected: 0, faults: [], faultCount: 0, refused: false, warnings: [], ignored: {} };
}
