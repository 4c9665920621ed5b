import { readMetrics } from '@tidewatch/api-client/prometheus-text';
import { expectOurs, type MetricsSource } from './metrics-source.ts';

/** Many times what a process shows. */
const MAX_PAGE = 4 * 1024 * 1024;

/** The page of metrics of a process; `/metrics` where the address has no path. Redirects are not followed. */
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
        throw new Error(`it answered ${response.status}`);
      }
      return expectOurs(readMetrics(await boundedText(response)));
    },
  };
}

async function boundedText(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > MAX_PAGE) throw new Error('its page is too large');
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}
