import { openStore } from '@tidewatch/store/connection';
import { migrate } from '@tidewatch/store/migrate';
import { ServiceDirectory } from '@tidewatch/store/directory/service-directory';
import { createWriter } from '@tidewatch/writer/writer';
import { newId } from '@tidewatch/contracts/id';
import { createSilentLogger } from '@tidewatch/runtime/logger';
const port = Number(process.argv[2] ?? 55415), group = Number(process.argv[3] ?? 32), M = Number(process.argv[4] ?? 5);
const admin = openStore({ host: '127.0.0.1', port, user: 'postgres', database: 'postgres', searchPath: 'public' });
await admin.sql.unsafe('drop database if exists b1 with (force)'); await admin.sql.unsafe('create database b1');
const opt = { host: '127.0.0.1', port, user: 'postgres', database: 'b1' };
const a = openStore({ ...opt, searchPath: 'public' }); await migrate(a.sql);
await a.sql.unsafe("insert into tidewatch.organizations values ('o','o')"); await a.close();
const store = openStore({ ...opt, max: 4 });
const meter = () => ({ inc() {}, set() {}, observe() {} }) as never;
const directory = new ServiceDirectory({ newId, clock: Date.now });
const writer = createWriter({ directory, sql: store.sql, clock: Date.now, metrics: { counter: meter, gauge: meter, histogram: meter }, logger: createSilentLogger() });
await writer.start();
const steps = M * 100; const end = Math.floor(Date.now() / 1e4) * 1e4; const start = end - steps * 1e4;
const names = Array.from({ length: 10 }, (_, i) => 'metric_' + i);
const hosts = Array.from({ length: 1000 }, (_, i) => 'host-' + i);
let payloads: any[] = []; let requests: any[] = [];
let busy = 0, cpu0 = process.cpuUsage(), t0 = performance.now(), own = 0;
async function go() {
  const c = process.cpuUsage();
  await store.transact((tx) => writer.consumer.handle(requests.map((p) => ({ topic: '', partition: 0, offset: 0n, key: 'o', publishedAt: 0, value: { kind: 'samples', organizationId: 'o', receivedAt: Date.now(), stalledMs: 0, payloads: p } })), tx));
  writer.consumer.committed!();
  const d = process.cpuUsage(c); own += (d.user + d.system) / 1e6; requests = [];
}
for (let s = 0; s < steps; s++) for (let h = 0; h < 1000; h++) {
  const metrics: any = {}; for (let i = 0; i < 10; i++) metrics[names[i]!] = Math.round((50 + 20 * Math.sin(s / 9 + h + i)) * 100) / 100;
  payloads.push({ host: hosts[h], time: start + s * 1e4, metrics });
  if (payloads.length === 100) { requests.push(payloads); payloads = []; if (requests.length === group) await go(); }
}
if (requests.length) await go();
const wall = (performance.now() - t0) / 1000;
console.log({ M, group, wall, kps: M * 1000 / wall, nodePerM: own / M });
const t1 = performance.now(); const c1 = process.cpuUsage(); await writer.settle(); const c2 = process.cpuUsage(c1);
console.log('settle', (performance.now() - t1) / 1000, (c2.user + c2.system) / 1e6);
console.log(await store.sql`select (select count(*) from samples) n, (select count(*) from rollup_1m) m, (select count(*) from rollup_1h) h, (select count(*) from dirty_buckets) d, pg_database_size('b1')/1e6 mb`);
await writer.stop(); await store.close(); await admin.close();
