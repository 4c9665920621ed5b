import type { Readiness } from './health-routes.ts';

/** Why a part is not working; empty while it works. */
export type Probe = () => readonly string[] | Promise<readonly string[]>;

export interface ReadinessOptions {
  /** Parts without which no request can be served. */
  missing: readonly Probe[];
  /** Parts without which every request is served, with restrictions. */
  degraded: readonly Probe[];
  /** Topology, storage backend and versions, so that an operator knows which process responds. */
  details?: Record<string, unknown>;
}

/** Checks every part concurrently. */
export function createReadiness({
  missing,
  degraded,
  details = {},
}: ReadinessOptions): () => Promise<Readiness> {
  const ask = async (probes: readonly Probe[]) => (await Promise.all(probes.map((probe) => probe()))).flat();
  return async () => {
    const [without, worse] = await Promise.all([ask(missing), ask(degraded)]);
    const status = without.length > 0 ? 'unavailable' : worse.length > 0 ? 'degraded' : 'ready';
    return { status, reasons: [...new Set([...without, ...worse])], details };
  };
}
