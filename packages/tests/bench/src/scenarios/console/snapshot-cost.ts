import { setTimeout as sleep } from 'node:timers/promises';
import type { Product } from '@tidewatch/harness/product';
import type { Api } from '../../api.ts';
import { type Percentiles, summarise } from '../../measure/percentile.ts';
import { cpuByKind } from '../../measure/processor.ts';
import { figureTable, number, type Row, spread } from '../../report/table.ts';
import { HOSTS, report } from './fill.ts';

/** Hosts that report between two reads of changes: a tenth, as of hosts that report every ten seconds. */
const CHANGED = 1_000;
const READS = 40;
/** The product reads hosts once a second, and stores their latest values twice a second. */
const PAUSE_MS = 1_200;
const REST_MS = 10_000;
const PATH = '/api/v1/services/snapshot?tags=region';

/** What one kind of read costs on average: processor time of the product without and of PostgreSQL, ms, less what both take at rest. */
export interface ReadCost {
  tidewatchMs: number;
  postgresMs: number;
  /** Time over HTTP until the last byte, ms. */
  latency: Percentiles;
  /** Bytes on the wire, of the last read. */
  bytes: number;
}

type Cpu = Record<'node' | 'postgres', number>;

export interface SnapshotCost {
  full: ReadCost;
  changes: ReadCost;
  /** Bytes of a full snapshot in each encoding. */
  encodings: Record<string, number>;
}

/** Reads snapshots of a filled fleet, each in a second of its own so that none is shared. */
export async function measureSnapshot(product: Product, api: Api): Promise<SnapshotCost> {
  const encodings: Record<string, number> = {};
  for (const encoding of ['identity', 'gzip', 'br'])
    encodings[encoding] = (await read(product, '', encoding)).bytes;
  let token = (await read(product, '', 'br')).token;
  const rest = await shareAtRest(product);
  const full = await measure(product, rest, async () => '');
  const changes = await measure(
    product,
    rest,
    async (round) => {
      await report(api, CHANGED, round * CHANGED);
      return `&since=${token}`;
    },
    (next) => {
      token = next;
    },
  );
  return { full, changes, encodings };
}

/** Seconds of processor time that the product takes in a second in which nobody reads and no host reports. */
async function shareAtRest(product: Product): Promise<Cpu> {
  await sleep(PAUSE_MS);
  const [before, began] = [cpuByKind(product), performance.now()];
  await sleep(REST_MS);
  const [after, seconds] = [cpuByKind(product), (performance.now() - began) / 1_000];
  return {
    node: (after.node - before.node) / seconds,
    postgres: (after.postgres - before.postgres) / seconds,
  };
}

async function measure(
  product: Product,
  rest: Cpu,
  prepare: (round: number) => Promise<string>,
  onToken: (token: string) => void = () => undefined,
): Promise<ReadCost> {
  const used = { node: 0, postgres: 0 };
  const took: number[] = [];
  let bytes = 0;
  for (let round = 0; round < READS; round += 1) {
    const query = await prepare(round);
    await sleep(PAUSE_MS);
    const before = cpuByKind(product);
    const answer = await read(product, query, 'br');
    const after = cpuByKind(product);
    used.node += after.node - before.node - (rest.node * answer.ms) / 1_000;
    used.postgres += after.postgres - before.postgres - (rest.postgres * answer.ms) / 1_000;
    took.push(answer.ms);
    bytes = answer.bytes;
    onToken(answer.token);
  }
  return {
    tidewatchMs: (1_000 * used.node) / READS,
    postgresMs: (1_000 * used.postgres) / READS,
    latency: summarise(took),
    bytes,
  };
}

async function read(product: Product, query: string, encoding: string) {
  const began = performance.now();
  const response = await fetch(`${product.url}${PATH}${query}`, {
    headers: { 'x-api-key': product.key, 'accept-encoding': encoding },
  });
  const text = await response.text();
  const ms = performance.now() - began;
  if (response.status !== 200) throw new Error(`snapshot: ${response.status} ${text.slice(0, 500)}`);
  const bytes = Number(response.headers.get('content-length'));
  return { ms, bytes, token: (JSON.parse(text) as { token: string }).token };
}

export function snapshotTable({ full, changes, encodings }: SnapshotCost): string {
  const rowsOf = (what: string, { tidewatchMs, postgresMs, latency, bytes }: ReadCost): Row[] => [
    [
      `${what}: processor time of Tidewatch, of PostgreSQL`,
      `${number(tidewatchMs, 1)} ms, ${number(postgresMs, 1)} ms`,
    ],
    [`${what}: time over HTTP, p50 / p99 / max`, spread(latency)],
    [`${what}: bytes, brotli`, number(bytes)],
  ];
  const encoded = Object.entries(encodings).map(
    ([name, bytes]): Row => [`all hosts: bytes, ${name}`, number(bytes)],
  );
  return figureTable([
    ...rowsOf(`all ${number(HOSTS)} hosts`, full),
    ...rowsOf(`changes of ${number(CHANGED)} hosts`, changes),
    ...encoded,
  ]);
}
