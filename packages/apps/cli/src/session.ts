import type { Readable } from 'node:stream';
import type { TidewatchClient } from '@tidewatch/api-client/client';
import type { Terminal } from './output/terminal.ts';
import type { Address, Environment } from './settings.ts';

/** What the verbs work with. */
export interface Session {
  /** Made when it is first asked for; throws UsageError where no key is known. */
  client(): TidewatchClient;
  /** Whether a key is known. */
  hasKey(): boolean;
  address(): Address;
  terminal: Terminal;
  /** Whether results are wanted as objects of the API. */
  json(): boolean;
  env: Environment;
  /** Where relative paths begin. */
  directory: string;
  input: Readable & { isTTY?: boolean };
  /** Milliseconds since the epoch. */
  clock(): number;
  /** Aborts when the user wants to leave. */
  signal: AbortSignal;
  /** How the command ends if nothing is thrown. */
  exitCode: number;
}
