import { metricsOf } from '@tidewatch/contracts/ingest/sample';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { EvaluatorBed, ORGANIZATION } from './evaluator.bed.ts';

let bed: EvaluatorBed;
beforeAll(async () => {
  bed = await EvaluatorBed.open();
});
beforeEach(() => {
  bed.now += 120_000;
});
afterAll(() => bed?.close());

/** A breach that a gateway received so many seconds ago, and that is judged now. */
async function judged(metric: string, secondsAgo: number): Promise<void> {
  const receivedAt = bed.now - secondsAgo * 1_000;
  const payloads = [{ host: 'web-01', time: receivedAt, ...metricsOf({ [metric]: 99 }) }];
  await bed.publish([{ kind: 'samples', organizationId: ORGANIZATION, receivedAt, stalledMs: 0, payloads }]);
}

describe('a rule judges what arrives after it', () => {
  test('and not what had arrived before and is judged late', async () => {
    const rule = await bed.rule();
    await judged(rule.metric, 2);
    expect(await bed.alerts(rule.id)).toEqual([]);
    await judged(rule.metric, 0);
    expect(await bed.alerts(rule.id)).toMatchObject([{ status: 'active', backfilled: false }]);
  });

  test('as soon as it is enabled again', async () => {
    const rule = await bed.rule();
    await judged('another', 0);
    await bed.edit(rule.id, { enabled: false });
    await judged(rule.metric, 0);
    bed.now += 10_000;
    await bed.edit(rule.id, { enabled: true });
    await judged(rule.metric, 2);
    expect(await bed.alerts(rule.id)).toEqual([]);
    await judged(rule.metric, 0);
    expect(await bed.alerts(rule.id)).toHaveLength(1);
  });

  test('also where a gateway’s clock is far behind, and where the clock went back since', async () => {
    const behind = await bed.rule();
    await judged(behind.metric, 60);
    expect(await bed.alerts(behind.id)).toHaveLength(1);
    const stepped = await bed.rule();
    bed.now -= 20_000;
    await judged(stepped.metric, 0);
    expect(await bed.alerts(stepped.id)).toHaveLength(1);
  });
});
