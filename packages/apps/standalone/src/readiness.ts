import type { BusHealth } from '@tidewatch/bus/bus';
import type { Admission } from '@tidewatch/runtime/admission';
import type { Authentication } from '@tidewatch/runtime/authentication';
import type { Readiness } from '@tidewatch/runtime/health-routes';
import type { Sql } from '@tidewatch/store/connection';

export interface ReadinessParts {
  sql: Sql;
  bus: { health(): BusHealth };
  admission: Admission;
  authentication: Authentication;
  details: Record<string, unknown>;
}

const PROBE_MS = 2_000;

/** Asks every part how it is; a full disk is `degraded`, since reading goes on. */
export function createReadiness(parts: ReadinessParts): () => Promise<Readiness> {
  return async () => {
    // The bus has the database's own words, which belong into the log.
    const missing = parts.bus.health().ok ? [] : ['what arrives cannot be stored at the moment'];
    if (!(await answers(parts.sql))) {
      missing.push('the database does not answer');
    }
    const closure = parts.admission.closure();
    const degraded = closure ? [`ingest is closed: ${closure.reason}`] : [];
    if (!parts.authentication.healthy()) {
      degraded.push('keys cannot be looked up; those seen before go on');
    }
    const status = missing.length > 0 ? 'unavailable' : degraded.length > 0 ? 'degraded' : 'ready';
    return { status, reasons: [...missing, ...degraded], details: parts.details };
  };
}

async function answers(sql: Sql): Promise<boolean> {
  const query = sql`select 1`;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), PROBE_MS);
  });
  try {
    return await Promise.race([
      query.then(
        () => true,
        () => false,
      ),
      late,
    ]);
  } finally {
    clearTimeout(timer);
  }
}
