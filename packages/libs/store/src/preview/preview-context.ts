import type { RuleDefinition } from '@tidewatch/contracts/rules/rule';
import type { TrialRules } from '@tidewatch/domain/preview/trial-rules';
import type { Tier } from '@tidewatch/domain/rollup/tier';
import type { Transaction } from '../database/connection.ts';
import type { Tally } from './tally.ts';

/** A rule to be tried on what is stored; times in ms, `[from, to)`. */
export interface PreviewRequest {
  organizationId: string;
  rule: RuleDefinition;
  /** The rule with other thresholds and durations. */
  candidates: readonly RuleDefinition[];
  tier: 'raw' | '1m';
  from: number;
  to: number;
  /** From when on each tier holds everything, ms. */
  retained: Readonly<Record<Tier, number>>;
  /** How many alerts to answer. */
  maxAlerts: number;
  /** Aborted when nobody waits any more or it takes too long; its reason is thrown. */
  signal: AbortSignal;
}

/** What judges a host, the same object for all hosts that are judged alike; null where the rule leaves it out. */
export type RulesOfHost = (host: string, tags: Readonly<Record<string, string>>) => TrialRules | null;

/** What the trials of one preview share. */
export interface PreviewContext {
  tx: Transaction;
  request: PreviewRequest;
  rulesOf: RulesOfHost;
  tally: Tally;
}
