import type { Logger } from '../telemetry/logger.ts';
import type { Readiness } from './health-routes.ts';

/** Returns the reasons why a part is not working; an empty list while it works. */
export type Probe = () => readonly string[] | Promise<readonly string[]>;

/**
 * Readiness checks by the name of the part that they check. Services use the same name for a part that they share, so that
 * it is checked once.
 */
export type Checks = Readonly<Record<string, Probe>>;

export interface ReadinessOptions {
  /** Parts without which no request can be served. */
  missing: Checks;
  /** Parts without which every request is served, with restrictions. */
  degraded: Checks;
  /** Topology, storage backend and versions, so that an operator knows which process responds. */
  details?: Record<string, unknown>;
  logger: Pick<Logger, 'warn'>;
}

/** The max time of a check, ms; a check that takes longer counts as failed. */
const MAX_CHECK_MS = 2_000;

/** Checks every part concurrently. A check that throws or takes too long has failed; its error goes to the log, once. */
export function createReadiness(options: ReadinessOptions): () => Promise<Readiness> {
  const { missing, degraded, details = {}, logger } = options;
  const logged = new Map<string, string>();

  async function reasonsOf(name: string, probe: Probe): Promise<readonly string[]> {
    try {
      const reasons = await withinLimit(probe);
      logged.delete(name);
      return reasons;
    } catch (error) {
      const text = String(error);
      if (logged.get(name) !== text) logger.warn({ err: error, check: name }, 'a readiness check failed');
      logged.set(name, text);
      return [`the check of "${name}" failed; the log says why`];
    }
  }

  const ask = async (checks: Checks) =>
    (await Promise.all(Object.entries(checks).map(([name, probe]) => reasonsOf(name, probe)))).flat();
  return async () => {
    const [without, worse] = await Promise.all([ask(missing), ask(degraded)]);
    const status = without.length > 0 ? 'unavailable' : worse.length > 0 ? 'degraded' : 'ready';
    return { status, reasons: [...new Set([...without, ...worse])], details };
  };
}

async function withinLimit(probe: Probe): Promise<readonly string[]> {
  const answer = probe();
  if (!(answer instanceof Promise)) return answer;
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`timeout after ${MAX_CHECK_MS} ms`)), MAX_CHECK_MS);
  });
  return Promise.race([answer, limit]).finally(() => clearTimeout(timer));
}
