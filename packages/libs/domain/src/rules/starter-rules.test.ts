import { readRuleSet } from '@tidewatch/contracts/rules/rule-set';
import { describe, expect, it } from 'vitest';
import type { AlertInstanceState } from '../alerting/alert-instance-state.ts';
import { evaluate } from '../alerting/evaluate.ts';
import { compileRule } from './rule.ts';
import { STARTER_PREFIX, STARTER_RULES } from './starter-rules.ts';

it('the starter set can be applied, and each of its rules notifies the default channels', async () => {
  const read = await readRuleSet({ rules: STARTER_RULES });
  if ('errors' in read) throw new Error(JSON.stringify(read.errors));
  expect(read.set.rules.map(({ external_id, channels }) => [external_id, channels])).toEqual([
    [`${STARTER_PREFIX}cpu-busy`, ['default']],
    [`${STARTER_PREFIX}memory-nearly-full`, ['default']],
    [`${STARTER_PREFIX}disk-nearly-full`, ['default']],
    [`${STARTER_PREFIX}disk-filling-up`, ['default']],
    [`${STARTER_PREFIX}host-offline`, ['default']],
    [`${STARTER_PREFIX}filesystem-nearly-full`, ['default']],
    [`${STARTER_PREFIX}inodes-nearly-exhausted`, ['default']],
    [`${STARTER_PREFIX}interface-errors`, ['default']],
    [`${STARTER_PREFIX}unit-failed`, ['default']],
    [`${STARTER_PREFIX}agent-drops`, ['default']],
    [`${STARTER_PREFIX}agent-behind`, ['default']],
    [`${STARTER_PREFIX}agent-collectors-fail`, ['default']],
    [`${STARTER_PREFIX}container-unhealthy`, ['default']],
    [`${STARTER_PREFIX}container-restarts`, ['default']],
    [`${STARTER_PREFIX}tidewatch-behind`, ['default']],
    [`${STARTER_PREFIX}tidewatch-gave-up-records`, ['default']],
    [`${STARTER_PREFIX}tidewatch-notifications-wait`, ['default']],
    [`${STARTER_PREFIX}tidewatch-jobs-fail`, ['default']],
    [`${STARTER_PREFIX}tidewatch-process-away`, ['default']],
  ]);
});

describe('of a rule on parts or on Tidewatch itself', () => {
  /**
   * Evaluates a value every ten seconds against a starter rule; `values` gives the value from each minute on. Returns the
   * transitions by whole seconds.
   */
  async function story(name: string, values: readonly [minute: number, value: number][], minutes: number) {
    const read = await readRuleSet({ rules: STARTER_RULES });
    if ('errors' in read) throw new Error(JSON.stringify(read.errors));
    const definition = read.set.rules.find((rule) => rule.external_id === `${STARTER_PREFIX}${name}`);
    if (definition === undefined) throw new Error(`no rule ${name}`);
    const rule = compileRule({ id: 'rul_1', organizationId: 'org_1', version: 1, definition });
    const happened: string[] = [];
    let state: AlertInstanceState | null = null;
    let last: number | null = null;
    for (let time = 0; time <= minutes * 60_000; time += 10_000) {
      const value = values.findLast(([minute]) => minute * 60_000 <= time)?.[1] ?? 0;
      const verdict = evaluate(rule, state, last, time, value, 10_000);
      if (verdict !== null) state = verdict.next;
      last = time;
      for (const transition of verdict?.transitions ?? [])
        if (!['pending', 'cleared', 'recovering'].includes(transition))
          happened.push(`${transition} ${time / 60_000} ${state?.severity ?? ''}`.trimEnd());
    }
    return happened;
  }

  it.each<[name: string, values: [minute: number, value: number][], minutes: number, happened: string[]]>([
    [
      'tidewatch-behind',
      [
        [0, 0.1],
        [5, 12],
        [6, 0.1],
      ],
      30,
      [],
    ],
    [
      'tidewatch-behind',
      [
        [0, 0.1],
        [5, 12],
        [10, 90],
        [20, 4],
      ],
      30,
      ['fired 7 warning', 'escalated 12 critical', 'resolved 22'],
    ],
    // A failed notification is visible for a minute, and keeps the alert firing for an hour.
    [
      'tidewatch-gave-up-records',
      [
        [5, 1],
        [6, 0],
      ],
      80,
      ['fired 5 warning', 'resolved 66'],
    ],
    [
      'tidewatch-notifications-wait',
      [
        [5, 30],
        [6, 0],
      ],
      20,
      [],
    ],
    [
      'tidewatch-notifications-wait',
      [
        [5, 70],
        [15, 610],
        [20, 0],
      ],
      30,
      ['fired 7 warning', 'escalated 15 critical', 'resolved 20'],
    ],
    // A single failed round of a job raises the rate for a minute.
    [
      'tidewatch-jobs-fail',
      [
        [5, 1],
        [6, 0],
      ],
      30,
      [],
    ],
    [
      'tidewatch-jobs-fail',
      [
        [5, 2],
        [15, 0],
      ],
      30,
      ['fired 10 warning', 'resolved 20'],
    ],
    [
      'tidewatch-process-away',
      [
        [5, 1],
        [6, 0],
      ],
      20,
      [],
    ],
    [
      'tidewatch-process-away',
      [
        [5, 1],
        [9, 0],
      ],
      20,
      ['fired 7 critical', 'resolved 9'],
    ],
    [
      'filesystem-nearly-full',
      [
        [0, 50],
        [5, 91],
        [30, 96],
        [50, 70],
      ],
      60,
      ['fired 15 warning', 'escalated 40 critical', 'resolved 50'],
    ],
    ['inodes-nearly-exhausted', [[5, 98]], 20, ['fired 15 critical']],
    // One burst of damaged packets is no alert, and an alert outlasts calm minutes between two bursts.
    [
      'interface-errors',
      [
        [5, 40],
        [6, 0],
      ],
      30,
      [],
    ],
    [
      'interface-errors',
      [
        [5, 2],
        [20, 0],
        [25, 3],
        [30, 0],
      ],
      50,
      ['fired 15 warning', 'refired 25 warning', 'resolved 40'],
    ],
    [
      'unit-failed',
      [
        [5, 1],
        [9, 0],
      ],
      20,
      ['fired 5 warning', 'resolved 9'],
    ],
  ])('%s: %j', async (name, values, minutes, happened) => {
    expect(await story(name, values, minutes)).toEqual(happened);
  });
});

it('each filesystem has one starter rule on its space: that of / is measured by disk_percent', async () => {
  const read = await readRuleSet({ rules: STARTER_RULES });
  if ('errors' in read) throw new Error(JSON.stringify(read.errors));
  const rules = read.set.rules.map((definition) =>
    compileRule({ id: 'rul_1', organizationId: 'org_1', version: 1, definition }),
  );
  const onPart = (name: string) =>
    rules
      .filter(({ partMetric }) => partMetric?.kind === 'filesystem' && partMetric.metric === 'used_percent')
      .filter((rule) => rule.forSubject('web-01', {}, { name, labels: {} }) !== null);
  expect(['/', '/var', '/boot/efi'].map((name) => onPart(name).length)).toEqual([0, 1, 1]);
  expect(rules.some(({ metric, transform }) => metric === 'disk_percent' && transform === null)).toBe(true);
});
