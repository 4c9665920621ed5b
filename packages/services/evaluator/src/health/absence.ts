import { SILENT_MINUTES } from '@tidewatch/contracts/rules/rule-metric';
import type { Turn } from '@tidewatch/store/event-loop/turn';
import type { ServiceKey } from '@tidewatch/store/rule-states/read';
import type { Evaluation } from '../evaluation/evaluation.ts';
import type { EvaluatedService } from '../memory/evaluated-service.ts';
import type { RuleIndex } from '../rules/rule-index.ts';
import type { DataWatch } from './data-watch.ts';
import type { SilenceWatch } from './silence-watch.ts';
import { evaluateSilence, hasSilenceRules, mayChangeBySilence } from './silent-minutes.ts';

/** Interval of evaluating silence and missing data, on the pipeline clock. */
const EVALUATE_EVERY_MS = 10_000;

/** The inputs for evaluating silent hosts and missing data. */
export interface AbsenceEvaluation {
  rules: RuleIndex;
  silence: SilenceWatch;
  data: DataWatch;
  service(id: string): EvaluatedService | undefined;
  /** Loads hosts into memory. */
  load(keys: readonly ServiceKey[]): Promise<void>;
  evaluation(): Evaluation;
  /** Max transitions of one organization in one transaction. */
  alertsAtOnce: number;
  turn: Turn;
  /** Whether the last heartbeat of the partition left evaluations to this one. */
  isLeft: boolean;
}

/**
 * Evaluates silent hosts and missing data whenever a partition's clock passes a multiple of the interval. Returns whether
 * evaluations are left for the next heartbeat because an organization has used up its share.
 */
export async function evaluateAbsence(
  context: AbsenceEvaluation,
  partition: number,
  before: number,
  at: number,
): Promise<boolean> {
  const { rules, silence, data, alertsAtOnce, turn, isLeft } = context;
  const now = silence.timeOf(partition);
  if (Math.floor(now / EVALUATE_EVERY_MS) === Math.floor(before / EVALUATE_EVERY_MS) && !isLeft) return false;
  const hasRules = (org: string) => hasSilenceRules(rules, org);
  const silent = [...silence.silences(partition, hasRules)].filter(({ key, minutes }) =>
    mayChangeBySilence(rules, key.org, context.service(key.id), minutes),
  );
  const overdue = data.overdue(partition, now, rules);
  await context.load([...silent.map(({ key }) => key), ...overdue]);
  const evaluation = { ...context.evaluation(), rules };
  const steps = new Map<string, number>();
  let leaves = false;
  const inTurn = async (org: string, evaluate: () => void) => {
    const taken = steps.get(org) ?? 0;
    if (taken >= alertsAtOnce) {
      leaves = true;
      return;
    }
    const had = evaluation.changes.instances.size;
    evaluate();
    const more = evaluation.changes.instances.size - had;
    if (more > 0) steps.set(org, taken + more);
    if (turn.isOver) await turn.yieldWhenDue();
  };
  for (const each of silent) {
    const service = context.service(each.key.id);
    if (!service) continue;
    const { organizationId, host, tags } = service;
    await rules.forMetric(organizationId, SILENT_MINUTES).match(host, tags, null, turn);
    await inTurn(each.key.org, () => evaluateSilence(evaluation, service, each, at));
  }
  for (const { org, id } of overdue) {
    const service = context.service(id);
    if (service) await inTurn(org, () => data.evaluate(evaluation, service, now, at));
    else data.forget(id);
  }
  return leaves;
}
