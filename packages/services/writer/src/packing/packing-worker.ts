import { flushCompileCache } from 'node:module';
import { parentPort, workerData } from 'node:worker_threads';
import { openStore } from '@tidewatch/database/connection';
import { giveWay } from '@tidewatch/runtime/process/give-way';
import { createPackingJobs } from './packing-jobs.ts';
import { postReports } from './packing-reports.ts';
import type { PackingMessage, PackingOrder } from './packing-thread.ts';

giveWay();
// Writes the compile cache now: it would be lost if the process ended before the thread.
flushCompileCache();
const { store: address, ...order } = workerData as PackingOrder;
const store = openStore(address);
const post = (message: PackingMessage) => parentPort?.postMessage(message);
const jobs = createPackingJobs({ ...order, sql: store.sql, clock: Date.now, ...postReports(post) });
jobs.start();
post({ kind: 'begun' });

parentPort?.on('message', async () => {
  await jobs.stop();
  await store.close();
  parentPort?.close();
});
