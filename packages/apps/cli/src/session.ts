import type { Readable } from 'node:stream';
import type { TidewatchClient } from '@tidewatch/api-client/client';
import type { Address } from '@tidewatch/runtime/command-line/service-address';
import type { Environment } from '@tidewatch/runtime/settings/config';
import type { Terminal } from './output/terminal.ts';

/** The context of a command. */
export interface Session {
  /** Creates the API client at the first call. Throws UsageError without a key. */
  client(): TidewatchClient;
  /** Returns true if a key is set. */
  hasKey(): boolean;
  address(): Address;
  terminal: Terminal;
  /** Whether results are printed as objects of the API (`--json`). */
  json(): boolean;
  env: Environment;
  /** The folder to which relative paths refer. */
  directory: string;
  input: Readable & { isTTY?: boolean };
  /** The current time, milliseconds since the epoch. */
  clock(): number;
  /** Opens an address in the user's browser; false where there is none. */
  openBrowser(url: string): Promise<boolean>;
  /** Aborts on Ctrl-C. */
  signal: AbortSignal;
  /** The exit code unless an error is thrown. */
  exitCode: number;
}
