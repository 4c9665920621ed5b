import type { HostCollector } from '../../collectors/collector.ts';
import { CounterRates } from '../../collectors/counter-rates.ts';
import { readText } from '../files.ts';
import { memoryMetrics, parseMemory } from '../proc-host.ts';

/** Reads memory and swap from /proc/meminfo and /proc/vmstat. */
export function createMemoryCollector(options: { procRoot: string; pageBytes: number }): HostCollector {
  const { procRoot, pageBytes } = options;
  const counters = new CounterRates();
  return {
    name: 'memory',
    read(at) {
      const sizes = parseMemory(readText(procRoot, 'meminfo'));
      const metrics = sizes.size > 0 ? memoryMetrics(sizes) : {};
      const values = new Map(
        [...readText(procRoot, 'vmstat').matchAll(/^(pswpin|pswpout|pgmajfault|oom_kill) (\d+)$/gm)].map(
          ([, name = '', value]) => [name, Number(value)],
        ),
      );
      const rates = counters.update(at, values);
      const swappedIn = rates.get('pswpin');
      const swappedOut = rates.get('pswpout');
      const faults = rates.get('pgmajfault');
      const kills = values.get('oom_kill');
      if (swappedIn !== undefined) metrics.swap_in_bytes_per_second = swappedIn * pageBytes;
      if (swappedOut !== undefined) metrics.swap_out_bytes_per_second = swappedOut * pageBytes;
      if (faults !== undefined) metrics.memory_major_faults_per_second = faults;
      if (kills !== undefined) metrics.oom_kill_count = kills;
      return { metrics };
    },
  };
}
