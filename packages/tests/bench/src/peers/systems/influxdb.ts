import { join } from 'node:path';
import { freePort } from '@tidewatch/stack/parts/free-port';
import { folderBytes } from '../../measure/folder-bytes.ts';
import { createLineEncoder } from '../encode.ts';
import { openHttpClient } from '../http-client.ts';
import { obstacleOf, type ProgramSource, startProgram, untilIdle, versionOf } from '../program.ts';
import { askInfluxql, parseInfluxql } from '../questions/influxql.ts';
import type { ComparedSystem, RunningSystem } from '../system.ts';
import { compareTotals, countInflux } from '../totals.ts';
import { makePeerFolder, removePeerFolder } from './peer-folder.ts';

const SERVER: ProgramSource = {
  variable: 'TIDEWATCH_BENCH_INFLUXD',
  names: ['influxd'],
  versionArgs: ['version'],
  origin: 'Debian 12 (influxdb); later versions of 1.x need a library in Rust that their Go module lacks',
};
const IDLE_MS = 15_000;

async function start(): Promise<RunningSystem> {
  const folder = makePeerFolder();
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const env = {
    INFLUXDB_META_DIR: join(folder, 'meta'),
    INFLUXDB_DATA_DIR: join(folder, 'data'),
    INFLUXDB_DATA_WAL_DIR: join(folder, 'wal'),
    INFLUXDB_HTTP_BIND_ADDRESS: `127.0.0.1:${port}`,
    INFLUXDB_BIND_ADDRESS: `127.0.0.1:${await freePort()}`,
    INFLUXDB_REPORTING_DISABLED: 'true',
  };
  const started = { args: ['run'], folder, readyUrl: `${url}/ping`, env };
  const program = await startProgram(SERVER, started).catch((error) => {
    removePeerFolder(folder);
    throw error;
  });
  const http = openHttpClient(url, {});
  await http.post('/query?q=CREATE%20DATABASE%20bench', '');
  return {
    version: versionOf(SERVER),
    http,
    ingest: { path: '/write?db=bench&precision=ns', headers: {} },
    encoder: (plan) => createLineEncoder(plan, '000000'),
    cpuSeconds: program.cpuSeconds,
    peakBytes: program.peakBytes,
    evaluations: async () => null,
    firing: async () => new Set(),
    async rest() {
      await untilIdle(program.cpuSeconds, IDLE_MS);
      return program.cpuSeconds();
    },
    async bytes() {
      const data = folderBytes(join(folder, 'data'));
      return { data, withLog: data + folderBytes(join(folder, 'wal')) };
    },
    compare: (plan, ledger) => compareTotals(http, countInflux, plan, ledger),
    ask: (question) => askInfluxql(http, question),
    parse: parseInfluxql,
    async remove() {
      http.close();
      await program.end();
      removePeerFolder(folder);
    },
  };
}

/** InfluxDB 1.x evaluates no alert rules: Kapacitor, a product of its own that Debian does not have, does that. */
export const influxdb: ComparedSystem = {
  id: 'influxdb',
  title: 'InfluxDB',
  durability: 'fsync of its log before the answer',
  evaluator: null,
  obstacle: () => obstacleOf([SERVER]),
  start,
};
