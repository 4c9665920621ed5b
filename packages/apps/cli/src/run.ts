import { readFileSync, statSync } from 'node:fs';
import type { Readable, Writable } from 'node:stream';
import { CommanderError } from '@commander-js/extra-typings';
import { createTidewatchClient, type TidewatchClient } from '@tidewatch/api-client/client';
import { ApiProblem } from '@tidewatch/api-client/problem';
import { isPlaceholder } from '@tidewatch/contracts/problems/placeholder';
import { PlaceholderError } from '@tidewatch/runtime/command-line/placeholder-error';
import { readAddress, readKey } from '@tidewatch/runtime/command-line/service-address';
import { UsageError } from '@tidewatch/runtime/command-line/usage-error';
import type { Environment } from '@tidewatch/runtime/settings/config';
import { misspeltSettings } from '@tidewatch/runtime/settings/misspelt-settings';
import { EXIT, exitCodeOf } from './exit-code.ts';
import { safeText } from './output/safe-text.ts';
import { createTerminal } from './output/terminal.ts';
import { createProgram, type GlobalOptions } from './program.ts';
import type { Session } from './session.ts';

/** The parts of the process that a command receives. */
export interface CommandContext {
  args: readonly string[];
  env: Environment;
  directory: string;
  input: Readable;
  stdout: Writable;
  stderr: Writable;
  clock(): number;
  /** Opens an address in the user's browser; false where there is none. */
  openBrowser(url: string): Promise<boolean>;
  /** Aborts on Ctrl-C. */
  signal: AbortSignal;
}

/** Runs one command and returns its exit code. Never throws. */
export async function runCommand(context: CommandContext): Promise<number> {
  const { args, signal } = context;
  const terminal = createTerminal(context.stdout, context.stderr, context.env);
  let options: GlobalOptions = {};
  const session = createSession(context, terminal, () => options);
  const program = createProgram(session, {
    begin: (given) => {
      options = given;
    },
    writeOut: (text) => void context.stdout.write(text),
    writeErr: (text) => void context.stderr.write(text),
  });
  for (const line of misspeltSettings(context.env)) terminal.note(line);
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
  { env, directory, input, clock, openBrowser, signal }: CommandContext,
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
      terminal.note(`warning: other users can read ${safeText(path)} (mode ${mode}): run chmod go-rwx`);
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
    openBrowser,
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
          'no API key is set: set TIDEWATCH_API_KEY, or TIDEWATCH_API_KEY_FILE to the file of the key',
        );
      client = createTidewatchClient({ url: address().url, key: known, retries: 2 });
      return client;
    },
  };
}

/** The octal mode of a file of this user that other users may read or write; null if it is private or of another user. */
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

/** The lines of an error message: the fault and, if known, the remedy. */
function explain(error: unknown, session: Session): string[] {
  if (!(error instanceof ApiProblem))
    return [`tidewatch: ${error instanceof Error ? error.message : String(error)}`];
  const { status, code, detail, errors, requestId } = error;
  return [
    `tidewatch: ${status}${code === null ? '' : ` ${code}`}: ${detail}`,
    // Leaves out a detail that repeats the only fault, as most do.
    ...errors
      .map((fault) => `${fault.path || fault.in}: ${fault.message}`)
      .filter((fault) => fault !== detail)
      .map((fault) => `  ${fault}`),
    ...(status === 401
      ? [`  The key was sent to ${session.address().url}; tidewatch --help lists the sources of the key.`]
      : []),
    ...(requestId === null ? [] : [`  request ${requestId}`]),
  ];
}

/** Throws PlaceholderError if an argument or the value of an option is the placeholder of an example. */
function refusePlaceholders(args: readonly string[]): void {
  const left = args.map((arg) => arg.replace(/^--[\w-]+=/, '')).find(isPlaceholder);
  if (left !== undefined) throw new PlaceholderError(left);
}
