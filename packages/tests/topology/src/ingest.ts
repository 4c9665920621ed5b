import type { Installation, ServiceProcess } from '@tidewatch/harness/installation';

export interface IngestAnswer {
  status: number;
  code: string | undefined;
  retryAfter: string | null;
  /** The time until the response arrived, ms. */
  tookMs: number;
}

/** The timeout of a request, ms, longer than any response takes. */
const ANSWER_WITHIN_MS = 30_000;

/** Sends one payload to a gateway, or `body` if it is given. */
export async function ingest(
  gateway: Pick<ServiceProcess, 'url'>,
  { key }: Pick<Installation, 'key'>,
  body: unknown = { host: 'web-01', metrics: { cpu_percent: 1 } },
): Promise<IngestAnswer> {
  const began = performance.now();
  const response = await fetch(`${gateway.url}/api/v1/ingest`, {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
  });
  const answer = (await response.json()) as { code?: string };
  return {
    status: response.status,
    code: answer.code,
    retryAfter: response.headers.get('retry-after'),
    tookMs: performance.now() - began,
  };
}
