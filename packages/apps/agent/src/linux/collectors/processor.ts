import type { HostCollector } from '../../collectors/collector.ts';
import { CounterRates } from '../../collectors/counter-rates.ts';
import { readText } from '../files.ts';
import { type CpuTimes, cpuMetrics, parseCpuTimes } from '../proc-host.ts';

/** The counters of /proc/stat that become rates, and the values that are metrics as they are. */
const RATES = { ctxt: 'context_switches_per_second', processes: 'processes_created_per_second' };
const GAUGES = { procs_running: 'processes_running', procs_blocked: 'processes_blocked' };

/** Reads the use of the processors from /proc/stat. */
export function createProcessorCollector({ procRoot }: { procRoot: string }): HostCollector {
  const counters = new CounterRates();
  let before: CpuTimes | undefined;
  return {
    name: 'cpu',
    read(at) {
      const stat = readText(procRoot, 'stat');
      const times = parseCpuTimes(stat);
      const values = new Map(
        [...stat.matchAll(/^(\w+) (\d+)$/gm)].map(([, name = '', value]) => [name, Number(value)]),
      );
      const rates = counters.update(at, values);
      const metrics = before && times ? cpuMetrics(before, times) : {};
      before = times;
      const processors = stat.match(/^cpu\d+ /gm)?.length ?? 0;
      if (processors > 0) metrics.cpu_count = processors;
      for (const [field, metric] of Object.entries(RATES)) set(metrics, metric, rates.get(field));
      for (const [field, metric] of Object.entries(GAUGES)) set(metrics, metric, values.get(field));
      return { metrics };
    },
  };
}

function set(metrics: Record<string, number>, name: string, value: number | undefined): void {
  if (value !== undefined) metrics[name] = value;
}
