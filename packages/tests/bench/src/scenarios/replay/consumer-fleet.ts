import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { cpuSeconds } from '@tidewatch/harness/process-tree';
import type { Running } from '@tidewatch/stack/member';
import { freePort } from '@tidewatch/stack/parts/free-port';
import { fileOf, startService } from '@tidewatch/stack/service-process';
import { readStackFile } from '@tidewatch/stack/stack-file';
import type { ConsumerName } from '../../consumers.ts';
import { limitProcess, type ProcessorQuota } from '../../measure/processor-quota.ts';

/** Processes of one consumer, started in place of those of a running stack. */
export interface ConsumerFleet {
  /** Starts or ends processes until `count` processes run; resolves when the new ones are ready. */
  resize(count: number): Promise<void>;
  /** Limits each process to a share of one processor; null removes the limit. */
  hold(share: number | null): void;
  /** CPU-seconds and samples of the running processes since their start, and the samples of the process with the fewest. */
  spent(): Promise<{ cpuSeconds: number; samples: number; minSamples: number }>;
}

interface Runner {
  process: Running;
  quota: ProcessorQuota;
  admin: string;
}

/** The number of rules that evaluate each sample of a replay. */
const RULES_OF_A_METRIC = 10;

/** Stops the stack's own process of the consumer, which must not be restarted, and starts processes in its place. */
export async function takeOver(consumer: ConsumerName, dataDir: string): Promise<ConsumerFleet> {
  const own = readStackFile(dataDir)?.processes.find(({ role }) => role === consumer);
  if (own === undefined) throw new Error(`the stack has no ${consumer}`);
  const env = environmentOf(own.pid);
  process.kill(own.pid, 'SIGTERM');
  const runners: Runner[] = [];
  let started = 0;
  // Ends the consumers when the benchmark is interrupted, because they are not children of the product.
  process.once('exit', () => {
    for (const runner of runners) process.kill(runner.process.pid, 'SIGKILL');
  });

  async function start(): Promise<void> {
    const admin = `http://127.0.0.1:${await freePort()}`;
    started += 1;
    const name = `${consumer}-of-the-bench-${started}`;
    const service = await startService({
      name,
      main: fileOf(`services/${consumer}/src/main.ts`),
      env: { ...env, TIDEWATCH_ADMIN_PORT: new URL(admin).port },
      log: join(dataDir, 'logs', `${name}.log`),
      readyUrl: `${admin}/readyz`,
    });
    runners.push({ process: service, quota: limitProcess(service.pid), admin });
  }

  async function stop(): Promise<void> {
    const runner = runners.pop();
    if (runner === undefined) return;
    runner.quota.set(null);
    await runner.process.stop();
    runner.quota.remove();
  }

  return {
    async resize(count) {
      while (runners.length > count) await stop();
      await Promise.all(Array.from({ length: count - runners.length }, start));
    },
    hold(share) {
      for (const { quota } of runners) quota.set(share);
    },
    async spent() {
      const applied = await Promise.all(runners.map(({ admin }) => appliedBy(consumer, admin)));
      return {
        cpuSeconds: runners.reduce((sum, runner) => sum + cpuSeconds(runner.process.pid), 0),
        samples: applied.reduce((sum, samples) => sum + samples, 0),
        minSamples: Math.min(...applied),
      };
    },
  };
}

function environmentOf(pid: number): Record<string, string> {
  const entries = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').filter(Boolean);
  return Object.fromEntries(
    entries.map((entry) => [entry.slice(0, entry.indexOf('=')), entry.slice(entry.indexOf('=') + 1)]),
  );
}

async function appliedBy(consumer: ConsumerName, admin: string): Promise<number> {
  const text = await (await fetch(`${admin}/metrics`)).text();
  const read = (metric: string) =>
    Number(new RegExp(`^${metric}(?:\\{[^}]*\\})? (\\S+)`, 'm').exec(text)?.[1] ?? 0);
  if (consumer === 'writer') return read('tidewatch_writer_samples_stored_total');
  return read('tidewatch_evaluator_alert_instances_evaluated_total') / RULES_OF_A_METRIC;
}
