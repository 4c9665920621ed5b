import type { FindingKind } from '@tidewatch/contracts/investigations/finding';
import type { Facts } from '../facts.ts';
import type { FindingDraft } from '../finding.ts';
import type { TimelineEntry } from '../verdict/verdict.ts';
import { plain, subjectInWords } from '../words/names.ts';
import { shellQuoted } from '../words/shell.ts';
import { type Advice, READS_ONLY } from './advice.ts';
import { changeAdvice, peerAdvice } from './change-advice.ts';
import { containerAdvice } from './container-advice.ts';
import { metricAdvice } from './metric-advice.ts';
import { processAdvice } from './process-advice.ts';

/**
 * What a kind of finding says of the cause:
 * - `cause`: what it is about may be the cause.
 * - `shared_cause`: a tag that hosts share may be the cause; a list of hosts describes how far the trouble reaches.
 * - `context`: describes the circumstances and is never named as the cause.
 * - `past`: describes earlier times; the analysis lists it under "Before" and never as the most probable explanation.
 */
export type FindingRole = 'cause' | 'shared_cause' | 'context' | 'past';

/** How findings of one kind are ranked, dated and turned into recommendations. */
export interface KindOfFinding {
  readonly role: FindingRole;
  /**
   * Whether the finding is ranked as a candidate of its own, as a restart or a change is, instead of as one of the metric
   * that showed it.
   */
  readonly rankedApart: boolean;
  /** The type of the timeline entry for the start of the finding; null if the start is no event. */
  timelineType(finding: FindingDraft): TimelineEntry['type'] | null;
  readonly timelineActor: TimelineEntry['actor'];
  /** Recommendations for a finding: what to check first, then what helps. */
  advice(finding: FindingDraft, facts: Facts): readonly Advice[];
}

const METRIC: KindOfFinding = {
  role: 'cause',
  rankedApart: false,
  timelineType: () => 'metric_shift',
  timelineActor: 'detector',
  advice: metricAdvice,
};

/** The properties of every kind of finding; a missing kind is a type error. */
export const KINDS_OF_FINDINGS: Readonly<Record<FindingKind, KindOfFinding>> = {
  metric_shift: METRIC,
  correlated_metric: METRIC,
  saturation: METRIC,
  process: {
    role: 'cause',
    rankedApart: false,
    timelineType: ({ title }) => (title.includes(' appeared at ') ? 'process_started' : 'metric_shift'),
    timelineActor: 'detector',
    advice: processAdvice,
  },
  container: {
    role: 'cause',
    rankedApart: false,
    timelineType: () => 'metric_shift',
    timelineActor: 'detector',
    advice: containerAdvice,
  },
  restart: {
    role: 'cause',
    rankedApart: true,
    timelineType: ({ subject }) => restartTypeOf(subject),
    timelineActor: 'detector',
    advice: (finding) =>
      finding.subject.kind === 'container' ? containerAdvice(finding) : restartAdvice(finding),
  },
  change: {
    role: 'cause',
    rankedApart: true,
    timelineType: () => 'change',
    timelineActor: 'user',
    advice: changeAdvice,
  },
  peer_hosts: {
    role: 'shared_cause',
    rankedApart: false,
    timelineType: () => null,
    timelineActor: 'detector',
    advice: peerAdvice,
  },
  data_gap: {
    role: 'context',
    rankedApart: false,
    timelineType: () => 'host_silent',
    timelineActor: 'detector',
    advice: gapAdvice,
  },
  recurrence: {
    role: 'past',
    rankedApart: false,
    timelineType: () => 'recurrence',
    timelineActor: 'detector',
    advice: () => [],
  },
};

/** Whether findings of this kind describe circumstances or earlier times, and so are never a cause. */
export function isContext({ kind }: FindingDraft): boolean {
  const { role } = KINDS_OF_FINDINGS[kind];
  return role === 'context' || role === 'past';
}

/** Whether a finding describes earlier times. */
export function isPast({ kind }: FindingDraft): boolean {
  return KINDS_OF_FINDINGS[kind].role === 'past';
}

/** Whether a finding is ranked as a candidate for the cause, by its kind; it may still be an effect. */
export function isCandidate({ kind, subject }: FindingDraft): boolean {
  const { role } = KINDS_OF_FINDINGS[kind];
  return role === 'cause' || (role === 'shared_cause' && subject.kind === 'tag');
}

function restartTypeOf({ kind }: FindingDraft['subject']): TimelineEntry['type'] {
  if (kind === 'container') return 'container_restarted';
  return kind === 'host' ? 'host_restarted' : 'process_started';
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
