import { type ChildProcess, spawn } from 'node:child_process';
import { accessSync, constants, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { cpuSeconds } from '@tidewatch/testkit/process-tree';
import { hostName, hostsOf, metricName, type Plan, timeOf } from '../load/plan.ts';
import { createWalk } from '../load/walk.ts';

export interface PeerResult {
  name: string;
  cpuPerMillion?: number;
  note: string;
}

/** One payload of the plan, as every peer's encoder takes it. */
export interface Point {
  host: string;
  time: number;
  names: readonly string[];
  /** Hundredths. */
  values: Int32Array;
}

/** Another product that takes the same samples in its own best way. */
export interface Peer {
  name: string;
  /** Programs that it may be installed as. */
  programs: string[];
  /** Arguments for data in `folder`, listening on `port`. */
  args(folder: string, port: number): string[];
  /** Path that answers 2xx once it is ready. */
  readyPath: string;
  /** Asked before samples are sent, e.g. to make a database. */
  preparePath?: string;
  path: string;
  headers: Record<string, string>;
  encode(points: readonly Point[]): Uint8Array | string;
}

const POINTS_PER_REQUEST = 100;
const SAMPLES = 2_000_000;

/** Runs a peer on fresh data, sends the first two million samples of the plan, waits for it to calm down. */
export async function runPeer(peer: Peer, plan: Plan, port: number): Promise<PeerResult> {
  const program = peer.programs.map(find).find((path) => path !== undefined);
  if (program === undefined)
    return { name: peer.name, note: `not installed (looked for ${peer.programs.join(', ')})` };
  const folder = mkdtempSync(join(tmpdir(), 'tidewatch-peer-'));
  const child = spawn(program, peer.args(folder, port), { cwd: folder, stdio: 'ignore' });
  try {
    await ready(child, `http://127.0.0.1:${port}${peer.readyPath}`);
    if (peer.preparePath !== undefined)
      await fetch(`http://127.0.0.1:${port}${peer.preparePath}`, { method: 'POST' });
    const before = cpuSeconds(child.pid ?? 0);
    const samples = await sendAll(peer, plan, `http://127.0.0.1:${port}${peer.path}`);
    await sleep(8_000); // its merges and flushes belong to the price
    return {
      name: peer.name,
      cpuPerMillion: (cpuSeconds(child.pid ?? 0) - before) / (samples / 1e6),
      note: '',
    };
  } finally {
    child.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  }
}

async function sendAll(peer: Peer, plan: Plan, url: string): Promise<number> {
  const ticks = Math.min(plan.ticks, Math.ceil(SAMPLES / (plan.hosts * plan.metrics)));
  const names = Array.from({ length: plan.metrics }, (_, index) => metricName(index));
  async function sendConnection(connection: number): Promise<void> {
    const hosts = hostsOf(plan, connection);
    const walks = hosts.map((host) => createWalk(plan, host));
    let points: Point[] = [];
    for (let tick = 0; tick < ticks; tick += 1) {
      for (const [at, host] of hosts.entries()) {
        const walk = walks[at] as ReturnType<typeof createWalk>;
        walk.next();
        points.push({
          host: hostName(host),
          time: timeOf(plan, host, tick),
          names,
          values: walk.values.slice(),
        });
      }
      if (points.length < POINTS_PER_REQUEST && tick < ticks - 1) continue;
      const response = await fetch(url, {
        method: 'POST',
        headers: peer.headers,
        body: peer.encode(points) as Uint8Array<ArrayBuffer> | string,
      });
      if (!response.ok)
        throw new Error(`${peer.name}: ${response.status} ${(await response.text()).slice(0, 200)}`);
      await response.arrayBuffer();
      points = [];
    }
  }
  await Promise.all(Array.from({ length: plan.connections }, (_, connection) => sendConnection(connection)));
  return ticks * plan.hosts * plan.metrics;
}

async function ready(child: ChildProcess, url: string): Promise<void> {
  for (const deadline = performance.now() + 30_000; ; await sleep(100)) {
    if (child.exitCode !== null || performance.now() > deadline)
      throw new Error(`the peer did not start: ${url}`);
    const answer = await fetch(url).catch(() => undefined);
    if (answer?.ok) return;
  }
}

function find(program: string): string | undefined {
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    try {
      accessSync(join(folder, program), constants.X_OK);
      return join(folder, program);
    } catch {
      // not in this folder
    }
  }
  return undefined;
}
