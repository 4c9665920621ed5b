import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { readOptions } from '@tidewatch/agent/options';
import { INGEST_ROUTES } from '@tidewatch/contracts/ingest/ingest-routes';
import { ProblemError, problemDocument } from '@tidewatch/contracts/problems/problem';
import { SERVICE_NAMES } from '@tidewatch/runtime/process/backend-service';
import { SERVICE_V8_OPTIONS } from '@tidewatch/runtime/process/v8-options';
import { type Settings, unknownSettings } from '@tidewatch/runtime/settings/config';
import { processSettings } from '@tidewatch/runtime/settings/process-settings';
import { serviceSettings } from '@tidewatch/stack/service-settings';
import { migrateSettings } from '@tidewatch/standalone/migration/config';
import { secretsSettings } from '@tidewatch/standalone/secrets/config';
import { describe, expect, it, test } from 'vitest';
import { parse } from 'yaml';

interface Service {
  image: string;
  command?: string[];
  environment?: Record<string, string | number>;
  volumes?: string[];
  networks?: string[];
  profiles?: string[];
  user?: string;
  read_only?: boolean;
  cap_drop?: string[];
  security_opt?: string[];
  mem_limit?: string;
  restart?: string;
  healthcheck?: object;
}

const root = fileURLToPath(new URL('../../../', import.meta.url));
const compose: {
  services: Record<string, Service>;
  volumes: Record<string, null>;
  networks: Record<string, { internal?: boolean } | null>;
} = parse(readFileSync(`${root}docker-compose.yml`, 'utf8'), { merge: true });
const services = Object.entries(compose.services);
const dockerfile = readFileSync(`${root}deploy/Dockerfile`, 'utf8');

const common: Settings = { logLevel: processSettings.logLevel };
const { proxy: _ofStack, ...settingsOfServices } = serviceSettings;
const SETTINGS: Record<string, Settings> = {
  secrets: { ...common, ...secretsSettings },
  migrate: { ...common, ...migrateSettings },
  ...settingsOfServices,
};

/** Ports, TLS and the names of topics inside the file's own networks, where its volumes are mounted, and what the image sets. */
const DECIDED = [
  ...['TIDEWATCH_PORT', 'TIDEWATCH_ADMIN_PORT', 'TIDEWATCH_TLS_CERT_FILE', 'TIDEWATCH_TLS_KEY_FILE'],
  ...['TIDEWATCH_KAFKA_TLS', 'TIDEWATCH_KAFKA_TLS_CA_FILE', 'TIDEWATCH_KAFKA_TOPIC_PREFIX'],
  ...['TIDEWATCH_SECRETS_DIR', 'TIDEWATCH_CONSOLE_DIR', 'TIDEWATCH_DOWNLOADS_DIR'],
];

describe.each(Object.entries(SETTINGS))('%s', (name, settings) => {
  const { command = [], environment = {} } = compose.services[name] as Service;
  const given = Object.fromEntries(Object.entries(environment).map(([key, value]) => [key, String(value)]));

  it('runs a program that exists', () => {
    expect(existsSync(`${root}${command[0]}`)).toBe(true);
  });

  it('sets no variable that its process does not know', () => {
    expect(unknownSettings([settings], given)).toEqual([]);
  });

  it('sets every setting without a default', () => {
    const lacking = Object.values(settings)
      .filter(({ schema }) => !schema.safeParse(undefined).success)
      .map(({ env }) => env)
      .filter((env) => !(env in given) && !(`${env}_FILE` in given));
    expect(lacking).toEqual([]);
  });

  it('passes on every setting of its process, except those that the compose file fixes', () => {
    const lacking = Object.values(settings)
      .map(({ env }) => env)
      .filter((env) => !(env in given) && !(`${env}_FILE` in given) && !DECIDED.includes(env));
    expect(lacking).toEqual([]);
  });

  it('reads secrets from files, unless a variable sets them', () => {
    const secrets = Object.values(settings).filter(({ secret, env }) => secret && env in given);
    for (const { env } of secrets) expect(given[env]).toBe(`\${${env}:-}`);
  });

  it('mounts the folders of its files', () => {
    const files = Object.entries(given)
      .filter(([key]) => key.endsWith('_FILE'))
      // A file that is needed with another setting alone: ${OTHER:+/folder/file}.
      .map(([key, file]) => [key, file.replace(/^\$\{\w+:\+(.*)\}$/, '$1')] as const);
    const mounts = (compose.services[name]?.volumes ?? []).map((volume) => volume.split(':')[1]);
    for (const [, file] of files) expect(mounts).toContain(file.slice(0, file.lastIndexOf('/')));
  });
});

