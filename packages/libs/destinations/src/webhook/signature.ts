import { createHmac } from 'node:crypto';

const PREFIX = 'whsec_';

export interface SignedHeaders {
  'webhook-id': string;
  /** Seconds since the epoch. */
  'webhook-timestamp': string;
  'webhook-signature': string;
}

/** The headers of Standard Webhooks for a body; `now` in ms. Receivers reject a body whose signed time is too old. */
export function signatureHeaders(secret: string, id: string, body: string, now: number): SignedHeaders {
  const timestamp = String(Math.floor(now / 1_000));
  const key = Buffer.from(secret.slice(PREFIX.length), 'base64');
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` };
}
