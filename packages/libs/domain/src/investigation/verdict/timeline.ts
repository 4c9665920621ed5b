import type { FindingDraft } from '../finding.ts';
import { KINDS_OF_FINDINGS } from '../kinds/finding-kinds.ts';
import type { TimelineEntry } from './verdict.ts';

const MAX_ENTRIES = 20;

/** Events in order of time: the onsets of the best findings. The caller adds the transitions of the alert. */
export function timelineOf(findings: readonly FindingDraft[]): TimelineEntry[] {
  return findings
    .flatMap((finding) => entryOf(finding) ?? [])
    .slice(0, MAX_ENTRIES)
    .sort((a, b) => a.at - b.at);
}

function entryOf(finding: FindingDraft): TimelineEntry | null {
  const { startedAt: at, kind, title, evidence } = finding;
  const { timelineType, timelineActor } = KINDS_OF_FINDINGS[kind];
  const type = timelineType(finding);
  if (at === null || type === null) return null;
  return { at, type, title, actor: timelineActor, evidenceRefs: evidence.map(({ ref }) => ref) };
}
