import { MINUTE_MS } from '@tidewatch/contracts/time/duration';
import type { Detector } from '../detector.ts';
import { aboutHost } from '../draft.ts';
import { metricEvidence, tableEvidence } from '../evidence.ts';
import type { Facts, MetricFacts, SnapshotFacts, Subject } from '../facts.ts';
import type { EvidenceDraft, FindingDraft } from '../finding.ts';
import { slice } from '../statistics/slice.ts';
import { symptomOf } from '../symptom/symptom.ts';
import { clock, isoTime, span } from '../words/figures.ts';
import { plain, subjectInWords } from '../words/names.ts';

/** A process must have kept its pid for this many snapshots before a new pid counts as a restart. */
const STOOD = 10;
/** The number of long-running processes whose pids must change at once to show a restart of the host. */
const NAMES_OF_A_REBOOT = 4;
const SHARE_OF_A_REBOOT = 0.8;

/** A restart with a lower score is not reported. */
const LEAST = 0.05;

interface Restart {
  readonly subject: Subject;
  readonly at: number;
  readonly times: number;
  readonly how: string;
  readonly evidence: EvidenceDraft;
  /** The probability that the restart is the cause if it coincides with the start of the symptom. */
  readonly weight: number;
}

/**
 * Finds restarts around the start of the trouble: of the host (its uptime falls, or nearly all long-running processes
 * change pids at once), of containers (status leaves "running", or restart count rises), and of single processes (new pid).
 */
export const restarts: Detector = {
  name: 'restarts',
  detect(facts) {
    const { startedAt } = symptomOf(facts);
    return [...uptimes(facts), ...counts(facts), ...containerStates(facts), ...newPids(facts)]
      .map((restart) => finding(facts, restart, startedAt))
      .filter(({ score }) => score >= LEAST)
      .sort((a, b) => b.score - a.score)
      .slice(0, 5);
  },
};

function finding(facts: Facts, restart: Restart, symptomAt: number): FindingDraft {
  const late = restart.at - symptomAt;
  const fits =
    late <= 0
      ? Math.exp(late / (15 * MINUTE_MS))
      : Math.exp(-Math.max(0, late - MINUTE_MS) / (5 * MINUTE_MS));
  const who =
    restart.subject.kind === 'host'
      ? `Host ${plain(facts.service.host)}`
      : sentenceStart(subjectInWords(restart.subject, facts.service.host));
  const often = restart.times > 1 ? ` ${restart.times} times, first` : '';
  return aboutHost(facts, {
    kind: 'restart',
    detector: 'restarts',
    title: `${who} restarted${often} at ${clock(restart.at, facts.to)}`,
    description: `${restart.how} That was ${span(Math.abs(late))} ${late <= 0 ? 'before' : 'after'} the trouble began.`,
    score: restart.weight * fits,
    subject: restart.subject,
    startedAt: restart.at,
    evidence: [restart.evidence],
  });
}

