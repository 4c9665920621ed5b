import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { partEnvironment } from '../service-environment.ts';

export interface NativeProcessOptions {
  /** The name of the process in error messages. */
  name: string;
  command: string;
  args: readonly string[];
  /** The file to which the output of the process is appended. */
  log: string;
  cwd?: string;
  /** The environment; by default only variables that programs need to run, none of them a secret. */
  env?: NodeJS.ProcessEnv;
  uid?: number;
  gid?: number;
  /** A separate process group, so that a signal to this one does not reach it before this process has handled it. */
  ownGroup?: boolean;
  /** Milliseconds. */
  startWithinMs: number;
  ready(): Promise<boolean>;
  /** Aborts the start, which ends the program. */
  leaving?: AbortSignal | undefined;
}

/** A server that this process started. It is ended by its pid, never by its name. */
export interface NativeProcess {
  pid: number;
  /** Resolves with the exit code when the server has ended, or null after a signal. */
  ended: Promise<number | null>;
  signal(name: NodeJS.Signals): void;
  /** Stops the server by SIGTERM, and by SIGKILL after `patienceMs` (10,000). */
  stop(patienceMs?: number): Promise<void>;
}

/** Starts a program and waits until it is ready. Throws with the end of its log if it ends or takes too long. */
export async function startNative(options: NativeProcessOptions): Promise<NativeProcess> {
  const out = openSync(options.log, 'a');
  const child = spawn(options.command, options.args, {
    cwd: options.cwd ?? '/',
    env: options.env ?? partEnvironment(process.env),
    stdio: ['ignore', out, out],
    detached: options.ownGroup === true,
    ...(options.uid !== undefined && { uid: options.uid, gid: options.gid }),
  });
  closeSync(out);
  const ended = endOf(child);
  const running = { now: true };
  void ended.then(() => {
    running.now = false;
  });
  const end = async (patienceMs: number) => {
    child.kill('SIGTERM');
    const killing = setTimeout(() => child.kill('SIGKILL'), patienceMs);
    await ended;
    clearTimeout(killing);
  };
  const failed = (why: string) =>
    new Error(`${options.name} ${why}. The end of ${options.log}:\n${tailOf(options.log)}`);
  for (const deadline = performance.now() + options.startWithinMs; !(await options.ready()); ) {
    if (!running.now) throw failed('ended while it started');
    if (options.leaving?.aborted) {
      await end(10_000);
      throw new Error(`${options.name} was stopped while it started`);
    }
    if (performance.now() > deadline) {
      child.kill('SIGKILL');
      throw failed(`was not ready within ${options.startWithinMs / 1000} s`);
    }
    await sleep(50);
  }
  return {
    pid: child.pid ?? 0,
    ended,
    signal: (name) => void child.kill(name),
    stop: (patienceMs = 10_000) => end(patienceMs),
  };
}

/** Returns true if a server accepts connections on this port. */
export function accepts(port: number, host = '127.0.0.1'): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host, timeout: 1_000 });
    const answer = (open: boolean) => {
      socket.destroy();
      resolve(open);
    };
    socket.once('connect', () => answer(true));
    socket.once('error', () => answer(false));
    socket.once('timeout', () => answer(false));
  });
}

function endOf(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve) => {
    child.once('exit', (code) => resolve(code));
    child.once('error', () => resolve(null));
  });
}

function tailOf(log: string): string {
  try {
    return readFileSync(log, 'utf8').slice(-2_000);
  } catch {
    return '(no output)';
  }
}
