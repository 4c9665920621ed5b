import { readFileSync } from 'node:fs';
import { ConfigError } from '@tidewatch/runtime/settings/config-error';
import { misspeltSettings } from '@tidewatch/runtime/settings/misspelt-settings';
import { isServiceAddress, isWatchable, MAX_WATCHED } from './addresses.ts';
import { type Command, type CommandLine, parseCommandLine } from './command-line.ts';
import type { FileSettings } from './config-file.ts';

/** The sockets of Docker and Podman. */
const CONTAINER_SOCKETS = ['/var/run/docker.sock', '/run/podman/podman.sock'];

export interface AgentOptions {
  url: string;
  key: string;
  /** The file with the key; null if the key came from an argument or the environment. */
  keyFile: string | null;
  /** A PEM file of certificate authorities to trust in addition to the default ones; null for none. */
  caFile: string | null;
  /** The PEM files of this agent's certificate and of its key; null for none. */
  clientCertificate: { cert: string; key: string } | null;
  /** The folder of the buffer on disk; null for a buffer in memory. */
  bufferDirectory: string | null;
  host: string;
  /** The folder at which the root of the host is mounted; `/` unless the agent runs in a container. */
  hostRoot: string;
  /** Milliseconds between two samples. */
  intervalMs: number;
  once: boolean;
  command: Command;
  /** With the command update: replaces what a package manager owns, or by a version that was rolled back. */
  force: boolean;
  allowDowngrade: boolean;
  tags: Record<string, string>;
  /** The sockets of container engines, of which the first that exists is used. */
  dockerSockets: string[];
  /** The names of collectors that are switched off. */
  disabled: string[];
  /** Units of systemd that are reported whatever their state. */
  units: string[];
  /** Addresses of Tidewatch's own metrics, or WATCH_PARENT. */
  watch: string[];
  help: boolean;
  version: boolean;
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads the arguments, the environment for those that are not given, and the settings of a file for the rest. Throws a
 * ConfigError that names every fault.
 */
export function readOptions(
  args: readonly string[],
  env: Environment,
  hostName: string,
  file: FileSettings = {},
): AgentOptions {
  const values = parseCommandLine(args);
  const { help = false, version = false } = values;
  const faults: string[] = [];
  const url = values.url ?? env.TIDEWATCH_URL ?? file.url ?? 'http://127.0.0.1:8230';
  if (!isServiceAddress(url)) faults.push('--url must be an http or https address');
  const host = values.host ?? file.host ?? hostName;
  if (host.length < 1 || [...host].length > 255) faults.push('--host must have 1 to 255 characters');
  const interval = Number(values.interval ?? file.interval ?? 10);
  if (!(interval >= 1 && interval <= 3600)) faults.push('--interval must be 1 to 3600 seconds');
  const clientCertificate = readClientFiles(
    values['client-cert'] ?? file.client_cert,
    values['client-key'] ?? file.client_key,
    faults,
  );
  const tags = values.tag === undefined ? (file.tags ?? {}) : readTags(values.tag, faults);
  const watch = readWatched(values.watch ?? watchedOf(env) ?? file.watch ?? [], faults);
  const needsKey = !help && !version && values.command !== 'settle';
  const { key, keyFile } = needsKey
    ? readKey(values, env, file.key_file, faults)
    : { key: '', keyFile: null };
  if (needsKey) faults.push(...misspeltSettings(env));
  if (faults.length > 0) throw new ConfigError(`The agent cannot start:\n  ${faults.join('\n  ')}`);
  const socket = values['docker-socket'] || file.docker_socket;
  return {
    url,
    key,
    keyFile,
    clientCertificate,
    caFile: values['ca-file'] ?? (env.TIDEWATCH_CA_FILE || file.ca_file || null),
    bufferDirectory: values['buffer-dir'] || file.buffer_dir || null,
    host,
    hostRoot: values['host-root'] ?? file.host_root ?? '/',
    intervalMs: interval * 1000,
    once: values.once ?? false,
    command: values.command,
    force: values.force ?? false,
    allowDowngrade: values['allow-downgrade'] ?? false,
    tags,
    dockerSockets: socket ? [socket] : CONTAINER_SOCKETS,
    disabled: namesOf(values.disable ?? file.disable ?? []),
    units: namesOf(values.unit ?? file.units ?? []),
    watch,
    help,
    version,
  };
}

function readClientFiles(cert: string | undefined, key: string | undefined, faults: string[]) {
  if (cert === undefined && key === undefined) return null;
  if (cert !== undefined && key !== undefined) return { cert, key };
  faults.push('--client-cert and --client-key are only allowed together');
  return null;
}

function watchedOf(env: Environment): string[] | undefined {
  return env.TIDEWATCH_WATCH ? [env.TIDEWATCH_WATCH] : undefined;
}

function readTags(assignments: readonly string[], faults: string[]): Record<string, string> {
  const tags: [string, string][] = [];
  for (const assignment of assignments) {
    const divider = assignment.search(/[:=]/);
    if (divider < 1) faults.push(`--tag ${assignment} must be KEY=VALUE or KEY:VALUE`);
    else tags.push([assignment.slice(0, divider), assignment.slice(divider + 1)]);
  }
  return Object.fromEntries(tags);
}

/** The texts of comma-separated lists, each once. */
function namesOf(lists: readonly string[]): string[] {
  const texts = lists.flatMap((list) => list.split(',')).map((text) => text.trim());
  return [...new Set(texts.filter((text) => text !== ''))];
}

function readWatched(lists: readonly string[], faults: string[]): string[] {
  const named = namesOf(lists);
  if (named.length > MAX_WATCHED)
    faults.push(`--watch names ${named.length} addresses; at most ${MAX_WATCHED} are allowed`);
  if (!named.every(isWatchable))
    faults.push('--watch must be http or https addresses without user name and password');
  return named;
}

function readKey(
  values: CommandLine,
  env: Environment,
  configured: string | undefined,
  faults: string[],
): { key: string; keyFile: string | null } {
  if (values.key) return { key: values.key, keyFile: null };
  const file =
    values['key-file'] ?? (env.TIDEWATCH_API_KEY ? undefined : env.TIDEWATCH_API_KEY_FILE || configured);
  if (file) {
    try {
      const key = readFileSync(file, 'utf8').trim();
      if (key === '') faults.push(`the key file ${file} is empty: write the key into it`);
      return { key, keyFile: file };
    } catch (error) {
      faults.push(`cannot read the key from ${file}: ${(error as NodeJS.ErrnoException).code}`);
      return { key: '', keyFile: file };
    }
  }
  if (!env.TIDEWATCH_API_KEY)
    faults.push(
      'a key is missing: set TIDEWATCH_API_KEY, give --key or --key-file, or name a key_file in the file of --config',
    );
  return { key: env.TIDEWATCH_API_KEY ?? '', keyFile: null };
}
