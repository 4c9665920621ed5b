import { readFileSync, statSync } from 'node:fs';
import type { Readable, Writable } from 'node:stream';
import { CommanderError } from '@commander-js/extra-typings';
import { createTidewatchClient, type TidewatchClient } from '@tidewatch/api-client/client';
import { ApiProblem } from '@tidewatch/api-client/problem';
import { isPlaceholder } from '@tidewatch/contracts/values/placeholder';
import { misspeltSettings } from '@tidewatch/runtime/settings/misspelt-settings';
import { EXIT, exitCodeOf } from './exit-code.ts';
import { safeText } from './output/safe-text.ts';
import { createTerminal } from './output/terminal.ts';
import { PlaceholderError } from './placeholder-error.ts';
import { createProgram, type GlobalOptions } from './program.ts';
import type { Session } from './session.ts';
import { type Environment, readAddress, readKey } from './settings.ts';
import { UsageError } from './usage-error.ts';

export interface Surroundings {
  args: readonly string[];
  env: Environment;
  directory: string;
  input: Readable;
  stdout: Writable;
  stderr: Writable;
  clock(): number;
  /** Aborts when the user wants to leave. */
  signal: AbortSignal;
}

/** Runs one command; answers its exit code and never throws. */
export async function runCommand(surroundings: Surroundings): Promise<number> {
  const { args, signal } = surroundings;
  const terminal = createTerminal(surroundings.stdout, surroundings.stderr, surroundings.env);
  let options: GlobalOptions = {};
  const session = createSession(surroundings, terminal, () => options);
  const program = createProgram(session, {
    begin: (given) => {
      options = given;
    },
    writeOut: (text) => void surroundings.stdout.write(text),
    writeErr: (text) => void surroundings.stderr.write(text),
  });
  for (const line of misspeltSettings(surroundings.env)) terminal.note(line);
  try {
    refusePlaceholders(args);
    await program.parseAsync(args, { from: 'user' });
    return signal.aborted ? EXIT.interrupted : session.exitCode;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.usage;
    if (signal.aborted) return EXIT.interrupted;
    for (const line of explain(error, session)) terminal.note(safeText(line));
    return exitCodeOf(error);
  }
}

function createSession(
  { env, directory, input, clock, signal }: Surroundings,
  terminal: Session['terminal'],
  options: () => GlobalOptions,
): Session {
  let client: TidewatchClient | undefined;
  const address = () => readAddress(options().url, env);
  let warned = false;
  const readSecret = (path: string) => {
    const text = readText(path);
    const mode = text === null ? null : modeForOthers(path);
    if (mode !== null && !warned)
      terminal.note(`warning: ${safeText(path)} is open to others (mode ${mode}): chmod go-rwx`);
    warned ||= mode !== null;
    return text;
  };
  const key = () => readKey(address(), env, readSecret);
  return {
    terminal,
    env,
    directory,
    input,
    clock,
    signal,
    address,
    exitCode: EXIT.done,
    json: () => options().json === true,
    hasKey: () => key() !== undefined,
    client() {
      if (client !== undefined) return client;
      const known = key();
      if (known === undefined)
        throw new UsageError(
          'no key is known: set TIDEWATCH_API_KEY, or TIDEWATCH_API_KEY_FILE to a file that holds it',
        );
      client = createTidewatchClient({ url: address().url, key: known, retries: 2 });
      return client;
    },
  };
}

/** The mode of a file of ours that others may read or write, octal; null of one that is private or belongs to others. */
function modeForOthers(path: string): string | null {
  const { mode, uid } = statSync(path);
  if (process.platform === 'win32' || uid !== process.geteuid?.() || (mode & 0o077) === 0) return null;
  return (mode & 0o7777).toString(8).padStart(4, '0');
}

function readText(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}

/** Lines that say what went wrong and, where it is known, what to do. */
function explain(error: unknown, session: Session): string[] {
  if (!(error instanceof ApiProblem))
    return [`tidewatch: ${error instanceof Error ? error.message : String(error)}`];
  const { status, code, detail, errors, requestId } = error;
  return [
    `tidewatch: ${status}${code === null ? '' : ` ${code}`}: ${detail}`,
    // The detail of most answers is the only fault, or begins with the first.
    ...errors
      .map((fault) => `${fault.path || fault.in}: ${fault.message}`)
      .filter((fault) => fault !== detail)
      .map((fault) => `  ${fault}`),
    ...(status === 401
      ? [`  The key was taken for ${session.address().url}; tidewatch --help says where it is looked for.`]
      : []),
    ...(requestId === null ? [] : [`  request ${requestId}`]),
  ];
}

/** Throws PlaceholderError where an argument, or the value of an option, is still that of an example. */
function refusePlaceholders(args: readonly string[]): void {
  const left = args.map((arg) => arg.replace(/^--[\w-]+=/, '')).find(isPlaceholder);
  if (left !== undefined) throw new PlaceholderError(left);
}
