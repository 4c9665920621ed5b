import { readMetrics } from '@tidewatch/api-client/prometheus-text';
import { exchange } from '../http/exchange.ts';
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
      const { status, body } = await exchange(url, { signal, maxBytes: MAX_PAGE_BYTES });
      if (status !== 200) throw new Error(`the process answered with status ${status} instead of 200`);
      return requireTidewatchMetrics(readMetrics(body));
    },
  };
}