describe.each(services)('the container of %s', (_name, service) => {
  it('can change only its volumes, has no privileges and a limit of memory', () => {
    expect(service.read_only).toBe(true);
    expect(service.cap_drop).toEqual(['ALL']);
    expect(service.security_opt).toContain('no-new-privileges:true');
    expect(service.mem_limit).toMatch(/^\d+[mg]$/);
  });

  it('runs an image of one version, not as root', () => {
    const ours = service.image.startsWith('$');
    if (ours) expect(dockerfile).toMatch(/^USER node$/m);
    else expect(service.user).toMatch(/^[1-9]\d*:[1-9]\d*$/);
    if (!ours) expect(service.image).toMatch(/:[^/@]+@sha256:[0-9a-f]{64}$/);
    expect(service.image).not.toMatch(/:latest$/);
    expect(service.image).toMatch(/:[^/]+$/);
  });

  it('uses volumes that the file names', () => {
    const named = (service.volumes ?? []).map((volume) => volume.split(':')[0] ?? '');
    for (const name of named.filter((each) => !each.startsWith('.')))
      expect(Object.keys(compose.volumes)).toContain(name);
  });
});

describe('networks', () => {
  const networksOf = (name: string) => compose.services[name]?.networks ?? [];

  it.each(['kafka', 'timescaledb', 'valkey'])(
    '%s is reached by those that need it, and never by the proxy',
    (name) => {
      const [own, ...others] = networksOf(name);
      expect(others).toEqual([]);
      expect(compose.networks[own as string]).toEqual({ internal: true });
      expect(networksOf('proxy')).toEqual(['web']);
      expect(own).not.toBe('web');
    },
  );

  it.each(services)(
    '%s shares a network with each part whose address it is given',
    (_name, { environment = {}, networks = [] }) => {
      const needs = (setting: RegExp) => Object.keys(environment).some((key) => setting.test(key));
      if (needs(/^TIDEWATCH_KAFKA_BROKERS$/)) expect(networks).toContain('kafka');
      if (needs(/DATABASE_URL_FILE$/)) expect(networks).toContain('database');
      if (needs(/REDIS_URL_FILE$/)) expect(networks).toContain('redis');
    },
  );
});

test('the image begins with a Node that is pinned by content', () => {
  expect(dockerfile).toMatch(/^ARG NODE_IMAGE=node:[\d.]+-bookworm-slim@sha256:[0-9a-f]{64}$/m);
});

test('the image has a folder for each volume that its user writes, which would otherwise belong to root', () => {
  const folders = /^RUN install -d -o node -g node ((?:[^\n\\]|\\\n)+)$/m
    .exec(dockerfile)?.[1]
    ?.match(/\/\S+/g);
  const written = services
    .filter(([, { image }]) => image.startsWith('$'))
    .flatMap(([, { volumes }]) => volumes ?? [])
    .filter((volume) => !volume.endsWith(':ro'))
    .map((volume) => volume.split(':')[1]);
  expect(written.length).toBeGreaterThan(0);
  expect(folders?.toSorted()).toEqual([...new Set(written)].toSorted());
});

test('the image has the dependencies that a package needs in a version of its own', () => {
  const lock: { packages: Record<string, { dev?: boolean }> } = JSON.parse(
    readFileSync(`${root}package-lock.json`, 'utf8'),
  );
  const needed = Object.entries(lock.packages).filter(
    ([path, { dev }]) => path.includes('node_modules/') && dev !== true,
  );
  const copied = [...dockerfile.matchAll(/^COPY --from=dependencies (\S+) /gm)].map(([, from]) => `${from}/`);
  const lost = needed.filter(([path]) => !copied.some((from) => `/tidewatch/${path}/`.startsWith(from)));
  expect(lost.map(([path]) => path)).toEqual([]);
});

test('docker-compose.yml runs every backend service', () => {
  expect(SERVICE_NAMES.filter((name) => !(name in compose.services))).toEqual([]);
});

test('the image starts Node as the stack does', () => {
  const entrypoint = /^ENTRYPOINT (\[.*\])$/m.exec(dockerfile)?.[1];
  expect(JSON.parse(entrypoint ?? 'null')).toEqual(['node', ...SERVICE_V8_OPTIONS]);
});

