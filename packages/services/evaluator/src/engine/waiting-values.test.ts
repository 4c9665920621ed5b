import { definitionOf } from '@tidewatch/contracts/rules/testing/rule-definition';
import { compileRule } from '@tidewatch/domain/rules/rule';
import { Turn } from '@tidewatch/store/event-loop/turn';
import { beforeEach, expect, test } from 'vitest';
import { Changes } from '../evaluation/changes.ts';
import { ActiveRows } from '../memory/active-rows.ts';
import { AlertInstance } from '../memory/alert-instance.ts';
import { newService } from '../memory/loading/load-services.ts';
import { Stream } from '../memory/stream.ts';
import { RuleSet } from '../rules/rule-set.ts';
import { WaitingValues } from './waiting-values.ts';

const BEGAN = 1_780_000_000_000;
const rule = compileRule({
  id: 'rul_1',
  organizationId: 'org_1',
  version: 1,
  definition: definitionOf({ metric: 'm', condition: 'greater_than', threshold: 1 }),
});
const rules = new RuleSet([rule]);

let waiting: WaitingValues;
beforeEach(async () => {
  waiting = new WaitingValues();
  waiting.note(rules);
  waiting.instances.add(pending());
  await take(0); // From here on it counts.
});

function pending(): AlertInstance {
  const service = newService('org_1', 'svc_1', 'host', BEGAN, new ActiveRows());
  const stream = new Stream(service, { subject: service.subject, metric: 'm', key: 'm' }, 0, BEGAN);
  const instance = new AlertInstance(stream, rule, BEGAN);
  instance.state = {
    state: 'pending',
    pendingSince: BEGAN,
    clearSince: null,
    evaluatedAt: BEGAN,
    value: 2,
    peakValue: 2,
    flapCount: 0,
    firedAt: null,
    valueAtFire: null,
    severity: 'info',
    levels: null,
    noData: false,
    missed: 0,
  };
  return instance;
}

/** Returns what a transaction flushes that ends after this many ms. */
async function take(ms: number) {
  const changes = new Changes();
  const evaluated = await waiting.take(
    {
      changes,
      dirtyInstances: waiting.instances,
      newAlertId: () => 'alr_1',
      muting: () => null,
      endFormer: () => undefined,
      now: BEGAN + ms,
    },
    new Turn(),
  );
  return { instances: [...changes.instances], evaluated: [...evaluated] };
}

test('waiting values are flushed by the first transaction that ends 500 ms after the last flush', async () => {
  const instance = pending();
  waiting.instances.add(instance);
  expect((await take(499)).instances).toEqual([]);
  expect((await take(500)).instances).toEqual([instance]);
  waiting.instances.add(instance);
  expect((await take(999)).instances).toEqual([]);
  expect((await take(1_000)).instances).toEqual([instance]);
  expect(waiting.size).toBe(0);
});

test('the activity of rules is flushed each second and collected again from then on', async () => {
  const { epoch } = waiting;
  waiting.note(rules);
  expect((await take(999)).evaluated).toEqual([]);
  expect(waiting.epoch).toBe(epoch);
  expect((await take(1_000)).evaluated).toEqual([['rul_1', 'org_1']]);
  expect(waiting.epoch).toBeGreaterThan(epoch);
});

test('waiting values are overdue only when no transaction has flushed them for long', () => {
  expect(waiting.isOverdue(BEGAN + 60_000)).toBe(false);
  waiting.note(rules);
  expect(waiting.isOverdue(BEGAN + 1_899)).toBe(false);
  expect(waiting.isOverdue(BEGAN + 1_900)).toBe(true);
  waiting.instances.add(pending());
  expect(waiting.isOverdue(BEGAN + 899)).toBe(false);
  expect(waiting.isOverdue(BEGAN + 900)).toBe(true);
});

test('values that were made due are flushed by the next transaction', async () => {
  const instance = pending();
  waiting.instances.add(instance);
  waiting.note(rules);
  waiting.makeDue();
  expect(waiting.isOverdue(BEGAN)).toBe(true);
  expect(await take(0)).toEqual({ instances: [instance], evaluated: [['rul_1', 'org_1']] });
});

test('values beyond the limit of one flush are flushed 300 ms later', async () => {
  for (let i = 0; i < 4_500; i += 1) waiting.instances.add(pending());
  expect((await take(500)).instances).toHaveLength(2_000);
  expect(waiting.isOverdue(BEGAN + 799)).toBe(false);
  expect((await take(799)).instances).toHaveLength(0);
  expect(waiting.isOverdue(BEGAN + 800)).toBe(true);
  expect((await take(800)).instances).toHaveLength(2_000);
  // The remaining values fit into one flush, so that none is overdue yet.
  expect(waiting.isOverdue(BEGAN + 1_100)).toBe(false);
  expect((await take(1_300)).instances).toHaveLength(500);
});

test('a clock that is set back does not delay the flush of values', async () => {
  const instance = pending();
  waiting.instances.add(instance);
  waiting.note(rules);
  expect(waiting.isOverdue(BEGAN - 3_600_000)).toBe(true);
  expect(await take(-3_600_000)).toEqual({ instances: [instance], evaluated: [['rul_1', 'org_1']] });
  waiting.instances.add(instance);
  expect((await take(-3_600_000 + 499)).instances).toEqual([]);
  expect((await take(-3_600_000 + 500)).instances).toEqual([instance]);
});
