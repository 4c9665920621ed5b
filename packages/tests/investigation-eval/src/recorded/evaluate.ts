import type { Facts } from '@tidewatch/domain/investigation/facts';
import type { FindingDraft } from '@tidewatch/domain/investigation/finding';
import { investigate } from '@tidewatch/domain/investigation/investigate';
import type { Verdict } from '@tidewatch/domain/investigation/verdict/verdict';
import { Random } from '../random.ts';
import { situationOf } from './candidates.ts';
import { recordedFacts, type Timing } from './facts.ts';
import { type Hits, hitsOf, orderOf } from './hits.ts';
import type { RecordedCase, Recording } from './recording.ts';
import { SIMPLE_RANKINGS } from './simple-rankings.ts';

/** How a recorded set is evaluated. */
export interface RecordedSet {
  readonly recording: Recording;
  /** What is named as a cause. */
  readonly of: 'hosts' | 'metrics';
  timing(one: RecordedCase): Timing;
  /** The groups of incidents for which figures are printed apart. */
  groupsOf(one: RecordedCase): readonly string[];
}

/** The hits of each ranking in one case and with one renaming; a ranking that does not apply to the case is left out. */
export interface Ranked {
  readonly id: string;
  readonly groups: readonly string[];
  readonly healthy: boolean;
  readonly named: boolean;
  readonly right: boolean;
  /** How sure the investigation was of the cause that it named, and why it named none. */
  readonly confidence: Verdict['confidence'];
  readonly reason: Verdict['inconclusiveReason'];
  readonly cpuSeconds: number;
  readonly hits: Readonly<Record<string, Hits>>;
}

export const PRODUCT = 'the whole investigation';

/** Investigates every case as the product would, once for each renaming of the hosts, and ranks the same window simply. */
export function evaluateRecorded(set: RecordedSet, renamings: number): Ranked[] {
  return set.recording.cases.flatMap((one, nth) => {
    const payloads = set.recording.payloads(one);
    const situation = situationOf(one, payloads, set.of);
    const simple = SIMPLE_RANKINGS.map(({ name, scores }) => ({ name, scores: scores(situation) }));
    const causes = causesOf(one, set.of);
    const candidates = situation.candidates.map(({ name }) => name);
    return Array.from({ length: renamings }, (_, seed): Ranked => {
      const random = new Random(nth * renamings + seed + 1);
      const { facts, names } = recordedFacts(one, payloads, random, set.timing(one));
      const original = new Map([...names].map(([host, name]) => [name, host]));
      const run = timed(facts);
      const nameOf = ({ host, metric }: FindingDraft) =>
        set.of === 'metrics' ? metric : (original.get(host) ?? null);
      const order = run.findings.map(nameOf).filter((name) => name !== null);
      const rank = (scores: ReadonlyMap<string, number>) =>
        hitsOf(orderOf(random.shuffled(candidates), scores), causes);
      const product = new Map([...new Set(order)].map((name, place) => [name, -place]));
      const named = run.rootCause === null ? null : nameOf(run.rootCause);
      return {
        id: one.id,
        groups: set.groupsOf(one),
        healthy: causes.size === 0,
        named: run.rootCause !== null,
        right: named !== null && causes.has(named),
        confidence: run.confidence,
        reason: run.reason,
        cpuSeconds: run.cpuSeconds,
        hits: Object.fromEntries([
          [PRODUCT, rank(product)],
          ...simple.flatMap(({ name, scores }) => (scores === null ? [] : [[name, rank(scores)] as const])),
        ]),
      };
    });
  });
}

/** The names of the candidates that caused the incident; empty for a healthy window. */
export function causesOf({ root_causes }: RecordedCase, of: RecordedSet['of']): ReadonlySet<string> {
  return new Set(
    root_causes.map(({ host, metric }) => (of === 'hosts' ? host : metric)).filter((name) => name !== null),
  );
}

interface Run {
  readonly findings: readonly FindingDraft[];
  readonly confidence: Verdict['confidence'];
  readonly reason: Verdict['inconclusiveReason'];
  /** The finding that is named as the root cause; null if the investigation is inconclusive. */
  readonly rootCause: FindingDraft | null;
  readonly cpuSeconds: number;
}

function timed(facts: Facts): Run {
  const before = process.cpuUsage();
  const { findings, conclusion, confidence, inconclusiveReason: reason, rootCause } = investigate(facts);
  const { user, system } = process.cpuUsage(before);
  const named = conclusion === 'root_cause_found' && rootCause !== null;
  return {
    findings,
    confidence,
    reason,
    rootCause: named ? (findings[rootCause] ?? null) : null,
    cpuSeconds: (user + system) / 1e6,
  };
}
