import { arch, release } from 'node:os';
import type { HostCollector } from './collector.ts';
import { CounterRates } from './counter-rates.ts';

export interface AgentFacts {
  version: string;
  /** The payloads that wait to be sent. */
  buffered(): { payloads: number; bytes: number };
  /** The number of payloads since the start that were dropped because the buffer was full or could not be read, and that the server refused. */
  counts(): { dropped: number; refused: number };
  /** The names of the collectors that failed in the newest reading. */
  failing(): string[];
  /** The time since the agent started, s. */
  uptimeSeconds(): number;
  /** The processor time that the agent has used, microseconds. */
  cpuMicroseconds(): number;
  memoryBytes(): number;
}

const MICROSECONDS_PER_PERCENT = 10_000;

/** Reports the agent itself as a part: its version and load, what it could not send, and which of its collectors fail. */
export function createAgentCollector(facts: AgentFacts): HostCollector {
  const counters = new CounterRates();
  return {
    name: 'agent',
    read(at) {
      const { payloads, bytes } = facts.buffered();
      const { dropped, refused } = facts.counts();
      const failing = facts.failing().toSorted();
      const cpu = counters.update(at, new Map([['cpu', facts.cpuMicroseconds()]])).get('cpu');
      const metrics: Record<string, number> = {
        uptime_seconds: facts.uptimeSeconds(),
        memory_rss_bytes: facts.memoryBytes(),
        buffered_payloads: payloads,
        buffered_bytes: bytes,
        dropped_payload_count: dropped,
        refused_payload_count: refused,
        failing_collectors: failing.length,
      };
      if (cpu !== undefined) metrics.cpu_percent = cpu / MICROSECONDS_PER_PERCENT;
      const labels = {
        version: facts.version,
        system: `${process.platform} ${release()}`,
        architecture: arch(),
        failing: failing.join(', '),
      };
      return { parts: [{ kind: 'agent', name: 'tidewatch', labels, metrics }] };
    },
  };
}
