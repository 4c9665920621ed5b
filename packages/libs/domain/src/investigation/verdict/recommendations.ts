import type { Facts } from '../facts.ts';
import type { FindingDraft } from '../finding.ts';
import { classOf } from '../metric-class.ts';
import { tooLittleHistory } from '../symptom/too-little-history.ts';
import { figure } from '../words/figures.ts';
import { plain, quoted, subjectInWords } from '../words/names.ts';
import { shellQuoted } from '../words/shell.ts';
import type { Recommendation } from './verdict.ts';

const MOST = 6;
const READS_ONLY = 'None: it only reads.';

type Advice = Omit<Recommendation, 'priority' | 'evidenceRefs'>;

/** What can be done about the cause, or looked at where there is none; nothing is ever run by itself. */
export function recommend(
  facts: Facts,
  findings: readonly FindingDraft[],
  rootCause: number | null,
): Recommendation[] {
  const cause = rootCause === null ? undefined : findings[rootCause];
  if (cause === undefined) return withoutCause(facts, findings);
  return adviceFor(cause, facts)
    .slice(0, MOST)
    .map((advice, nth) => ({
      ...advice,
      priority: nth === 0 ? 'high' : 'medium',
      evidenceRefs: refsOf(cause),
    }));
}

function withoutCause(facts: Facts, findings: readonly FindingDraft[]): Recommendation[] {
  const [best] = findings.filter(({ kind }) => kind !== 'recurrence');
  const looked = best === undefined ? [] : adviceFor(best, facts).filter(({ risk }) => risk === READS_ONLY);
  const threshold = facts.alert?.threshold ?? null;
  const advice: Advice[] = looked.slice(0, 2);
  if (
    facts.alert !== null &&
    threshold !== null &&
    facts.metric !== null &&
    tooLittleHistory(facts) === null
  ) {
    advice.push({
      title: `See whether ${figure(facts.metric, threshold)} is the right threshold`,
      description: `Nothing that is known explains this alert. Try rule ${quoted(facts.alert.ruleName)} on what is stored, with other thresholds and durations, and see how often it would have fired.`,
      command: null,
      risk: READS_ONLY,
    });
  }
  return advice.map((each) => ({
    ...each,
    priority: 'low',
    evidenceRefs: best === undefined ? [] : refsOf(best),
  }));
}

function refsOf(finding: FindingDraft): string[] {
  return finding.evidence.map(({ ref }) => ref);
}

/** The catalogue: by the kind of the finding, what to look at first and what helps then. */
function adviceFor(finding: FindingDraft, facts: Facts): Advice[] {
  switch (finding.kind) {
    case 'process':
      return processAdvice(finding, facts);
    case 'container':
      return containerAdvice(finding);
    case 'restart':
      return finding.subject.kind === 'container' ? containerAdvice(finding) : restartAdvice(finding);
    case 'saturation':
    case 'metric_shift':
    case 'correlated_metric':
      return metricAdvice(finding, facts);
    case 'peer_hosts':
      return peerAdvice(finding);
    case 'change':
      return changeAdvice(finding);
    case 'data_gap':
      return gapAdvice(finding);
    case 'recurrence':
      return [];
  }
}

