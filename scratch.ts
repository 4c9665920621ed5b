import { createProduct } from './packages/tests/testkit/src/product.ts';
import { openAdmin } from './packages/tests/bench/src/database.ts';
import { setTimeout as sleep } from 'node:timers/promises';
const product = await createProduct({ TIDEWATCH_RATE_LIMIT_PER_MINUTE: '10000000', TIDEWATCH_LOG_LEVEL: 'debug' });
process.once('SIGTERM', () => void product.remove().finally(() => process.exit(1)));
try {
  await product.start();
  const call = async (method: string, path: string, body?: unknown) => {
    const r = await fetch(`${product.url}/api/v1${path}`, { method, headers: { 'X-API-Key': product.key, 'Content-Type': 'application/json' }, body: body === undefined ? undefined : JSON.stringify(body) });
    if (!r.ok) throw new Error(`${path} ${r.status} ${await r.text()}`);
    return r.json() as any;
  };
  const H = 180, T = 9;
  const start = Date.now() - (H + T) * 60_000;
  const gauss = () => (Math.random() + Math.random() + Math.random() - 1.5) * 1.4;
  const calm = (m: number) => ({ metrics: { cpu_percent: 22 + 2 * gauss(), memory_percent: 41 + 0.5 * gauss(), disk_percent: 55 + m * 0.001, load_1: 0.8 + 0.05 * gauss(), network_received_bytes_per_second: 2e6 + 1e5 * gauss() },
    procs: { nginx: [6, 2e8], postgres: [9, 9e8], sshd: [0.1, 1e7] } as Record<string, number[]>, conts: { api: [5, 3e8], cache: [2, 1e8] } as Record<string, number[]> });
  const trouble = (m: number) => { const c = calm(m); if (m >= H) { c.metrics.cpu_percent = 96 + gauss(); c.metrics.load_1 = 7 + 0.3 * gauss(); c.procs['runaway-job'] = [72, 3e8]; } return c; };
  let late: any[] = [];
  for (const [host, f] of [['peer-1', calm], ['peer-2', calm], ['peer-3', calm], ['victim', trouble]] as const) {
    const payloads = Array.from({ length: H + T + 1 }, (_, m) => { const c = f(m); return { host, timestamp: new Date(start + m * 60_000).toISOString(), metrics: c.metrics, tags: { role: 'web' },
      processes: Object.entries(c.procs).map(([name, [cpu, mem]], i) => ({ name, pid: 100 + i, cpu_percent: cpu, memory_rss: mem })),
      docker_containers: Object.entries(c.conts).map(([name, [cpu, mem]]) => ({ name, image: name, status: 'running', cpu_percent: cpu, memory_usage: mem })) }; });
    await call('POST', '/ingest', payloads.slice(0, H));
    late.push(...payloads.slice(H));
  }
  const rule = await call('POST', '/alerts/rules', { name: 'hot', metric: 'cpu_percent', condition: 'greater_than', threshold: 90, duration_minutes: 5, severity: 'critical', scope: { hosts: ['victim'] } });
  await call('POST', '/ingest', late);
  const admin = openAdmin(product.dataDir);
  for (let i = 0; i < 40; i++) {
    const rows = await admin.sql`select id, status, title, conclusion, confidence, window_from, window_to, started_at - created_at as waited, completed_at - created_at as took, findings, analysis, timeline, recommendations, usage, failure from investigations`;
    if (rows[0] && !['queued', 'running'].includes(rows[0].status)) { console.log(JSON.stringify(rows[0], null, 1).slice(0, 9000));
      console.log(await admin.sql`select id, ref, query, jsonb_array_length(points) as points, stats::text from investigation_evidence`); console.log(await admin.sql`select investigation_id, id from alerts`); console.log(await admin.sql`select event->>'type' as type, count(*) from outbox group by 1`); break; }
    await sleep(500);
    if (i === 39) console.log(rows, product.output());
  }
  const m = await (await fetch(`${product.url}/metrics`)).text();
  console.log(m.split('\n').filter((l) => /investigat/.test(l) && !l.startsWith('#') && !/bucket/.test(l)).join('\n'));
  console.log(product.log().split('\n').filter((l) => /nvestig|detector/.test(l)).slice(0, 20).join('\n'));
  await admin.close();
} finally { await product.remove(); }