test('every long-running service that others depend on has a health check', () => {
  const silent = services.filter(([, { restart, healthcheck }]) => restart !== 'no' && !healthcheck);
  expect(silent.map(([name]) => name)).toEqual(['agent']);
});

test('the agent watches every service that keeps running, at an address that the proxy has', () => {
  const watching = { ...compose.services.agent?.environment };
  const addresses = String(watching.TIDEWATCH_WATCH).replaceAll(/\$\{\w+:-([^}]*)\}/g, '$1');
  const { watch } = readOptions([], { TIDEWATCH_API_KEY: 'any', TIDEWATCH_WATCH: addresses }, 'here');
  const running = Object.keys(SETTINGS).filter((name) => compose.services[name]?.restart !== 'no');
  expect(watch).toEqual(running.map((name) => `http://127.0.0.1:8232/${name}/metrics`));
  expect(readFileSync(`${root}deploy/Caddyfile`, 'utf8')).toContain(`^/(${running.join('|')})/metrics$`);
});

test('the Caddyfile forwards the endpoints of ingest to gateways, and no others', () => {
  const caddyfile = readFileSync(`${root}deploy/Caddyfile`, 'utf8');
  const matchers = new Map(
    [...caddyfile.matchAll(/(@\w+_of_agents) \{\s*method ([A-Z ]+)\s*path ([^\n]+)\n/g)].map(
      ([, name = '', methods = '', paths = '']) => [name, endpoints(methods.split(' '), paths.split(' '))],
    ),
  );
  const forwarded = [
    ...caddyfile.matchAll(/handle (\S+) \{\s*reverse_proxy \{\s*dynamic a gateway 8230/g),
  ].flatMap(([, to = '']) => matchers.get(to) ?? endpoints(['POST'], [to]));
  const expected = INGEST_ROUTES.flatMap(({ method, path }) =>
    endpoints(method === 'get' ? ['GET', 'HEAD'] : [method.toUpperCase()], [path]),
  );
  expect(forwarded.toSorted()).toEqual(expected.toSorted());
});

function endpoints(methods: readonly string[], paths: readonly string[]): string[] {
  return methods.flatMap((method) => paths.map((path) => `${method} ${path}`));
}

test('the proxy answers for an unavailable process as the API document says', () => {
  const answer = readFileSync(`${root}deploy/Caddyfile`, 'utf8').match(
    /handle_errors[^`]*`([^`]*)` 502/,
  )?.[1];
  const requestId = '{http.request.uuid}';
  const expected = problemDocument(new ProblemError('bad_gateway'), { instance: '', requestId });
  expect(JSON.parse(answer ?? 'null')).toEqual(expected);
});

test('Kafka asks every client for a login, whose password is in files that Kafka and its clients mount', () => {
  const { environment = {}, volumes = [] } = compose.services.kafka as Service;
  const protocols = String(environment.KAFKA_LISTENER_SECURITY_PROTOCOL_MAP).split(',');
  expect(protocols.map((each) => each.split(':')[1])).toEqual(['SASL_PLAINTEXT', 'SASL_PLAINTEXT']);
  expect(environment).toMatchObject({
    KAFKA_OPTS: '-Djava.security.auth.login.config=/run/tidewatch/kafka/jaas.conf',
    KAFKA_SASL_ENABLED_MECHANISMS: 'PLAIN',
    KAFKA_INTER_BROKER_LISTENER_NAME: 'SASL_PLAINTEXT',
    KAFKA_SASL_MECHANISM_INTER_BROKER_PROTOCOL: 'PLAIN',
    KAFKA_SASL_MECHANISM_CONTROLLER_PROTOCOL: 'PLAIN',
  });
  const mount = 'secrets-kafka:/run/tidewatch/kafka:ro';
  expect(volumes).toContain(mount);
  const clients = services.filter(([, service]) => 'TIDEWATCH_KAFKA_BROKERS' in (service.environment ?? {}));
  expect(clients.length).toBeGreaterThan(5);
  for (const [name, service] of services) {
    const isClient = clients.some(([client]) => client === name);
    expect((service.volumes ?? []).includes(mount), name).toBe(isClient || name === 'kafka');
    if (isClient)
      expect(service.environment, name).toMatchObject({
        TIDEWATCH_KAFKA_SASL_MECHANISM: 'plain',
        TIDEWATCH_KAFKA_SASL_USERNAME: 'tidewatch',
        TIDEWATCH_KAFKA_SASL_PASSWORD_FILE: '/run/tidewatch/kafka/password',
      });
  }
});
