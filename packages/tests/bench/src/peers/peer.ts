import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { accessSync, constants, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { cpuSeconds } from '@tidewatch/harness/process-tree';
import { freePort } from '@tidewatch/stack/parts/free-port';
import { acknowledgedPayloads, type Ledger } from '../ledger/ledger.ts';
import { metricName, type Plan, timeOf } from '../load/plan.ts';
import { folderBytes } from '../measure/folder-bytes.ts';
import { type MemoryReport, watchMemory } from '../measure/memory.ts';
import type { Peer } from './peers.ts';
import { sendLedger } from './send.ts';
import { sameTotals, totalsOfLedger } from './totals.ts';

export interface PeerFigures {
  version: string;
  samples: number;
  /** The time from the first request to the last response, seconds. */
  seconds: number;
  /** CPU-seconds of the peer's processes from the first request until it was idle. */
  cpuSeconds: number;
  /** The time from the last response until the peer was idle, seconds. */
  idleAfterSeconds: number;
  /** The size of the peer's data directory once it was idle, including its logs. */
  bytes: number;
  memory: MemoryReport;
  /** Descriptions of metrics whose count or sum differs from what was sent. The figures are void unless the list is empty. */
  differences: string[];
}

export type PeerResult = { name: string; durability: string } & (
  | { figures: PeerFigures }
  | { figures: null; absent: string }
);

/** A process is idle once it has used less than a hundredth of a processor for this number of seconds. */
const IDLE_SECONDS = 10;
const IDLE_SHARE = 0.01;
const IDLE_WITHIN_MS = 180_000;

/**
 * Runs another product on fresh data, sends it the acknowledged payloads, waits until it is idle, and counts its samples.
 */
export async function runPeer(peer: Peer, plan: Plan, ledger: Ledger): Promise<PeerResult> {
  const { name, durability } = peer;
  const program = peer.programs.map(find).find((path) => path !== undefined);
  if (program === undefined)
    return { name, durability, figures: null, absent: `not in PATH: ${peer.programs.join(', ')}` };
  const folder = mkdtempSync(join(tmpdir(), 'tidewatch-peer-'));
  const ports = [await freePort(), await freePort()] as const;
  const { args, env } = peer.start(folder, ports);
  const child = spawn(program, args, { cwd: folder, stdio: 'ignore', env: { ...process.env, ...env } });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  const pid = () => child.pid ?? 0;
  const url = `http://127.0.0.1:${ports[0]}`;
  const memory = watchMemory(pid);
  try {
    await ready(child, `${url}${peer.readyPath}`);
    if (peer.preparePath !== undefined) await fetch(`${url}${peer.preparePath}`, { method: 'POST' });
    const before = cpuSeconds(pid());
    const began = performance.now();
    await sendLedger(peer, plan, ledger, url);
    const seconds = (performance.now() - began) / 1000;
    const idleAfterSeconds = await idle(() => cpuSeconds(pid()));
    memory.stop();
    return {
      name,
      durability,
      figures: {
        version: versionOf(program, peer.versionArgs),
        samples: acknowledgedPayloads(ledger) * plan.metrics,
        seconds,
        cpuSeconds: cpuSeconds(pid()) - before,
        idleAfterSeconds,
        bytes: folderBytes(folder),
        memory: memory.report(),
        differences: await compare(peer, plan, ledger, url),
      },
    };
  } finally {
    memory.stop();
    child.kill('SIGKILL');
    await ended;
    rmSync(folder, { recursive: true, force: true });
  }
}

async function compare(peer: Peer, plan: Plan, ledger: Ledger, url: string): Promise<string[]> {
  const differences: string[] = [];
  const expected = totalsOfLedger(plan, ledger);
  const endMs = timeOf(plan, plan.hosts - 1, plan.ticks - 1);
  for (let index = 0; index < plan.metrics; index += 1) {
    const metric = metricName(index);
    const wanted = expected.get(metric) ?? { count: 0, sum: 0 };
    const found = await peer.totals(url, metric, plan.startMs, endMs);
    if (!sameTotals(found, wanted))
      differences.push(
        `${peer.name}, ${metric}: ${found.count} of ${wanted.count} samples, sum ${found.sum} of ${wanted.sum}`,
      );
  }
  return differences;
}

/** Waits for the first idle period; returns the seconds until that period began. */
async function idle(used: () => number): Promise<number> {
  const began = performance.now();
  const readings: number[] = [used()];
  for (;;) {
    await sleep(1_000);
    readings.push(used());
    const earlier = readings.at(-1 - IDLE_SECONDS);
    const worked = earlier === undefined ? Number.POSITIVE_INFINITY : (readings.at(-1) ?? 0) - earlier;
    if (worked <= IDLE_SECONDS * IDLE_SHARE + 0.02) return (performance.now() - began) / 1000 - IDLE_SECONDS;
    if (performance.now() - began > IDLE_WITHIN_MS) return (performance.now() - began) / 1000;
  }
}

async function ready(child: ChildProcess, url: string): Promise<void> {
  for (const deadline = performance.now() + 30_000; ; await sleep(100)) {
    if (child.exitCode !== null || performance.now() > deadline)
      throw new Error(`the peer did not start: ${url}`);
    const answer = await fetch(url, { signal: AbortSignal.timeout(2_000) }).catch(() => undefined);
    if (answer?.ok) return;
  }
}

function versionOf(program: string, args: readonly string[]): string {
  const { stdout, stderr } = spawnSync(program, args, { encoding: 'utf8', timeout: 10_000 });
  return /\d+\.\d+\.\d+[\w.~+-]*/.exec(`${stdout}${stderr}`)?.[0] ?? 'unknown';
}

function find(program: string): string | undefined {
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    try {
      accessSync(join(folder, program), constants.X_OK);
      return join(folder, program);
    } catch {
      // The program is not in this folder, so the next one is tried.
    }
  }
  return undefined;
}
