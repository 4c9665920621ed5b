import { labelOf } from '../../../series/sent-series.ts';
import type { SubjectFamily } from '../subject-family.ts';

/** Telegraf's plugin `procstat`, which lists chosen processes. Without its tag `pid` those of one name and choice are one. */
export const TELEGRAF_PROCSTAT: SubjectFamily = {
  name: 'telegraf_procstat',
  kind: 'process',
  isAtOnce: false,
  matches: ({ name, labels }) =>
    name.startsWith('procstat_') && labelOf(labels, 'process_name') !== undefined,
  identify({ labels }) {
    const name = labelOf(labels, 'process_name');
    if (name === undefined || name === '') return undefined;
    const pid = labelOf(labels, 'pid') ?? '';
    return /^\d{1,10}$/.test(pid)
      ? { key: pid, name, pid: Number(pid) }
      : { key: labels.join('\0'), name, pid: 0 };
  },
  fields: {
    procstat_cpu_usage: { field: 'cpu_percent' },
    procstat_memory_rss: { field: 'memory_rss' },
  },
};
