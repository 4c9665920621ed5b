import { type ChildProcess, spawn } from 'node:child_process';
import { createWriteStream, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { recordPart } from '@tidewatch/harness/parts/report';

/** Where .ci/install-parts unpacks the agents of Debian. */
const DEBIAN_AGENTS = process.env.TIDEWATCH_TEST_AGENTS ?? '/var/cache/tidewatch/agents/debian';
/** Where .ci/build-agents puts the agents that no package has. */
const BUILT_AGENTS = join(DEBIAN_AGENTS, '..');
const GUIDES = fileURLToPath(new URL('../../../../../docs/agents/', import.meta.url));
const STOP_MS = 10_000;

/** The program of our own agent. */
export const OWN_AGENT = fileURLToPath(new URL('../../../../apps/agent/src/main.ts', import.meta.url));
/** A program that sends what the SDK of OpenTelemetry for Node measures of this machine and of one application. */
export const SDK_SENDER = fileURLToPath(new URL('host-metrics-sender.ts', import.meta.url));

/**
 * The path of the program of an agent of Debian in `usr/bin` or another folder of `usr`; undefined, and recorded as lacking, where it
 * is not there.
 */
export function findAgent(name: string, folder = 'bin'): string | undefined {
  const path = [DEBIAN_AGENTS, '/'].map((root) => join(root, 'usr', folder, name)).find(existsSync);
  const detail = path ?? `${name} is not there: run .ci/install-parts`;
  recordPart({ name: 'the agents of Debian', state: path === undefined ? 'lacked' : 'given', detail });
  return path;
}

/**
 * The path of an agent's program that no package has, and that takes minutes to build; undefined, and recorded as lacking under the
 * name `part`, where it is not there.
 */
export function findBuiltAgent(program: string, part: string): string | undefined {
  const path = join(BUILT_AGENTS, program);
  const isThere = existsSync(path);
  const detail = isThere ? path : `${path} is not there: .ci/build-agents builds it, in up to 9 minutes`;
  recordPart({ name: part, state: isThere ? 'given' : 'lacked', detail });
  return isThere ? path : undefined;
}

/** The code block with this language in the guide of an agent: the first, or the one at `index`. */
export function blockOf(guide: string, language: string, index = 0): string {
  const text = readFileSync(join(GUIDES, guide), 'utf8');
  const blocks = [...text.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm'))];
  const block = blocks[index]?.[1];
  if (block === undefined) throw new Error(`${guide} has no block ${index} of ${language}.`);
  return block;
}

/** Replaces each text by another one in a block of a guide; throws where the guide no longer has it. */
export function adapt(block: string, changes: Readonly<Record<string, string>>): string {
  return Object.entries(changes).reduce((text, [from, to]) => {
    if (!text.includes(from)) throw new Error(`The block does not have ${JSON.stringify(from)}.`);
    return text.replaceAll(from, to);
  }, block);
}

/** The variables that a block of a guide sets, a line each. */
export function variablesOf(block: string): Record<string, string> {
  const lines = block.trim().split('\n');
  return Object.fromEntries(lines.map((line) => line.split(/=(.*)/s).slice(0, 2)));
}

export interface RunningAgent {
  /** What it has written to its log. */
  log(): string;
  /** Ends it at once, as a crash does. */
  kill(): Promise<void>;
  /** Ends it as an operator does. */
  close(): Promise<void>;
}

/** Starts a program that writes its log to a file of `folder`. */
export function startAgent(
  program: string,
  args: readonly string[],
  folder: string,
  env: Record<string, string> = {},
): RunningAgent {
  const path = join(folder, `${program.replaceAll('/', '_')}.log`);
  const child = spawn(program, [...args], {
    cwd: folder,
    env: { PATH: process.env.PATH ?? '', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const log = createWriteStream(path, { flags: 'a' });
  child.stdout.pipe(log, { end: false });
  child.stderr.pipe(log, { end: false });
  return {
    log: () => (existsSync(path) ? readFileSync(path, 'utf8') : ''),
    kill: () => end(child, 'SIGKILL'),
    close: () => end(child, 'SIGTERM'),
  };
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once('close', resolve));
  child.kill(signal);
  const late = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
  await ended;
  clearTimeout(late);
}
