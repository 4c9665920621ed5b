import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { decodeSnappy } from '../wire/decode-snappy.ts';

/** The agents of which requests were captured; README.md in the folder says how. */
export const CAPTURED_AGENTS = [
  'collectd',
  'otel-collector',
  'otel-js',
  'otel-python',
  'prometheus',
  'telegraf',
  'vmagent',
] as const;

export type CapturedAgent = (typeof CAPTURED_AGENTS)[number];

/** A request as it was sent, without headers that name a key or a connection. */
export interface CapturedRequest {
  method: string;
  path: string;
  headers: Record<string, string>;
  /** Milliseconds since the epoch. */
  receivedAt: number;
  /** The body without its content encoding. */
  body: Buffer;
}

const folder = (agent: CapturedAgent) => new URL(`captures/${agent}/`, import.meta.url);

/** The first or second of two consecutive requests. */
export function readCapture(agent: CapturedAgent, index: 1 | 2): CapturedRequest {
  const request = JSON.parse(readFileSync(new URL(`${index}.json`, folder(agent)), 'utf8'));
  const sent = readFileSync(new URL(`${index}.bin`, folder(agent)));
  const encoding = request.headers['content-encoding'];
  if (encoding === 'gzip') return { ...request, body: gunzipSync(sent) };
  return { ...request, body: encoding === 'snappy' ? decodeSnappy(sent, 16 * 1024 * 1024) : sent };
}

/** What Tidewatch's own agent reported at the time of the second request; rates since the first one. */
export function readExpected(agent: CapturedAgent): Record<string, number> {
  return JSON.parse(readFileSync(new URL('expected.json', folder(agent)), 'utf8'));
}
