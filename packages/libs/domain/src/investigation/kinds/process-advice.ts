import type { Facts } from '../facts.ts';
import type { FindingDraft } from '../finding.ts';
import { plain, quoted } from '../words/names.ts';
import { shellQuoted } from '../words/shell.ts';
import { type Advice, READS_ONLY } from './advice.ts';

export function processAdvice(finding: FindingDraft, facts: Facts): Advice[] {
  const name = finding.subject.name;
  const pids = pidsOf(facts, name);
  const chosen = pids.length > 0 ? `-p ${pids.join(',')}` : `-C ${shellQuoted(name)}`;
  const memory = finding.metric === 'memory_rss';
  const look: Advice = {
    title: `See what process ${quoted(name)} is doing`,
    description: `On ${plain(finding.host)}: who started it, since when it runs, and what it takes. A cause shows the figures of this finding.`,
    command: `ps -o pid,ppid,user,etime,pcpu,rss,args ${chosen}`,
    risk: READS_ONLY,
  };
  if (pids.length === 0) return [look];
  const calm: Advice = {
    title: `Give process ${quoted(name)} the lowest priority`,
    description:
      'Everything else comes first then; the host answers again although the process goes on. Its CPU use falls where others want it.',
    command: `renice -n 19 -p ${pids.join(' ')}`,
    risk: 'Slows the process down; undone by renice with the former value, as root.',
  };
  const stop: Advice = {
    title: `Stop process ${quoted(name)}`,
    description: `If it is not meant to run. The metric should be back at its usual value within minutes.`,
    command: `kill -TERM ${pids.join(' ')}`,
    risk: 'Destructive: ends the process, and what it has not saved is lost. See first what it is.',
  };
  return memory ? [look, stop] : [look, calm, stop];
}

/** The newest known process ids of the processes of that name, validated as numbers. */
function pidsOf(facts: Facts, name: string): number[] {
  for (const snapshot of facts.snapshots.toReversed()) {
    const use = snapshot.processes.find((each) => each.name === name);
    if (use !== undefined) return use.pids.filter((pid) => Number.isSafeInteger(pid) && pid > 1).slice(0, 10);
  }
  return [];
}
