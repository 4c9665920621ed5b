import { metricsOf } from '@tidewatch/contracts/ingest/sample';
import { openForFile } from '@tidewatch/harness/opened';
import { beforeEach, describe, expect, test } from 'vitest';
import { EvaluatorHarness } from './testing/evaluator.harness.ts';

const harness = await openForFile(EvaluatorHarness.open());
beforeEach(() => {
  harness.now += 120_000;
});

/** Evaluates a breach now that a gateway received this many seconds ago. */
async function evaluate(metric: string, secondsAgo: number): Promise<void> {
  const receivedAt = harness.now - secondsAgo * 1_000;
  const payloads = [{ host: 'web-01', time: receivedAt, ...metricsOf({ [metric]: 99 }) }];
  await harness.publish([harness.request(payloads, { receivedAt })]);
}

describe('a rule', () => {
  test('evaluates requests that arrive after its creation, and none that arrived before and is evaluated late', async () => {
    const rule = await harness.rule();
    await evaluate(rule.metric, 2);
    expect(await harness.alerts(rule.id)).toEqual([]);
    await evaluate(rule.metric, 0);
    expect(await harness.alerts(rule.id)).toMatchObject([{ status: 'active', backfilled: false }]);
  });

  test('that is enabled again evaluates requests that arrive from then on', async () => {
    const rule = await harness.rule();
    await evaluate('another', 0);
    await harness.edit(rule.id, { enabled: false });
    await evaluate(rule.metric, 0);
    harness.now += 10_000;
    await harness.edit(rule.id, { enabled: true });
    await evaluate(rule.metric, 2);
    expect(await harness.alerts(rule.id)).toEqual([]);
    await evaluate(rule.metric, 0);
    expect(await harness.alerts(rule.id)).toHaveLength(1);
  });

  test('evaluates requests of a gateway whose clock is far behind, and after the server’s clock was set back', async () => {
    const behind = await harness.rule();
    await evaluate(behind.metric, 60);
    expect(await harness.alerts(behind.id)).toHaveLength(1);
    const stepped = await harness.rule();
    harness.now -= 20_000;
    await evaluate(stepped.metric, 0);
    expect(await harness.alerts(stepped.id)).toHaveLength(1);
  });
});
