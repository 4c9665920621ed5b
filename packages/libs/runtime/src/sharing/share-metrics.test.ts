import { expect, it, onTestFinished } from 'vitest';
import { createMetrics } from '../telemetry/metrics.ts';
import { FairShare } from './fair-share.ts';
import { exposeShare } from './share-metrics.ts';

it('exposeShare exposes shares by resource, without ids of organizations', async () => {
  const metrics = createMetrics();
  onTestFinished(() => metrics.close());
  const options = { capacity: 1, maxPerOrganization: 1, maxWaitingPerOrganization: 1, maxWaitMs: 60_000 };
  const [exports, yaml] = [new FairShare(options), new FairShare(options)];
  exposeShare(metrics, 'exports', exports);
  exposeShare(metrics, 'yaml', yaml);
  const holding = await exports.take('org_secret', 1);
  const waiting = exports.take('org_secret', 1);
  await expect(exports.take('org_secret', 1)).rejects.toThrow();
  for (const _ of [1, 2]) {
    const text = await metrics.text();
    expect(text).toContain('tidewatch_share_held{resource="exports"} 1');
    expect(text).toContain('tidewatch_share_held{resource="yaml"} 0');
    expect(text).toContain('tidewatch_share_waiting{resource="exports"} 1');
    expect(text).toContain('tidewatch_share_refused_total{resource="exports",reason="organization_full"} 1');
    expect(text).not.toContain('org_secret');
  }
  holding.release();
  (await waiting).release();
  expect(await metrics.text()).toContain('tidewatch_share_held{resource="exports"} 0');
});
