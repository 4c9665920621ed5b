import { readMetrics } from '@tidewatch/api-client/prometheus-text';
import { type MetricsSource, requireTidewatchMetrics } from './metrics-source.ts';

/** The max size of a metrics page, bytes: many times that of a Tidewatch process. */
const MAX_PAGE_BYTES = 4 * 1024 * 1024;

/** Reads the metrics page of a process, at `/metrics` if the address has no path. Redirects are not followed. */
export function createPageSource(address: string, timeoutMs: number): MetricsSource {
  const url = new URL(address);
  if (url.pathname === '/') url.pathname = '/metrics';
  return {
    name: `${url.origin}${url.pathname}`,
    async read() {
      const signal = AbortSignal.timeout(timeoutMs);
      const response = await fetch(url, { redirect: 'error', signal });
      if (response.status !== 200) {
        await response.body?.cancel();
        throw new Error(`the process answered with status ${response.status} instead of 200`);
      }
      return requireTidewatchMetrics(readMetrics(await boundedText(response)));
    },
  };
}

async function boundedText(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > MAX_PAGE_BYTES) throw new Error('the metrics page is larger than 4 MiB');
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}
