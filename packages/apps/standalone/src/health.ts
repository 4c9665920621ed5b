import type { BusHealth } from '@tidewatch/bus/bus';
import { HEALTH_ROUTES } from '@tidewatch/contracts/document/operation-routes';
import { TOPICS } from '@tidewatch/contracts/events/topic';
import { CAN_BE_MISSING } from '@tidewatch/domain/health/system-status';
import { createHealthRoutes, type Readiness } from '@tidewatch/runtime/http/health-routes';
import { type Checks, createReadiness } from '@tidewatch/runtime/http/readiness';
import {
  type BackendService,
  SERVICE_NAMES,
  type ServiceName,
} from '@tidewatch/runtime/process/backend-service';
import type { Logger } from '@tidewatch/runtime/telemetry/logger';
import type { Metrics } from '@tidewatch/runtime/telemetry/metrics';
import type { Database } from './database.ts';

export interface HealthParts {
  services: Record<ServiceName, BackendService>;
  bus: { health(): BusHealth };
  database: Pick<Database, 'check' | 'serverVersion' | 'schemaVersion'>;
  metrics: Metrics;
  logger: Pick<Logger, 'warn'>;
}

/** The health of the whole product: its routes, and the readiness that they answer. A check that services share runs once. */
export function createHealth({
  services,
  bus,
  database,
  metrics,
  logger,
}: HealthParts): Required<Pick<BackendService, 'http'>> & { readiness(): Promise<Readiness> } {
  const missing: Checks[] = [
    {
      // Replaces the bus's reasons, which contain texts of the database and belong only into the log.
      bus: () => (isFailing(bus, 'samples') ? ['payloads cannot be stored'] : []),
      database: database.check,
    },
  ];
  const degraded: Checks[] = [];
  const details: Record<string, unknown> = { topology: 'embedded' };
  for (const name of SERVICE_NAMES) {
    const service = services[name];
    (CAN_BE_MISSING[name] ? degraded : missing).push(service.missing);
    degraded.push(service.degraded);
    Object.assign(details, service.details);
  }
  degraded.push({
    events: () =>
      isFailing(bus, 'events') ? ['events cannot be processed, so that no notifications are queued'] : [],
  });
  const readiness = createReadiness({
    missing: Object.assign({}, ...missing),
    degraded: Object.assign({}, ...degraded),
    logger,
    details: {
      ...details,
      versions: {
        node: process.version,
        postgresql: database.serverVersion,
        schema: database.schemaVersion,
      },
    },
  });
  return { http: { router: createHealthRoutes(metrics, readiness), endpoints: HEALTH_ROUTES }, readiness };
}

/** For `events`, returns true if the bus fails to deliver events; for `samples`, true if it fails in any other way. */
function isFailing(bus: { health(): BusHealth }, what: 'events' | 'samples'): boolean {
  const { ok, reasons } = bus.health();
  const ofEvents = what === 'events';
  if (!ok && reasons.length === 0) return !ofEvents;
  return reasons.some((reason) => reason.startsWith(`${TOPICS.events}:`) === ofEvents);
}
