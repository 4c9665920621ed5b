import type { HostCollector } from '../../collectors/collector.ts';
import { CounterRates } from '../../collectors/counter-rates.ts';
import { readText } from '../files.ts';

/** What is measured of each resource. For processors "full" has no meaning for a whole machine. */
const SHARES = { cpu: ['some'], memory: ['some', 'full'], io: ['some', 'full'] } as const;
const MICROSECONDS_PER_PERCENT = 10_000;

/** Reads the pressure stall information: the share of time in which some or all tasks waited for a resource. */
export function createPressureCollector({ procRoot }: { procRoot: string }): HostCollector {
  const counters = new CounterRates();
  return {
    name: 'pressure',
    read(at) {
      const totals = new Map<string, number>();
      for (const [resource, shares] of Object.entries(SHARES)) {
        const text = readText(procRoot, 'pressure', resource);
        for (const share of shares) {
          const total = new RegExp(`^${share} .*total=(\\d+)$`, 'm').exec(text)?.[1];
          if (total !== undefined) totals.set(`${resource}_pressure_${share}_percent`, Number(total));
        }
      }
      const metrics: Record<string, number> = {};
      for (const [name, rate] of counters.update(at, totals))
        metrics[name] = Math.min(100, rate / MICROSECONDS_PER_PERCENT);
      return { metrics };
    },
  };
}
