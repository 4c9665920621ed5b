import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '@tidewatch/stack/parts/free-port';
import { folderBytes } from '../../measure/folder-bytes.ts';
import { createRemoteWriteEncoder } from '../encode.ts';
import { openHttpClient } from '../http-client.ts';
import { obstacleOf, type ProgramSource, startProgram, untilIdle, versionOf } from '../program.ts';
import { askPromql, parsePromql } from '../questions/promql.ts';
import { sumOfMetric } from '../rules/metrics-text.ts';
import { firingAlerts } from '../rules/prometheus-alerts.ts';
import { ruleFile } from '../rules/rule-file.ts';
import type { ComparedSystem, RuleSet, RunningSystem } from '../system.ts';
import { compareTotals, countPrometheus } from '../totals.ts';
import { makePeerFolder, REMOTE_WRITE, removePeerFolder } from './peer-folder.ts';

const SERVER: ProgramSource = {
  variable: 'TIDEWATCH_BENCH_PROMETHEUS',
  names: ['prometheus'],
  versionArgs: ['--version'],
  origin:
    'https://prometheus.io/download, from Debian (prometheus), or from its Go module by go build without its workspace (GOWORK=off)',
};
/** Longer than the minute after which Prometheus looks for blocks to compact. */
const IDLE_MS = 75_000;

async function start(ruleSet: RuleSet | null): Promise<RunningSystem> {
  const folder = makePeerFolder();
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const data = join(folder, 'data');
  if (ruleSet !== null) writeFileSync(join(folder, 'rules.yml'), ruleFile(ruleSet));
  const configuration = ruleSet === null ? {} : { rule_files: [join(folder, 'rules.yml')] };
  writeFileSync(join(folder, 'prometheus.yml'), JSON.stringify(configuration));
  const args = [
    `--config.file=${join(folder, 'prometheus.yml')}`,
    `--storage.tsdb.path=${data}`,
    `--web.listen-address=127.0.0.1:${port}`,
    '--web.enable-remote-write-receiver',
  ];
  const program = await startProgram(SERVER, { args, folder, readyUrl: `${url}/-/ready` }).catch((error) => {
    removePeerFolder(folder);
    throw error;
  });
  const http = openHttpClient(url, {});
  return {
    version: versionOf(SERVER),
    http,
    ingest: REMOTE_WRITE,
    encoder: createRemoteWriteEncoder,
    cpuSeconds: program.cpuSeconds,
    peakBytes: program.peakBytes,
    async evaluations() {
      if (ruleSet === null) return null;
      const text = (await http.get('/metrics')).toString();
      return {
        done: sumOfMetric(text, 'prometheus_rule_evaluations_total'),
        missed:
          sumOfMetric(text, 'prometheus_rule_group_iterations_missed_total') +
          sumOfMetric(text, 'prometheus_rule_evaluation_failures_total'),
      };
    },
    firing: async () => firingAlerts(await http.get('/api/v1/alerts')),
    async rest() {
      // With rules it never rests; nothing but compaction, hours later, is left for afterwards.
      if (ruleSet === null) await untilIdle(program.cpuSeconds, IDLE_MS);
      return program.cpuSeconds();
    },
    async bytes() {
      // The newest samples are in the log alone, which therefore counts as data.
      const bytes = folderBytes(data);
      return { data: bytes, withLog: bytes };
    },
    compare: (plan, ledger) => compareTotals(http, countPrometheus, plan, ledger),
    ask: (question) => askPromql(http, question),
    parse: parsePromql,
    async remove() {
      http.close();
      await program.end();
      removePeerFolder(folder);
    },
  };
}

export const prometheus: ComparedSystem = {
  id: 'prometheus',
  title: 'Prometheus',
  durability: 'written to its log without fsync',
  evaluator: 'Prometheus, by a query of each rule every step',
  obstacle: () => obstacleOf([SERVER]),
  start,
};