function processAdvice(finding: FindingDraft, facts: Facts): Advice[] {
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

/** The newest known process ids of that name, as numbers alone. */
function pidsOf(facts: Facts, name: string): number[] {
  for (const snapshot of facts.snapshots.toReversed()) {
    const use = snapshot.processes.find((each) => each.name === name);
    if (use !== undefined) return use.pids.filter((pid) => Number.isSafeInteger(pid) && pid > 1).slice(0, 10);
  }
  return [];
}

function containerAdvice({ subject, host, metric }: FindingDraft): Advice[] {
  const name = shellQuoted(subject.name);
  const limit: Advice[] =
    metric === 'memory_usage'
      ? [
          {
            title: `Bound the memory of container ${quoted(subject.name)}`,
            description:
              'So that it alone suffers when it leaks. Choose a limit above what it takes when healthy; its use then stays below.',
            command: `docker update --memory 1g --memory-swap 1g -- ${name}`,
            risk: 'Interrupts: a container above its limit is killed by the kernel at once. Put your own limit for 1g.',
          },
        ]
      : [];
  return [
    {
      title: `See the log of container ${quoted(subject.name)}`,
      description: `On ${plain(host)}: what it said since the trouble began.`,
      command: `docker logs --since 1h --tail 200 --timestamps -- ${name}`,
      risk: READS_ONLY,
    },
    {
      title: `Restart container ${quoted(subject.name)}`,
      description:
        'Frees what it holds. A leak comes back, so that its slope until then shows how much time there is.',
      command: `docker restart -- ${name}`,
      risk: 'Interrupts: requests under way fail until it is up again.',
    },
    ...limit,
  ];
}

function restartAdvice({ subject, host }: FindingDraft): Advice[] {
  return [
    {
      title: `See why ${subjectInWords(subject, host)} restarted`,
      description:
        'The last lines before the start show a panic, of a process killed for memory, or of somebody who asked for it.',
      command:
        subject.kind === 'host'
          ? 'last -x -n 5 reboot shutdown; journalctl -b -1 -p warning -n 100'
          : `journalctl -n 200 --since=-1h _COMM=${shellQuoted(subject.name)}`,
      risk: READS_ONLY,
    },
  ];
}

function metricAdvice({ metric, host }: FindingDraft, facts: Facts): Advice[] {
  const where = `On ${plain(host)}`;
  switch (classOf(metric ?? '')) {
    case 'space':
      return [
        {
          title: 'Find what fills the disk',
          description: `${where}: the largest folders, then the largest files. Free space stops falling once their writer is found.`,
          command:
            'du -xh --max-depth=2 / 2>/dev/null | sort -h | tail -n 25; find / -xdev -type f -mmin -60 -size +50M 2>/dev/null',
          risk: 'None to data; reading a large disk takes a while and slows it.',
        },
        {
          title: 'Free space at once',
          description: `${where}: removes archived journals beyond 200 MB; df shows what it gave.`,
          command: 'journalctl --vacuum-size=200M',
          risk: 'Destructive: older journals are gone for good.',
        },
      ];
    case 'traffic':
      return [
        {
          title: `See who moves the bytes on ${plain(host)}`,
          description: `${where}: connections by what they carried, and the counters of the devices. The one that grows between two looks is it.`,
          command:
            "ss -tinp state established | grep -B1 bytes_; awk '{print $1, $2, $10}' /proc/net/dev; iostat -dx 2 3",
          risk: READS_ONLY,
        },
      ];
    case 'memory':
      return [
        {
          title: `See what takes the memory of ${plain(host)}`,
          description: `${where}: the largest processes, and the caches of the kernel.`,
          command:
            'ps -eo pid,user,rss,etime,args --sort=-rss | head -n 15; grep -E "MemAvailable|Slab|Shmem" /proc/meminfo',
          risk: READS_ONLY,
        },
      ];
    default:
      return [
        {
          title: `See what ${plain(host)} is doing`,
          description: `${where}: the busiest processes and what waits.${facts.service.host === host ? '' : ' It is another host than the one that alerted.'}`,
          command: 'top -b -n 1 -o %CPU | head -n 25; vmstat 1 5',
          risk: READS_ONLY,
        },
      ];
  }
}

function peerAdvice({ subject, hosts }: FindingDraft): Advice[] {
  const [first] = hosts;
  if (subject.kind === 'tag') return changeAdvice({ subject });
  return [
    {
      title: first === undefined ? 'Look for what these hosts share' : `Look at ${plain(first.host)} first`,
      description:
        'Several hosts moved together: the cause is what they share (a database, a network, a machine below them), not any of them alone.',
      command: null,
      risk: READS_ONLY,
    },
  ];
}

function changeAdvice({ subject }: Pick<FindingDraft, 'subject'>): Advice[] {
  const what = subject.kind === 'tag' ? quoted(subject.name) : 'the change';
  return [
    {
      title: `Compare with hosts without ${what}`,
      description: 'If only those with it are affected, it is the cause.',
      command: null,
      risk: READS_ONLY,
    },
    {
      title: `Roll ${what} back`,
      description:
        'With the tool that rolled it out, on one host first; the metric should return to its usual value there within minutes.',
      command: null,
      risk: 'Interrupts: a rollback restarts what it replaces, and data may have been migrated since.',
    },
  ];
}

function gapAdvice({ host }: FindingDraft): Advice[] {
  return [
    {
      title: `See whether the agent on ${plain(host)} runs`,
      description:
        'If the host answers and the agent runs, look at its log for refused requests; new samples then show at once.',
      command: `ping -c 3 -- ${shellQuoted(host)}`,
      risk: READS_ONLY,
    },
  ];
}
