import { SILENT_MINUTES } from '@tidewatch/contracts/rules/rule-metric';
import type { Turn } from '@tidewatch/store/event-loop/turn';
import type { ServiceKey } from '@tidewatch/store/rule-states/read';
import type { Judging } from '../judging/apply-verdict.ts';
import type { JudgedService } from '../memory/judged-service.ts';
import type { RuleIndex } from '../rules/rule-index.ts';
import type { DataWatch } from './data-watch.ts';
import type { SilenceWatch } from './silence-watch.ts';
import { judgeSilence, mayJudgeSilence } from './silent-minutes.ts';

/** Silence and missing data are judged this often on the pipeline's clock, ms. */
const JUDGED_EVERY_MS = 10_000;

/** What judging what does not come needs. */
export interface AbsenceJudging {
  rules: RuleIndex;
  silence: SilenceWatch;
  data: DataWatch;
  service(id: string): JudgedService | undefined;
  /** Brings services into memory. */
  load(keys: readonly ServiceKey[]): Promise<void>;
  judging(): Judging;
  /** Alert instances of one organization that take a step in one transaction. */
  alertsAtOnce: number;
  turn: Turn;
  /** Whether the partition's last heartbeat left something to be judged. */
  isLeft: boolean;
}

/**
 * Judges hosts that are silent and data that stay away, each time that a partition's clock passes a step. Answers whether
 * something is left for the next heartbeat, since so many alerts of an organization began or ended.
 */
export async function judgeAbsence(
  context: AbsenceJudging,
  partition: number,
  before: number,
  at: number,
): Promise<boolean> {
  const { rules, silence, data, alertsAtOnce, turn, isLeft } = context;
  const now = silence.timeOf(partition);
  if (Math.floor(now / JUDGED_EVERY_MS) === Math.floor(before / JUDGED_EVERY_MS) && !isLeft) return false;
  const silent = [...silence.silences(partition)].filter(({ key, minutes }) =>
    mayJudgeSilence(rules, key.org, context.service(key.id), minutes),
  );
  const overdue = data.overdue(partition, now, rules);
  await context.load([...silent.map(({ key }) => key), ...overdue]);
  const judging = { ...context.judging(), rules };
  const steps = new Map<string, number>();
  let leaves = false;
  const inTurn = async (org: string, judge: () => void) => {
    const taken = steps.get(org) ?? 0;
    if (taken >= alertsAtOnce) {
      leaves = true;
      return;
    }
    const had = judging.changes.pairs.size;
    judge();
    const more = judging.changes.pairs.size - had;
    if (more > 0) steps.set(org, taken + more);
    if (turn.isOver) await turn.give();
  };
  for (const each of silent) {
    const service = context.service(each.key.id);
    if (!service) continue;
    const { organizationId, host, tags } = service;
    await rules.forMetric(organizationId, SILENT_MINUTES).match(host, tags, turn);
    await inTurn(each.key.org, () => judgeSilence(judging, service, each, at));
  }
  for (const { org, id } of overdue) {
    const service = context.service(id);
    if (service) await inTurn(org, () => data.judge(judging, service, now, at));
    else data.forget(id);
  }
  return leaves;
}
