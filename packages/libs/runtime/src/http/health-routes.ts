import { Router } from 'express';
import type { Metrics } from '../telemetry/metrics.ts';

/** The readiness of a process. `degraded` is answered with 200: every request is served, but a part is unavailable. */
export interface Readiness {
  status: 'ready' | 'degraded' | 'unavailable';
  reasons: string[];
  /** Topology, storage backend and versions, so that an operator knows which process responds. */
  details?: Record<string, unknown>;
}

/** GET /healthz, /readyz and /metrics, which every process has and which need no key. */
export function createHealthRoutes(
  metrics: Metrics,
  readiness: () => Promise<Readiness> | Readiness,
): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router.get('/healthz', (_request, response) => {
    response.json({ status: 'ok' });
  });
  router.get('/readyz', async (_request, response) => {
    const { status, reasons, details } = await readiness();
    response.status(status === 'unavailable' ? 503 : 200).json({ status, reasons, ...details });
  });
  router.get('/metrics', async (_request, response) => {
    const text = await metrics.text();
    response.setHeader('Content-Type', metrics.contentType);
    response.end(text);
  });
  return router;
}
