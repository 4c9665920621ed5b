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
}

/** Judges hosts that are silent and data that stay away, each time that a partition's clock passes a step. */
export async function judgeAbsence(context: AbsenceJudging, partition: number, before: number, at: number) {
  const { rules, silence, data } = context;
  const now = silence.timeOf(partition);
  if (Math.floor(now / JUDGED_EVERY_MS) === Math.floor(before / JUDGED_EVERY_MS)) return;
  const silent = [...silence.silences(partition)].filter(({ key, minutes }) =>
    mayJudgeSilence(rules, key.org, context.service(key.id), minutes),
  );
  const overdue = data.overdue(partition, now, rules);
  await context.load([...silent.map(({ key }) => key), ...overdue]);
  const judging = { ...context.judging(), rules };
  for (const each of silent) {
    const service = context.service(each.key.id);
    if (service) judgeSilence(judging, service, each, at);
  }
  for (const { id } of overdue) {
    const service = context.service(id);
    if (service) data.judge(judging, service, now, at);
    else data.forget(id);
  }
}
