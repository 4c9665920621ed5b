import { createHash } from 'node:crypto';
import type {
  Analysis,
  Recommendation,
  TimelineEntry,
  Usage,
} from '@tidewatch/contracts/investigations/analysis';
import type { Finding } from '@tidewatch/contracts/investigations/finding';
import { toIso } from '@tidewatch/contracts/time/time';
import type { EvidenceDraft, FindingDraft, Summary } from '@tidewatch/domain/investigation/finding';
import type { RankedFinding, Verdict } from '@tidewatch/domain/investigation/verdict/verdict';
import type { EvidenceOfSource, Outcome } from '@tidewatch/store/investigations/write-run';

/** Creates ids of findings and evidence. */
export type MintId = (prefix: 'fnd' | 'evd') => string;

const iso = (ms: number | null) => (ms === null ? null : toIso(ms));

/** The ids of evidence by source, so that findings that cite the same source share one piece of evidence. */
export class EvidenceIds {
  readonly #mint: MintId;
  readonly #ids = new Map<string, string>();

  constructor(mint: MintId) {
    this.#mint = mint;
  }

  of(ref: string): string {
    let id = this.#ids.get(ref);
    if (id === undefined) {
      id = this.#mint('evd');
      this.#ids.set(ref, id);
    }
    return id;
  }

  /** The ids of the sources that have evidence, each once. */
  known(refs: readonly string[]): string[] {
    return [...new Set(refs)].flatMap((ref) => this.#ids.get(ref) ?? []);
  }
}

/** Converts findings to the form in which they are stored, in the same order. */
export function recordFindings(
  drafts: readonly (FindingDraft | RankedFinding)[],
  mint: MintId,
  evidence: EvidenceIds,
): Finding[] {
  return drafts.map((draft) => ({
    id: mint('fnd'),
    kind: draft.kind,
    title: draft.title,
    description: draft.description,
    score: Math.min(1, Math.max(0, draft.score)),
    possible_cause: 'possibleCause' in draft ? draft.possibleCause : null,
    service_id: draft.serviceId,
    host: draft.host,
    subject: { kind: draft.subject.kind, name: draft.subject.name },
    metric: draft.metric,
    baseline: recordSummary(draft.baseline),
    observed: recordSummary(draft.observed),
    started_at: iso(draft.startedAt),
    hosts: draft.hosts.map(({ serviceId, host, score, metric, startedAt }) => ({
      service_id: serviceId,
      host,
      score,
      metric,
      started_at: iso(startedAt),
    })),
    unaffected_hosts: draft.unaffectedHosts.map(({ serviceId, host }) => ({ service_id: serviceId, host })),
    evidence_ids: [...new Set(draft.evidence.map(({ ref }) => evidence.of(ref)))],
  }));
}

function recordSummary(summary: Summary | null): Finding['baseline'] {
  return summary && { ...summary, from: toIso(summary.from), to: toIso(summary.to) };
}

/** The evidence of findings, merged by source: the piece with the most points, with the numbers of all pieces. */
export function recordEvidence(drafts: readonly FindingDraft[], evidence: EvidenceIds): EvidenceOfSource[] {
  const bySource = new Map<string, EvidenceDraft>();
  for (const draft of drafts.flatMap((each) => each.evidence)) {
    const known = bySource.get(draft.ref);
    bySource.set(draft.ref, known === undefined ? draft : merged(known, draft));
  }
  return [...bySource.values()].map(({ ref, query, from, to, stats, points }) => ({
    id: evidence.of(ref),
    ref,
    query,
    from: toIso(from),
    to: toIso(to),
    stats: { ...stats },
    points: points.map((point) => ({ ...point })),
  }));
}

function merged(a: EvidenceDraft, b: EvidenceDraft): EvidenceDraft {
  const richer = b.points.length > a.points.length ? b : a;
  return { ...richer, stats: { ...(richer === a ? b : a).stats, ...richer.stats } };
}

/** Converts a verdict to the form in which it is stored, with the texts of the statistics. */
export function recordVerdict(
  verdict: Verdict,
  mint: MintId,
  context: { timeline: readonly TimelineEntry[]; seconds: number },
): Outcome {
  const ids = new EvidenceIds(mint);
  const findings = recordFindings(verdict.findings, mint, ids);
  const evidence = recordEvidence(verdict.findings, ids);
  const timeline = verdict.timeline.map(
    ({ at, type, title, actor, evidenceRefs }): TimelineEntry => ({
      at: toIso(at),
      type,
      title,
      actor,
      evidence_ids: ids.known(evidenceRefs),
    }),
  );
  const recommendations = verdict.recommendations.map(
    ({ priority, title, description, command, risk, evidenceRefs }): Recommendation => ({
      priority,
      title,
      description,
      command,
      risk,
      evidence_ids: ids.known(evidenceRefs),
    }),
  );
  const root = verdict.rootCause === null ? undefined : findings[verdict.rootCause];
  const analysis: Analysis = {
    summary: verdict.summary,
    root_cause: verdict.rootCauseText,
    root_cause_finding_id: root?.id ?? null,
    inconclusive_reason: verdict.inconclusiveReason,
    details_markdown: verdict.detailsMarkdown,
    source: 'statistics',
    model: null,
    model_status: 'not_configured',
    model_reason: null,
    claims_dropped: 0,
  };
  const { conclusion, confidence } = verdict;
  return {
    conclusion,
    confidence,
    findings,
    analysis,
    recommendations,
    evidence,
    timeline: inOrder([...timeline, ...context.timeline.filter((entry) => !isRecorded(timeline, entry))]),
    usage: noUsage(context.seconds),
    digest: digestOf(evidence),
  };
}

export function noUsage(seconds: number): Usage {
  return { model_calls: 0, tool_calls: 0, input_tokens: 0, output_tokens: 0, seconds };
}

/** Sorts entries by time; entries of the same time keep their order. */
export function inOrder(timeline: readonly TimelineEntry[]): TimelineEntry[] {
  return [...timeline].sort((a, b) => Date.parse(a.at) - Date.parse(b.at));
}

function isRecorded(timeline: readonly TimelineEntry[], { at, type }: TimelineEntry): boolean {
  return timeline.some((entry) => entry.type === type && entry.at === at);
}

/** A digest of the evidence without ids, which differ in each run. */
function digestOf(evidence: readonly EvidenceOfSource[]): Buffer {
  const seen = evidence.map(({ id, ...rest }) => rest).sort((a, b) => (a.ref < b.ref ? -1 : 1));
  return createHash('sha256').update(JSON.stringify(seen)).digest();
}
