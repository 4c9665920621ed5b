import type { RuleDefinition } from '@tidewatch/contracts/rules/rule';
import type { Transaction } from '@tidewatch/database/connection';
import type { TrialRules } from '@tidewatch/domain/preview/trial-rules';
import type { Tier } from '@tidewatch/domain/rollup/buckets';
import type { MatchedPart } from '@tidewatch/domain/rules/selector';
import type { Tally } from './tally.ts';

/** A rule to evaluate on stored values; times in ms, `[from, to)`. */
export interface PreviewRequest {
  organizationId: string;
  rule: RuleDefinition;
  /** The rule with other thresholds and durations. */
  candidates: readonly RuleDefinition[];
  tier: 'raw' | '1m';
  from: number;
  to: number;
  /** The time from which on each tier has all rows, ms. */
  retained: Readonly<Record<Tier, number>>;
  /** The maximum number of alerts to return. */
  maxAlerts: number;
  /** Aborted when the client disconnects or the preview takes too long; its reason is thrown. */
  signal: AbortSignal;
}

/**
 * Returns the rules for a host, or for a part, container or process of it, the same object for all with the same thresholds; null if scope or an
 * override excludes it.
 */
export type RulesOfSubject = (
  host: string,
  tags: Readonly<Record<string, string>>,
  part: MatchedPart | null,
) => TrialRules | null;

/** The shared state of one preview. */
export interface PreviewContext {
  tx: Transaction;
  request: PreviewRequest;
  rulesOf: RulesOfSubject;
  /** Whether the rule may apply to this host, or to some part, container or process of it. */
  appliesTo(host: string, tags: Readonly<Record<string, string>>): boolean;
  tally: Tally;
}
