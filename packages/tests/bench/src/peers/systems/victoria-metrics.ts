import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '@tidewatch/stack/parts/free-port';
import { folderBytes } from '../../measure/folder-bytes.ts';
import { createRemoteWriteEncoder } from '../encode.ts';
import { openHttpClient } from '../http-client.ts';
import {
  obstacleOf,
  type Program,
  type ProgramSource,
  startProgram,
  untilIdle,
  versionOf,
} from '../program.ts';
import { askPromql, parsePromql } from '../questions/promql.ts';
import { sumOfMetric } from '../rules/metrics-text.ts';
import { firingAlerts } from '../rules/prometheus-alerts.ts';
import { ruleFile } from '../rules/rule-file.ts';
import type { ComparedSystem, RuleSet, RunningSystem } from '../system.ts';
import { compareTotals, countPrometheus } from '../totals.ts';
import { makePeerFolder, REMOTE_WRITE, removePeerFolder } from './peer-folder.ts';

const ORIGIN =
  'https://github.com/VictoriaMetrics/VictoriaMetrics/releases, from Debian (victoria-metrics), or from its Go module by go build';
const SERVER: ProgramSource = {
  variable: 'TIDEWATCH_BENCH_VICTORIA_METRICS',
  names: ['victoria-metrics', 'victoria-metrics-prod'],
  versionArgs: ['-version'],
  origin: ORIGIN,
};
const VMALERT: ProgramSource = {
  variable: 'TIDEWATCH_BENCH_VMALERT',
  names: ['vmalert', 'vmalert-prod'],
  versionArgs: ['-version'],
  origin: ORIGIN,
};
const IDLE_MS = 10_000;
const MERGES_WITHIN_MS = 240_000;

async function start(ruleSet: RuleSet | null): Promise<RunningSystem> {
  const folder = makePeerFolder();
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const data = join(folder, 'data');
  const programs: Program[] = [];
  const vmalertPort = await freePort();
  const vmalertUrl = `http://127.0.0.1:${vmalertPort}`;

  /** vmalert keeps its state in VictoriaMetrics, as its documentation recommends. */
  function startVmalert(rules: RuleSet): Promise<Program> {
    const file = join(folder, 'rules.yml');
    writeFileSync(file, ruleFile(rules));
    const args = [
      `-rule=${file}`,
      `-datasource.url=${url}`,
      `-remoteWrite.url=${url}`,
      `-remoteRead.url=${url}`,
      '-notifier.blackhole',
      `-httpListenAddr=127.0.0.1:${vmalertPort}`,
    ];
    return startProgram(VMALERT, { args, folder, readyUrl: `${vmalertUrl}/health` });
  }

  try {
    const args = [`-storageDataPath=${data}`, `-httpListenAddr=127.0.0.1:${port}`];
    programs.push(await startProgram(SERVER, { args, folder, readyUrl: `${url}/health` }));
    if (ruleSet !== null) programs.push(await startVmalert(ruleSet));
  } catch (error) {
    await Promise.all(programs.map((program) => program.end()));
    removePeerFolder(folder);
    throw error;
  }
  const http = openHttpClient(url, {});
  const vmalert = openHttpClient(vmalertUrl, {});
  const used = () => programs.reduce((sum, program) => sum + program.cpuSeconds(), 0);
  return {
    version: versionOf(SERVER),
    http,
    ingest: REMOTE_WRITE,
    encoder: createRemoteWriteEncoder,
    cpuSeconds: used,
    peakBytes: () => programs.reduce((sum, program) => sum + program.peakBytes(), 0),
    async evaluations() {
      if (ruleSet === null) return null;
      const text = (await vmalert.get('/metrics')).toString();
      const groups = new Set(ruleSet.rules.map(({ metric }) => metric)).size;
      return {
        done: (sumOfMetric(text, 'vmalert_iteration_total') * ruleSet.rules.length) / groups,
        missed:
          sumOfMetric(text, 'vmalert_iteration_missed_total') +
          sumOfMetric(text, 'vmalert_alerting_rules_errors_total'),
      };
    },
    firing: async () => firingAlerts(await vmalert.get('/api/v1/alerts')),
    async rest() {
      await programs[1]?.end();
      await http.get('/internal/force_flush');
      for (const deadline = performance.now() + MERGES_WITHIN_MS; ; await sleep(250)) {
        const merges = sumOfMetric((await http.get('/metrics')).toString(), 'vm_active_merges');
        if (merges === 0) break;
        if (performance.now() > deadline) throw new Error(`timeout: ${merges} merges are still running`);
      }
      await untilIdle(used, IDLE_MS);
      return used();
    },
    async bytes() {
      const bytes = folderBytes(data);
      return { data: bytes, withLog: bytes };
    },
    compare: (plan, ledger) => compareTotals(http, countPrometheus, plan, ledger),
    ask: (question) => askPromql(http, question),
    parse: parsePromql,
    async remove() {
      http.close();
      vmalert.close();
      for (const program of programs.toReversed()) await program.end();
      removePeerFolder(folder);
    },
  };
}

export const victoriaMetrics: ComparedSystem = {
  id: 'victoria-metrics',
  title: 'VictoriaMetrics',
  durability: 'in memory for up to 5 s, no log',
  evaluator: 'vmalert, by a query of each rule every step',
  obstacle: (withRules) => obstacleOf(withRules ? [SERVER, VMALERT] : [SERVER]),
  start,
};
