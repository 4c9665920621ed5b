import type { Readiness } from './health-routes.ts';

/** Why a part does not do its work at the moment; empty while it does. */
export type Probe = () => readonly string[] | Promise<readonly string[]>;

export interface ReadinessOptions {
  /** Without these nothing can be served. */
  missing: readonly Probe[];
  /** Without these everything is served, but not as well. */
  degraded: readonly Probe[];
  /** Topology, store edition, versions: whatever helps a person to know what answers here. */
  details?: Record<string, unknown>;
}

/** Asks every part how it is, all at once. */
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
