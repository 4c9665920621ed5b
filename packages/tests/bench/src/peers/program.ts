import { spawn, spawnSync } from 'node:child_process';
import { accessSync, constants, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { cpuSeconds } from '@tidewatch/harness/process-tree';

/** A program of a peer: an environment variable may hold its path, otherwise it comes from PATH. */
export interface ProgramSource {
  variable: string;
  names: readonly string[];
  versionArgs: readonly string[];
  /** Where the program comes from. */
  origin: string;
}

export interface Program {
  cpuSeconds(): number;
  /** The highest resident memory so far, bytes. */
  peakBytes(): number;
  /** Ends the process by SIGTERM, and by SIGKILL if that takes longer than `END_WITHIN_MS`. */
  end(): Promise<void>;
}

const READY_WITHIN_MS = 60_000;
const END_WITHIN_MS = 30_000;
/** The share of one processor below which a process is idle. */
const IDLE_SHARE = 0.015;
const IDLE_WITHIN_MS = 240_000;
const LOOK_MS = 1_000;

/** Returns the path of a program; undefined if it is not installed. */
export function findProgram(
  { variable, names }: ProgramSource,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): string | undefined {
  const given = environment[variable];
  if (given !== undefined && given !== '') return isExecutable(given) ? given : undefined;
  const folders = (environment['PATH'] ?? '').split(delimiter);
  return folders.flatMap((folder) => names.map((name) => join(folder, name))).find(isExecutable);
}

/** Says how to get the first program that is missing; null if all are there. */
export function obstacleOf(sources: readonly ProgramSource[]): string | null {
  const missing = sources.find((source) => findProgram(source) === undefined);
  if (missing === undefined) return null;
  return `${missing.names[0]} is neither in PATH nor at $${missing.variable}; it comes from ${missing.origin}`;
}

export function versionOf(source: ProgramSource): string {
  const program = findProgram(source) ?? '';
  const { stdout, stderr } = spawnSync(program, source.versionArgs, { encoding: 'utf8', timeout: 10_000 });
  return parseVersion(`${stdout}${stderr}`);
}

/** Returns the first version in a text, such as 3.16.0 or 1.6.7~rc0; `unknown` if there is none. */
export function parseVersion(text: string): string {
  return /\d+\.\d+\.\d+(?:[~+][\w.]+|-rc[\w.]+)?/.exec(text)?.[0] ?? 'unknown';
}

/** Starts a program and waits until `readyUrl` answers 2xx. */
export async function startProgram(
  source: ProgramSource,
  options: {
    args: readonly string[];
    folder: string;
    readyUrl: string;
    env?: Readonly<Record<string, string>>;
  },
): Promise<Program> {
  const { args, folder, readyUrl, env } = options;
  const child = spawn(findProgram(source) ?? '', args, {
    cwd: folder,
    stdio: 'ignore',
    env: { ...process.env, ...env },
  });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  let failure: Error | undefined;
  child.once('error', (error) => {
    failure = error;
  });
  const pid = child.pid ?? 0;
  let lastCpu = 0;
  let lastPeak = 0;
  const look = () => {
    lastCpu = Math.max(lastCpu, cpuSeconds(pid));
    lastPeak = Math.max(lastPeak, peakOf(pid));
  };
  const program: Program = {
    cpuSeconds() {
      look();
      return lastCpu;
    },
    peakBytes() {
      look();
      return lastPeak;
    },
    async end() {
      look();
      const deadline = setTimeout(() => child.kill('SIGKILL'), END_WITHIN_MS);
      if (child.kill('SIGTERM')) await ended;
      clearTimeout(deadline);
    },
  };
  for (const deadline = performance.now() + READY_WITHIN_MS; ; await sleep(100)) {
    const answer = await fetch(readyUrl, { signal: AbortSignal.timeout(2_000) }).catch(() => undefined);
    if (answer?.ok) return program;
    if (failure === undefined && child.exitCode === null && performance.now() < deadline) continue;
    await program.end();
    throw failure ?? new Error(`${source.names[0]} did not start: ${readyUrl} does not answer`);
  }
}

/** Resolves once a process has been idle for `idleMs`; throws if it works for longer than four minutes. */
export async function untilIdle(used: () => number, idleMs: number): Promise<void> {
  const looks = Math.ceil(idleMs / LOOK_MS);
  const readings = [used()];
  for (const deadline = performance.now() + IDLE_WITHIN_MS + idleMs; performance.now() < deadline; ) {
    await sleep(LOOK_MS);
    readings.push(used());
    const earlier = readings.at(-1 - looks);
    if (earlier !== undefined && (readings.at(-1) ?? 0) - earlier <= (idleMs / 1_000) * IDLE_SHARE) return;
  }
  throw new Error('timeout: the system did not become idle');
}

function peakOf(pid: number): number {
  try {
    return Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1_024;
  } catch {
    return 0; // The process has ended.
  }
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
