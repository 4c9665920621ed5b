import { HEALTH_ROUTES } from '@tidewatch/contracts/document/operation-routes';
import type { Logger } from '../telemetry/logger.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import { createApp } from './app.ts';
import { createHealthRoutes, type Readiness } from './health-routes.ts';
import { type HttpServer, listen } from './http-server.ts';

export interface AdminServerOptions {
  config: { adminHost: string; adminPort: number };
  logger: Logger;
  metrics: Metrics;
  readiness: () => Promise<Readiness>;
}

/** Serves /healthz, /readyz and /metrics of a process on a port of their own. Rejects with the system's error. */
export async function openAdminServer({
  config,
  logger,
  metrics,
  readiness,
}: AdminServerOptions): Promise<HttpServer> {
  const server = await listen({
    app: createApp({
      routers: [createHealthRoutes(metrics, readiness)],
      endpoints: HEALTH_ROUTES,
      logger,
      metrics,
    }),
    host: config.adminHost,
    port: config.adminPort,
  });
  logger.info({ url: server.url }, 'health and metrics are served');
  return server;
}
