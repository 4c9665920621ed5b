import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { WATCH_PARENT } from '@tidewatch/contracts/agent/parent-channel';
import { nearMiss } from '@tidewatch/contracts/problems/near-miss';
import { ConfigError } from '@tidewatch/runtime/settings/config';
import { misspeltSettings } from '@tidewatch/runtime/settings/misspelt-settings';

const MAX_WATCHED = 100;
/** The sockets of Docker and Podman. */
const CONTAINER_SOCKETS = ['/var/run/docker.sock', '/run/podman/podman.sock'];

export interface AgentOptions {
  url: string;
  key: string;
  /** The file with the key; null if the key came from an argument or the environment. */
  keyFile: string | null;
  /** A PEM file of certificate authorities to trust in addition to the default ones; null for none. */
  caFile: string | null;
  host: string;
  /** Milliseconds between two samples. */
  intervalMs: number;
  once: boolean;
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

export const USAGE = `Reports this machine to Tidewatch.

  npm run agent -- --url http://127.0.0.1:8230 --key tw_…

  --url URL            address of the service; TIDEWATCH_URL, else http://127.0.0.1:8230
  --key KEY            API key with the scope ingest; prefer TIDEWATCH_API_KEY, since other users can see arguments
  --key-file FILE      file that contains the key; TIDEWATCH_API_KEY_FILE
  --ca-file FILE       certificate authorities (PEM) to trust in addition to the default ones; TIDEWATCH_CA_FILE
  --host NAME          host name to report; the name of this machine by default
  --interval SECONDS   time between two samples, 1 to 3600; 10 by default
  --tag KEY=VALUE      tag of this host, also KEY:VALUE; repeatable
  --docker-socket PATH Docker's socket; /var/run/docker.sock by default, else /run/podman/podman.sock
  --disable NAME[,…]   collectors to switch off, such as processes,containers; repeatable
  --unit NAME[,NAME…]  units of systemd to report whatever their state, also patterns; repeatable
  --watch URL[,URL…]   metrics pages of Tidewatch processes to report on with this host; repeatable; TIDEWATCH_WATCH
  --once               send one sample and exit; exit code 1 if it is not accepted, as with a revoked key
  --version            print the version of the agent
  --help               print this text

HTTPS_PROXY, HTTP_PROXY and NO_PROXY set a proxy for requests to the service; loopback addresses bypass it.
`;

/** Reads the arguments, and the environment for those that are not given. Throws a ConfigError that names every fault. */
export function readOptions(
  args: string[],
  env: Readonly<Record<string, string | undefined>>,
  hostName: string,
): AgentOptions {
  const values = parse(args);
  const faults: string[] = [];
  const url = values.url ?? env.TIDEWATCH_URL ?? 'http://127.0.0.1:8230';
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    faults.push('--url must be an http or https address');
  const host = values.host ?? hostName;
  if (host.length < 1 || [...host].length > 255) faults.push('--host must have 1 to 255 characters');
  const interval = Number(values.interval ?? 10);
  if (!(interval >= 1 && interval <= 3600)) faults.push('--interval must be 1 to 3600 seconds');
  const tags = readTags(values.tag ?? [], faults);
  const watch = readWatched(values.watch ?? [env.TIDEWATCH_WATCH ?? ''], faults);
  const { key, keyFile } =
    values.help || values.version ? { key: '', keyFile: null } : readKey(values, env, faults);
  if (!values.help && !values.version) faults.push(...misspeltSettings(env));
  if (faults.length > 0) throw new ConfigError(`The agent cannot start:\n  ${faults.join('\n  ')}`);
  return {
    url,
    key,
    keyFile,
    caFile: values['ca-file'] ?? (env.TIDEWATCH_CA_FILE || null),
    host,
    intervalMs: interval * 1000,
    once: values.once ?? false,
    tags,
    dockerSockets: values['docker-socket'] ? [values['docker-socket']] : CONTAINER_SOCKETS,
    disabled: namesOf(values.disable ?? []),
    units: namesOf(values.unit ?? []),
    watch,
    help: values.help ?? false,
    version: values.version ?? false,
  };
}

const OPTIONS = {
  url: { type: 'string' },
  key: { type: 'string' },
  'key-file': { type: 'string' },
  'ca-file': { type: 'string' },
  host: { type: 'string' },
  interval: { type: 'string' },
  tag: { type: 'string', multiple: true },
  'docker-socket': { type: 'string' },
  disable: { type: 'string', multiple: true },
  unit: { type: 'string', multiple: true },
  watch: { type: 'string', multiple: true },
  once: { type: 'boolean' },
  version: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;

function parse(args: string[]) {
  try {
    return parseArgs({ args, options: OPTIONS }).values;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const unknown = code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION' ? /'--?([^']+)'/.exec(message)?.[1] : undefined;
    const meant = unknown && nearMiss(unknown, Object.keys(OPTIONS));
    const [fault] = message.split('. To specify a positional');
    throw new ConfigError(`${meant ? `${fault}. Did you mean --${meant}?` : message}\n\n${USAGE}`);
  }
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
  if (named.some((text) => text !== WATCH_PARENT && !isWatchable(text)))
    faults.push('--watch must be http or https addresses without user name and password');
  return named;
}

function isWatchable(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password } = new URL(text);
  return /^https?:$/.test(protocol) && username === '' && password === '';
}

function readKey(
  values: { key?: string | undefined; 'key-file'?: string | undefined },
  env: Readonly<Record<string, string | undefined>>,
  faults: string[],
): { key: string; keyFile: string | null } {
  if (values.key) return { key: values.key, keyFile: null };
  const file = values['key-file'] ?? (env.TIDEWATCH_API_KEY ? undefined : env.TIDEWATCH_API_KEY_FILE);
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
    faults.push('a key is missing: set TIDEWATCH_API_KEY, or give --key or --key-file');
  return { key: env.TIDEWATCH_API_KEY ?? '', keyFile: null };
}
