import { test } from 'vitest';
import { EvaluatorBed, ORGANIZATION } from './evaluator.bed.ts';
test('perf', async () => {
  const bed = await EvaluatorBed.open();
  for (let i = 0; i < 100; i++) await bed.rule({ metric: `metric_${i % 10}`, threshold: 90 + i / 100, duration_minutes: 5 });
  const batch = (t: number, breach = false) => Array.from({ length: 10 }, (_, r) => ({ kind: 'samples' as const, organizationId: ORGANIZATION, receivedAt: bed.now, stalledMs: 0,
    payloads: Array.from({ length: 100 }, (_, h) => ({ host: `h${r * 100 + h}`, time: bed.now - 3600_000 + t * 10_000, metrics: Object.fromEntries(Array.from({ length: 10 }, (_, m) => [`metric_${m}`, breach ? 99 : 50 + ((t * 7 + m) % 30)])) })) }));
  await bed.publish(batch(0), { store: false });
  const batches = Array.from({ length: 60 }, (_, t) => batch(t + 1));
  const c0 = process.cpuUsage(); const t0 = performance.now();
  for (const b of batches) { bed.now += 10; await bed.publish(b, { store: false }); }
  const c = process.cpuUsage(c0);
  console.log('inactive: cpu s per million samples', (c.user + c.system) / 1e6 / (60 * 10_000 / 1e6), 'wall', (performance.now() - t0) / 1000);
  let t1 = performance.now();
  await bed.publish(batch(61, true), { store: false });
  console.log('100k pairs pending', performance.now() - t1);
  for (let i = 62; i < 92; i += 5) { bed.now += 10;t1 = performance.now(); await bed.publish(batch(i, true), { store: false }); console.log('step', i, performance.now() - t1); }
  t1 = performance.now(); await bed.publish(batch(93, true), { store: false }); console.log('fire', performance.now() - t1, (await bed.store.sql`select count(*) from alerts`)[0]);
  t1 = performance.now(); await bed.publish(batch(94, true), { store: false }); console.log('still firing', performance.now() - t1);
  t1 = performance.now(); await bed.publish(batch(95), { store: false }); console.log('resolve', performance.now() - t1);
  t1 = performance.now(); await bed.begin(); await bed.publish(batch(96), { store: false }); console.log('restart 1000 services', performance.now() - t1);
  await bed.close();
}, 200_000);
