import { test } from 'vitest';
import { EvaluatorBed, ORGANIZATION } from './evaluator.bed.ts';
import { openStore } from '@tidewatch/store/connection';
test('perf', async () => {
  const bed = await EvaluatorBed.open();
  for (let i = 0; i < 100; i++) await bed.rule({ metric: `metric_${i % 10}`, threshold: 90 + i / 100, duration_minutes: 0 });
  const batch = (t: number, breach = false, from = 0, to = 1) => Array.from({ length: to - from }, (_, r) => ({ kind: 'samples' as const, organizationId: ORGANIZATION, receivedAt: bed.now, stalledMs: 0,
    payloads: Array.from({ length: 10 }, (_, h) => ({ host: `h${(r + from) * 10 + h}`, time: bed.now - 3600_000 + t * 10_000, metrics: Object.fromEntries(Array.from({ length: 10 }, (_, m) => [`metric_${m}`, breach ? 99 : 50 + ((t * 7 + m) % 30)])) })) }));
  await bed.publish(batch(0, false, 0, 10), { store: false });
  for (let k = 0; k < 10; k++) {
    const t1 = performance.now(); const c0 = process.cpuUsage();
    await bed.publish(batch(1 + k, k % 2 === 0, 0, 1), { store: false });
    const c = process.cpuUsage(c0);
    console.log('1000 transitions', performance.now() - t1, 'cpu ms', (c.user + c.system) / 1000);
  }
  for (let k = 0; k < 4; k++) {
    const t1 = performance.now(); const c0 = process.cpuUsage();
    await bed.publish(batch(21 + k, k % 2 === 0, 0, 10), { store: false });
    const c = process.cpuUsage(c0);
    console.log('10000 transitions', performance.now() - t1, 'cpu ms', (c.user + c.system) / 1000);
  }
  await bed.close();
}, 200_000);
