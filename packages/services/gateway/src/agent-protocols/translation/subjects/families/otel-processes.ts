import { labelOf } from '../../../series/sent-series.ts';
import type { SubjectFamily } from '../subject-family.ts';

const STATES = ['state', 'cpu.mode', 'process.cpu.state'];

/** The scraper `process` of the Collector's hostmetrics. A process that is a service by its resource is an application. */
export const OTEL_PROCESSES: SubjectFamily = {
  name: 'otel_processes',
  kind: 'process',
  isAtOnce: true,
  matches: ({ protocol, name, resource }) =>
    protocol === 'otlp' && name.startsWith('process.') && labelOf(resource, 'service.name') === undefined,
  identify({ resource }) {
    const pid = labelOf(resource, 'process.pid');
    const name = labelOf(resource, 'process.executable.name') ?? labelOf(resource, 'process.command');
    if (pid === undefined || !/^\d{1,10}$/.test(pid) || name === undefined) return undefined;
    return { key: pid, name, pid: Number(pid) };
  },
  fields: {
    'process.cpu.time': {
      field: 'cpu_percent',
      scale: 100,
      isCounter: true,
      over: STATES,
      choose: ({ labels }) =>
        STATES.some((label) => labelOf(labels, label) === 'wait')
          ? 'omit'
          : { field: 'cpu_percent', rank: 0 },
    },
    'process.memory.usage': { field: 'memory_rss' },
  },
};
