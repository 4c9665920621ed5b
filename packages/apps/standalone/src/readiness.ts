import type { BusHealth } from '@tidewatch/bus/bus';
import type { Admission } from '@tidewatch/runtime/admission';
import type { Authentication } from '@tidewatch/runtime/authentication';
import type { Readiness } from '@tidewatch/runtime/health-routes';
import { createReadiness } from '@tidewatch/runtime/readiness';
import type { Sql } from '@tidewatch/store/connection';
import { ping } from '@tidewatch/store/ping';

export interface ReadinessParts {
  sql: Sql;
  bus: { health(): BusHealth };
  admission: Admission;
  authentication: Authentication;
  details: Record<string, unknown>;
}

/** Asks every part of the product how it is; a full disk is `degraded`, since reading goes on. */
export function createProductReadiness(parts: ReadinessParts): () => Promise<Readiness> {
  const { sql, bus, admission, authentication, details } = parts;
  const closed = () => {
    const closure = admission.closure();
    return closure ? [`ingest is closed: ${closure.reason}`] : [];
  };
  return createReadiness({
    missing: [
      // The bus has the database's own words, which belong into the log.
      () => (bus.health().ok ? [] : ['what arrives cannot be stored at the moment']),
      () => ping(sql),
    ],
    degraded: [
      closed,
      () => (authentication.healthy() ? [] : ['keys cannot be looked up; those seen before go on']),
    ],
    details,
  });
}
