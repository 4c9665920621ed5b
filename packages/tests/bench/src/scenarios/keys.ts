import { hash } from 'node:crypto';
import { Agent, request } from 'node:http';
import { newId } from '@tidewatch/contracts/values/id';
import { cpuSeconds } from '@tidewatch/harness/process-tree';
import type { Product } from '@tidewatch/harness/product';
import { withAdmin } from '../database.ts';
import { authenticationCost } from '../measure/authentication.ts';
import { type Percentiles, summarise } from '../measure/percentile.ts';
import { number, table } from '../report/table.ts';
import type { Scenario } from '../scenario.ts';

/** A round of the measurement: requests with one payload each, sent with all keys in turn. */
interface KeyRound {
  name: string;
  keys: number;
  organizations: number;
  /** The rate of requests, per second. */
  rate: number;
  /** The duration of a request over HTTP, ms. */
  latency: Percentiles;
  /** CPU-seconds of the product per thousand requests. */
  cpu: number;
}

type KeysResult = Awaited<ReturnType<typeof runKeys>>;

const ORGANIZATIONS = 100;
const HOSTS_OF_ORGANIZATION = 10;
const CONNECTIONS = 8;

/** A key and its hosts: an agent has one host, a relay many. */
interface Sender {
  key: string;
  hosts: readonly string[];
}

export const keys: Scenario = {
  measures: `one payload a request with one key, and with 10,000 keys of 100 organizations in turn; what a key in the
cache costs`,
  options: ['seconds', 'keys'],
  async run(product, { keys: count, seconds }, print) {
    const figures = await runKeys(product, count, seconds);
    print(keyTable(figures));
    return { valid: true, figures };
  },
};

/** Measures the cost of ingest with one key, and with `count` keys of a hundred organizations. */
async function runKeys(product: Product, count: number, seconds: number) {
  const many = await makeKeys(product, count);
  const few = many.filter((_, index) => index % ORGANIZATIONS === 0).slice(0, 1);
  const hosts = Array.from({ length: ORGANIZATIONS * HOSTS_OF_ORGANIZATION }, (_, index) => `one-${index}`);
  const one = few.map(({ key }) => ({ key, hosts }));
  await send(product, one, hosts.length, 0);
  // First contact is measured separately, because it creates services, reads keys and records the hosts of each key.
  const rounds = [await round(product, 'many keys, first contact', many, many.length, 0)];
  for (const [name, senders] of [
    ['one key', one],
    ['many keys', many],
    ['one key again', one],
    ['many keys again', many],
  ] as const)
    rounds.push(await round(product, name, senders, 0, seconds));
  return { authenticationMicroseconds: await authenticationCost(count), rounds };
}

async function round(
  product: Product,
  name: string,
  senders: readonly Sender[],
  least: number,
  seconds: number,
): Promise<KeyRound> {
  const began = performance.now();
  const used = cpuSeconds(product.pid());
  const latencies = await send(product, senders, least, seconds);
  const elapsed = (performance.now() - began) / 1_000;
  return {
    name,
    keys: senders.length,
    organizations: Math.min(senders.length, ORGANIZATIONS),
    rate: latencies.length / elapsed,
    latency: summarise(latencies),
    cpu: ((cpuSeconds(product.pid()) - used) / latencies.length) * 1_000,
  };
}

/** Writes organizations and keys directly into the database, because their creation is not measured. */
async function makeKeys(product: Product, count: number): Promise<Sender[]> {
  const organizations = Array.from({ length: ORGANIZATIONS }, () => newId('org'));
  const keys = Array.from({ length: count }, (_, index) => {
    const organization = index % ORGANIZATIONS;
    const id = newId('key');
    const key = `${id.replace('key_', 'tw_')}_${hash('sha256', id, 'hex')}`;
    const host = Math.floor(index / ORGANIZATIONS) % HOSTS_OF_ORGANIZATION;
    const hosts = [`many-${organization}-${host}`];
    return { id, key, organization: organizations[organization] as string, hosts };
  });
  await withAdmin(product.dataDir, async (sql) => {
    await sql`
      insert into organizations (id, name) select id, 'bench' from json_array_elements_text(${JSON.stringify(organizations)}::text::json) as o (id)`;
    const rows = keys.map(({ id, key, organization }) => ({
      id,
      organization,
      sha256: hash('sha256', key, 'hex'),
    }));
    await sql`
      insert into api_keys (organization_id, id, name, prefix, secret_sha256, scopes)
      select organization, id, 'bench', '', decode(sha256, 'hex'), '{ingest}'
      from json_to_recordset(${JSON.stringify(rows)}::text::json) as k (id text, organization text, sha256 text)`;
  });
  return keys.map(({ key, hosts }) => ({ key, hosts }));
}

/**
 * Sends payloads by the senders in turn, at least `least` and until `seconds` are over; returns the duration of each, ms.
 */
async function send(
  product: Product,
  senders: readonly Sender[],
  least: number,
  seconds: number,
): Promise<number[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const latencies: number[] = [];
  const end = performance.now() + seconds * 1_000;
  let turn = 0;
  const connection = async () => {
    while (turn < least || performance.now() < end) {
      const { key, hosts } = senders[turn % senders.length] as Sender;
      const host = hosts[Math.floor(turn / senders.length) % hosts.length];
      turn += 1;
      const began = performance.now();
      await post(product, agent, key, JSON.stringify({ host, metrics: { cpu_percent: turn % 100 } }));
      latencies.push(performance.now() - began);
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, connection));
  agent.destroy();
  return latencies;
}

function post(product: Product, agent: Agent, key: string, body: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const headers = { 'x-api-key': key, 'content-type': 'application/json', 'content-length': body.length };
    const asked = request(`${product.url}/api/v1/ingest`, { method: 'POST', agent, headers }, (response) => {
      response.resume();
      response.on('end', () =>
        response.statusCode === 200 ? resolve() : reject(new Error(`ingest answered ${response.statusCode}`)),
      );
    });
    asked.on('error', reject);
    asked.end(body);
  });
}

function keyTable({ authenticationMicroseconds, rounds }: KeysResult): string {
  const rows = rounds.map(({ name, keys, organizations, rate, latency, cpu }): string[] => [
    `${name} (${number(keys)} of ${number(organizations)})`,
    ...[number(rate), number(latency.p50, 2), number(latency.p99, 2), number(cpu, 3)],
  ]);
  const heads = ['keys (of organizations)', 'requests/s', 'p50 ms', 'p99 ms', 'CPU-s per 1,000'];
  return `${table(heads, rows)}\n\nauthentication from cache: ${number(authenticationMicroseconds, 2)} µs`;
}
