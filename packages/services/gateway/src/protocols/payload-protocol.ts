import { INGEST_ROUTE } from '@tidewatch/contracts/ingest/ingest-route';
import { JSON_DECODER, NDJSON_DECODER } from '../decoding/json/json-decoders.ts';
import { prefersLenient, prefersReceipt, prefersWarnings } from './prefer.ts';
import type { Protocol } from './protocol.ts';

/** Tidewatch's own protocol: payloads as JSON. */
export const PAYLOAD_PROTOCOL: Protocol = {
  route: INGEST_ROUTE,
  decoders: [JSON_DECODER, NDJSON_DECODER],
  preferencesOf: (headers) => ({
    lenient: prefersLenient(headers),
    receipt: prefersReceipt(headers),
    warnings: prefersWarnings(headers),
  }),
  answer(response, { accepted, faults, rejected, warnings: ignored }, { lenient, warnings }, receipt) {
    let body = `{"status":"ok","events_accepted":${accepted}`;
    const applied = [
      lenient && 'handling=lenient',
      receipt !== null && 'return=representation',
      warnings && 'warnings',
    ];
    if (lenient || warnings || receipt !== null)
      response.setHeader('Preference-Applied', applied.filter(Boolean).join(', '));
    if (lenient) {
      const errors = faults.map(({ path, code, message }) => ({ path, code, message }));
      body += `,"events_rejected":${rejected},"errors":${JSON.stringify(errors)}`;
    }
    if (warnings) body += `,"warnings":${JSON.stringify(ignored)}`;
    if (receipt !== null) body += `,"receipt":${JSON.stringify(receipt)}`;
    response.setHeader('Content-Type', 'application/json; charset=utf-8');
    response.end(`${body}}`);
  },
};
