import { Counter, Gauge, type Registry } from 'prom-client';
import type { Metrics } from '../telemetry/metrics.ts';
import type { FairShare } from './fair-share.ts';
import type { ShareRefusal } from './fair-share-error.ts';

/** Without `full`, the result of a `tryTake` after which the caller may still wait. */
const REASONS = ['organization_full', 'timeout', 'aborted'] as const satisfies readonly ShareRefusal[];

const exposed = new WeakMap<Registry, Map<string, FairShare>>();

/** Exposes metrics of a share under the name of its resource, without ids of organizations, of which there may be many. */
export function exposeShare({ registry }: Metrics, resource: string, share: FairShare): void {
  let shares = exposed.get(registry);
  if (shares === undefined) {
    shares = new Map();
    exposed.set(registry, shares);
    exposeAll(registry, shares);
  }
  shares.set(resource, share);
}

function exposeAll(registry: Registry, shares: ReadonlyMap<string, FairShare>): void {
  const registers = [registry];
  new Gauge({
    name: 'tidewatch_share_held',
    help: 'Units held now of what organizations share.',
    labelNames: ['resource'],
    registers,
    collect() {
      for (const [resource, share] of shares) this.set({ resource }, share.counters().heldUnits);
    },
  });
  new Gauge({
    name: 'tidewatch_share_waiting',
    help: 'Requests that wait for their turn at what organizations share.',
    labelNames: ['resource'],
    registers,
    collect() {
      for (const [resource, share] of shares) this.set({ resource }, share.counters().waiting);
    },
  });
  new Counter({
    name: 'tidewatch_share_refused_total',
    help: 'Requests refused: organization_full used up its own share, timeout waited too long for others, aborted left.',
    labelNames: ['resource', 'reason'],
    registers,
    collect() {
      this.reset();
      for (const [resource, share] of shares) {
        const { refused } = share.counters();
        for (const reason of REASONS) this.inc({ resource, reason }, refused[reason]);
      }
    },
  });
}
