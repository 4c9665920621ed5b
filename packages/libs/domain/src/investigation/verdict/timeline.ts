import type { FindingKind } from '@tidewatch/contracts/investigations/finding';
import type { FindingDraft } from '../finding.ts';
import type { TimelineEntry } from './verdict.ts';

const MOST = 20;

const TYPES: Record<FindingKind, TimelineEntry['type']> = {
  metric_shift: 'metric_shift',
  correlated_metric: 'metric_shift',
  process: 'process_started',
  container: 'metric_shift',
  peer_hosts: 'metric_shift',
  recurrence: 'recurrence',
  saturation: 'metric_shift',
  restart: 'container_restarted',
  data_gap: 'host_silent',
  change: 'change',
};

/** Events in order of time: the onsets of the best findings. The caller adds the transitions of the alert. */
export function timelineOf(findings: readonly FindingDraft[]): TimelineEntry[] {
  return findings
    .filter(({ startedAt, kind }) => startedAt !== null && kind !== 'peer_hosts')
    .slice(0, MOST)
    .map(
      (finding): TimelineEntry => ({
        at: finding.startedAt ?? 0,
        type: typeOf(finding),
        title: finding.title,
        actor: finding.kind === 'change' ? 'user' : 'detector',
        evidenceRefs: finding.evidence.map(({ ref }) => ref),
      }),
    )
    .sort((a, b) => a.at - b.at);
}

function typeOf({ kind, subject, title }: FindingDraft): TimelineEntry['type'] {
  if (kind === 'restart' && subject.kind !== 'container')
    return subject.kind === 'host' ? 'host_restarted' : 'process_started';
  if (kind === 'process' && !title.includes(' appeared at ')) return 'metric_shift';
  return TYPES[kind];
}
