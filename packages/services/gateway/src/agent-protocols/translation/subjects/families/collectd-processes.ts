import { labelOf } from '../../../series/sent-series.ts';
import type { SubjectFamily, SubjectField } from '../subject-family.ts';

/** Microseconds of processor time. */
const time: SubjectField = { field: 'cpu_percent', scale: 1e-4, isCounter: true };

/** collectd's plugin `processes`, which sums up the processes of chosen names. */
export const COLLECTD_PROCESSES: SubjectFamily = {
  name: 'collectd_processes',
  kind: 'process',
  isAtOnce: false,
  matches: ({ protocol, name, labels }) =>
    protocol === 'collectd' &&
    name.startsWith('collectd.processes.') &&
    (labelOf(labels, 'plugin_instance') ?? '') !== '',
  identify({ labels }) {
    const name = labelOf(labels, 'plugin_instance');
    return name === undefined || name === '' ? undefined : { key: name, name, pid: 0 };
  },
  fields: {
    'collectd.processes.ps_cputime.user': time,
    'collectd.processes.ps_cputime.syst': time,
    'collectd.processes.ps_rss': { field: 'memory_rss' },
    'collectd.processes.ps_count.processes': { field: 'count' },
  },
};
