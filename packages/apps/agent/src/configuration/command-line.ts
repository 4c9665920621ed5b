import { parseArgs } from 'node:util';
import { nearMiss } from '@tidewatch/contracts/problems/near-miss';
import { ConfigError } from '@tidewatch/runtime/settings/config-error';

export const USAGE = `Reports this machine to Tidewatch.

  tidewatch-agent --url http://127.0.0.1:8230 --key-file FILE
  tidewatch-agent check --config FILE
  tidewatch-agent update --config FILE --buffer-dir FOLDER

In a checkout of Tidewatch, npm run agent -- takes the place of tidewatch-agent.

  check                validate the settings, the key and the address, without a sample; exit code 1 for a fault
  update               replace this executable by the newer version that the service serves, if that is signed
  settle               before a start after an update: keep the new version, or put the former one back

  --config FILE        file of settings in YAML; arguments and the environment take precedence over it
  --url URL            address of the service; TIDEWATCH_URL, else http://127.0.0.1:8230
  --key KEY            API key with the scope ingest; prefer TIDEWATCH_API_KEY, since other users can see arguments
  --key-file FILE      file that contains the key; TIDEWATCH_API_KEY_FILE
  --ca-file FILE       certificate authorities (PEM) to trust in addition to the default ones; TIDEWATCH_CA_FILE
  --buffer-dir FOLDER  folder for what cannot be sent yet, which survives restarts; in memory by default
  --client-cert FILE   certificate of this agent (PEM), where the server asks for one; read again once it is replaced
  --client-key FILE    the key of that certificate (PEM)
  --host NAME          host name to report; the name of this machine by default
  --host-root DIR      where the root of the host is mounted, in a container that reports its host; / by default
  --interval SECONDS   time between two samples, 1 to 3600; 10 by default
  --tag KEY=VALUE      tag of this host, also KEY:VALUE; repeatable
  --docker-socket PATH Docker's socket; /var/run/docker.sock by default, else /run/podman/podman.sock
  --disable NAME[,…]   collectors to switch off, such as processes,containers; repeatable
  --unit NAME[,NAME…]  units of systemd to report whatever their state, also patterns; repeatable
  --watch URL[,URL…]   metrics pages of Tidewatch processes to report on with this host; repeatable; TIDEWATCH_WATCH
  --once               send one sample and exit; exit code 1 if it is not accepted, as with a revoked key
  --force              with update: replace what dpkg owns, or by a version that was rolled back
  --allow-downgrade    with update: install an older version
  --version            print the version of the agent
  --help               print this text

HTTPS_PROXY, HTTP_PROXY and NO_PROXY set a proxy for requests to the service; loopback addresses bypass it.
`;

const OPTIONS = {
  config: { type: 'string' },
  url: { type: 'string' },
  key: { type: 'string' },
  'key-file': { type: 'string' },
  'ca-file': { type: 'string' },
  'client-cert': { type: 'string' },
  'client-key': { type: 'string' },
  'buffer-dir': { type: 'string' },
  host: { type: 'string' },
  'host-root': { type: 'string' },
  interval: { type: 'string' },
  tag: { type: 'string', multiple: true },
  'docker-socket': { type: 'string' },
  disable: { type: 'string', multiple: true },
  unit: { type: 'string', multiple: true },
  watch: { type: 'string', multiple: true },
  once: { type: 'boolean' },
  force: { type: 'boolean' },
  'allow-downgrade': { type: 'boolean' },
  version: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;

const COMMANDS = ['check', 'update', 'settle'] as const;

/** What the agent does: report, unless a command is given. */
export type Command = 'report' | (typeof COMMANDS)[number];
export type CommandLine = ReturnType<typeof parseOptions>['values'] & { command: Command };

/** Reads the arguments of the agent. Throws a ConfigError for an unknown one. */
export function parseCommandLine(args: readonly string[]): CommandLine {
  const { values, positionals } = parseOptions(args);
  const [word, ...others] = positionals;
  const command = COMMANDS.find((name) => name === word);
  const [wrong] = word !== undefined && command === undefined ? [word] : others;
  if (wrong !== undefined)
    throw new ConfigError(
      `Unexpected argument '${wrong}'. Allowed is one of the commands ${COMMANDS.join(', ')}.\n\n${USAGE}`,
    );
  if (command !== 'update' && (values.force || values['allow-downgrade']))
    throw new ConfigError(`--force and --allow-downgrade are only allowed with update.\n\n${USAGE}`);
  return { ...values, command: command ?? 'report' };
}

function parseOptions(args: readonly string[]) {
  try {
    return parseArgs({ args, options: OPTIONS, allowPositionals: true });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const unknown = code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION' ? /'--?([^']+)'/.exec(message)?.[1] : undefined;
    const meant = unknown && nearMiss(unknown, Object.keys(OPTIONS));
    const [fault] = message.split('. To specify a positional');
    throw new ConfigError(`${meant ? `${fault}. Did you mean --${meant}?` : message}\n\n${USAGE}`);
  }
}