function sentenceStart(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function uptimes(facts: Facts): Restart[] {
  return facts.metrics.flatMap((metric) => {
    if (!/uptime/.test(metric.metric)) return [];
    const falls = jumps(metric, facts, (before, now) => now < before * 0.5);
    const first = falls[0];
    if (first === undefined) return [];
    const how = `${plain(metric.metric)} fell to ${Math.round(first.now)} from ${Math.round(first.before)}.`;
    return [
      {
        subject: subjectOf(facts, metric),
        at: first.at,
        times: falls.length,
        how,
        evidence: metricEvidence(metric, null, facts.to),
        weight: 0.9,
      },
    ];
  });
}

function counts(facts: Facts): Restart[] {
  return facts.metrics.flatMap((metric) => {
    if (!/restart/.test(metric.metric)) return [];
    const rises = jumps(metric, facts, (before, now) => now >= before + 0.5);
    const first = rises[0];
    const last = rises.at(-1);
    if (first === undefined || last === undefined) return [];
    const times = Math.max(1, Math.round(last.now - first.before));
    const how = `${plain(metric.metric)} rose from ${Math.round(first.before)} to ${Math.round(last.now)}.`;
    return [
      {
        subject: subjectOf(facts, metric),
        at: first.at,
        times,
        how,
        evidence: metricEvidence(metric, null, facts.to),
        weight: times > 1 ? 0.9 : 0.75,
      },
    ];
  });
}

function subjectOf(facts: Facts, metric: MetricFacts): Subject {
  return metric.subject.kind === 'host' ? { kind: 'host', name: facts.service.host } : metric.subject;
}

function jumps(metric: MetricFacts, facts: Facts, isOne: (before: number, now: number) => boolean) {
  const { times, values } = slice(metric.recent, facts.from, facts.to);
  const found: Array<{ at: number; before: number; now: number }> = [];
  for (let i = 1; i < times.length; i++) {
    const before = values[i - 1] as number;
    const now = values[i] as number;
    if (isOne(before, now)) found.push({ at: times[i] as number, before, now });
  }
  return found;
}

function containerStates(facts: Facts): Restart[] {
  const { snapshots, snapshotSource } = facts;
  if (snapshotSource === null) return [];
  const seen = new Map<
    string,
    {
      standing: number;
      down: boolean;
      rows: Array<Record<string, number | string | null>>;
      falls: number[];
      image: string | null;
    }
  >();
  for (const snapshot of snapshots) {
    if (snapshot.containers.length === 0 && seen.size === 0) continue;
    const now = new Map(snapshot.containers.map((each) => [each.name, each]));
    for (const each of snapshot.containers)
      if (!seen.has(each.name))
        seen.set(each.name, { standing: 0, down: false, rows: [], falls: [], image: each.image });
    for (const [name, state] of seen) {
      const container = now.get(name);
      const up =
        container !== undefined && (container.status === null || /^(running|up)/i.test(container.status));
      if (!up && !state.down && state.standing >= STOOD / 2) state.falls.push(snapshot.time);
      if (up === state.down)
        state.rows.push({ t: isoTime(snapshot.time), status: container?.status ?? 'not listed' });
      state.standing = up ? state.standing + 1 : state.down ? state.standing : state.standing;
      state.down = !up;
    }
  }
  return [...seen].flatMap(([name, { falls, rows }]) => {
    const at = falls.find((time) => time >= facts.from);
    if (at === undefined) return [];
    const times = falls.filter((time) => time >= facts.from).length;
    return [
      {
        subject: { kind: 'container' as const, name },
        at,
        times,
        how: `Snapshots show it out of "running" ${times === 1 ? 'once' : `${times} times`}.`,
        evidence: tableEvidence(
          snapshotSource,
          `/containers/${plain(name)}/status`,
          { name: plain(name), left_running: times },
          rows,
        ),
        weight: times > 1 ? 0.9 : 0.75,
      },
    ];
  });
}

/** Long-running processes with new pids: a restart of the host if nearly all changed at once, otherwise of each process. */
function newPids(facts: Facts): Restart[] {
  const { snapshots, snapshotSource } = facts;
  if (snapshotSource === null) return [];
  const standing = new Map<string, Standing>();
  const single: Array<{ name: string; at: number; before: string; now: string }> = [];
  for (const [nth, snapshot] of snapshots.entries()) {
    forgetGone(standing, nth);
    const changed = changesOf(standing, snapshot);
    const stood = [...standing.values()].filter(({ count }) => count >= STOOD).length;
    if (
      snapshot.time >= facts.from &&
      changed.length >= NAMES_OF_A_REBOOT &&
      changed.length >= SHARE_OF_A_REBOOT * stood
    ) {
      const rows = changed.map(({ name, before, now }) => ({
        t: isoTime(snapshot.time),
        name: plain(name),
        before,
        now,
      }));
      return [
        {
          subject: { kind: 'host', name: facts.service.host },
          at: snapshot.time,
          times: 1,
          how: `The process ids of ${changed.length} processes that had stood for at least ${STOOD} snapshots all changed at once.`,
          evidence: tableEvidence(
            snapshotSource,
            '/pids',
            { changed: changed.length, standing: stood },
            rows,
          ),
          weight: 0.85,
        },
      ];
    }
    if (snapshot.time >= facts.from)
      single.push(...changed.map((change) => ({ ...change, at: snapshot.time })));
    for (const { name, pids } of snapshot.processes) {
      const text = pids.toSorted((a, b) => a - b).join(' ');
      const known = standing.get(name);
      standing.set(name, { pids: text, count: known?.pids === text ? known.count + 1 : 1, seen: nth });
    }
  }
  return single.slice(0, 5).map(({ name, at, before, now }) => ({
    subject: { kind: 'process', name },
    at,
    times: 1,
    how: `Its process ids changed from ${before} to ${now}.`,
    evidence: tableEvidence(snapshotSource, `/processes/${plain(name)}/pids`, { name: plain(name) }, [
      { t: isoTime(at), before, now },
    ]),
    weight: 0.35,
  }));
}

interface Standing {
  readonly pids: string;
  /** The number of consecutive snapshots that contain the process. */
  readonly count: number;
  /** The last snapshot that contains the process. */
  readonly seen: number;
}

/** A process that was absent from the previous snapshot, such as a job, is new: its new pid is no restart. */
function forgetGone(standing: Map<string, Standing>, nth: number): void {
  for (const [name, { seen }] of standing) if (seen < nth - 1) standing.delete(name);
}

function changesOf(standing: ReadonlyMap<string, Standing>, snapshot: SnapshotFacts) {
  return snapshot.processes.flatMap(({ name, pids }) => {
    const known = standing.get(name);
    if (known === undefined || known.count < STOOD || known.pids === '' || pids.length === 0) return [];
    const before = new Set(known.pids.split(' '));
    if (pids.some((pid) => before.has(String(pid)))) return [];
    return [{ name, before: known.pids.slice(0, 60), now: pids.join(' ').slice(0, 60) }];
  });
}
