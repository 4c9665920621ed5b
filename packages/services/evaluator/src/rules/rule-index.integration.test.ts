import { openForFile } from '@tidewatch/harness/opened';
import { expect, test } from 'vitest';
import { EvaluatorHarness, ORGANIZATION } from '../testing/evaluator.harness.ts';
import { RuleIndex } from './rule-index.ts';

const OTHER = 'org_00000000000070008000000000000002';
const harness = await openForFile(EvaluatorHarness.open());

test('editing one rule leaves the compiled rules of other metrics and organizations unchanged', async () => {
  const [edited, beside, others] = [await harness.rule(), await harness.rule(), await harness.rule()];
  await harness.store.sql`insert into organizations (id, name) values (${OTHER}, 'other')`;
  await harness.store.sql`update alert_rules set organization_id = ${OTHER} where id = ${others.id}`;
  const index = new RuleIndex();
  expect(await index.refresh(harness.store.sql, 1)).toBe('all');
  const of = (organizationId: string, { metric }: { metric: string }) =>
    index.forMetric(organizationId, metric);
  const before = [of(ORGANIZATION, edited), of(ORGANIZATION, beside), of(OTHER, others)];
  const generations = [ORGANIZATION, OTHER].map((id) => index.generationOf(id));
  await harness.edit(edited.id, { threshold: 50 });
  expect(await index.refresh(harness.store.sql, 2)).toEqual([edited.id]);
  const after = [of(ORGANIZATION, edited), of(ORGANIZATION, beside), of(OTHER, others)];
  expect(after.map((rules, place) => rules === before[place])).toEqual([false, true, true]);
  expect([ORGANIZATION, OTHER].map((id) => index.generationOf(id) - (generations.shift() ?? 0))).toEqual([
    1, 0,
  ]);
  await harness.deleteRule(beside.id);
  expect(await index.refresh(harness.store.sql, 3)).toEqual([beside.id]);
  await harness.store.sql`update alert_rules set deleted_at = now() where id = ${others.id}`;
  expect(await index.refresh(harness.store.sql, 4)).toEqual([others.id]);
  expect([of(ORGANIZATION, beside).rules, of(OTHER, others).rules]).toEqual([[], []]);
});
