import type { InconclusiveReason } from '@tidewatch/contracts/investigations/analysis';
import type { FindingDraft } from '@tidewatch/domain/investigation/finding';
import { DETECTORS } from '@tidewatch/domain/investigation/investigate';
import { isContext } from '@tidewatch/domain/investigation/kinds/finding-kinds';
import { conclude } from '@tidewatch/domain/investigation/verdict/conclude';
import type { Cause, Incident, Kind, Setting } from '../incident.ts';

/** The result of the investigation of one incident. */
export interface Outcome {
  readonly kind: string;
  readonly sort: Kind['sort'];
  readonly setting: Setting;
  /** How much history was known from before the window, ms. */
  readonly historyMs: number;
  readonly hasCause: boolean;
  /** The rank of the first finding that names the cause, from 1; null if none does. */
  readonly place: number | null;
  readonly found: boolean;
  /** Why no cause is named; null if one is. */
  readonly reason: InconclusiveReason | null;
  /** Whether the finding that the investigation reports as the cause is right. */
  readonly foundRightly: boolean;
  readonly first: { readonly score: number; readonly hit: boolean; readonly title: string } | null;
  /** For each detector, the rank of the cause among its own findings. */
  readonly alone: ReadonlyMap<string, number | null>;
  /** The CPU time of all detectors and the ranking, ms. */
  readonly milliseconds: number;
}

/** Simulates an incident and investigates it. */
export function investigate(kind: Kind, setting: Setting, clock: () => number): Outcome {
  return investigateIncident(kind, setting, kind.make(setting), clock);
}

/** Investigates an incident and compares the result with its known cause. */
export function investigateIncident(
  { name, sort }: Kind,
  setting: Setting,
  incident: Incident,
  clock: () => number,
): Outcome {
  const before = clock();
  const drafts = DETECTORS.map((detector) => [detector.name, detector.detect(incident.facts)] as const);
  const verdict = conclude(
    incident.facts,
    drafts.flatMap(([, found]) => found),
  );
  const milliseconds = clock() - before;
  const [first] = verdict.findings;
  const cause = verdict.rootCause === null ? undefined : verdict.findings[verdict.rootCause];
  return {
    kind: name,
    sort,
    setting,
    historyMs: incident.facts.from - incident.facts.historyFrom,
    hasCause: incident.cause !== null,
    place: placeOf(verdict.findings, incident),
    found: verdict.conclusion === 'root_cause_found',
    reason: verdict.inconclusiveReason,
    foundRightly: cause !== undefined && isHit(cause, incident.cause),
    first:
      first === undefined
        ? null
        : { score: first.score, hit: isHit(first, incident.cause), title: first.title },
    alone: new Map(
      drafts.map(([detector, found]) => [
        detector,
        placeOf(
          found.toSorted((a, b) => b.score - a.score),
          incident,
        ),
      ]),
    ),
    milliseconds,
  };
}

function placeOf(findings: readonly FindingDraft[], { cause }: Incident): number | null {
  const at = findings.findIndex((finding) => isHit(finding, cause));
  return at === -1 ? null : at + 1;
}

/** Whether a finding names the cause of the incident: its host and subject, and its metric and kind if these are known. */
export function isHit(finding: FindingDraft, cause: Cause | null): boolean {
  if (cause === null || finding.subject.kind !== cause.subject) return false;
  if (cause.host !== null && finding.host !== cause.host) return false;
  if (cause.names !== null && !cause.names.includes(finding.subject.name)) return false;
  if (cause.metrics !== null && !cause.metrics.includes(finding.metric ?? '')) return false;
  if (cause.kind !== null && finding.kind !== cause.kind) return false;
  return !isContext(finding);
}
