import { setTimeout as sleep } from 'node:timers/promises';
import { status as answering, startHttpReceiver } from '@tidewatch/destinations/testing/http-receiver';
import { createProduct } from '@tidewatch/harness/product';
import fc from 'fast-check';
import { type Case, caseArbitrary, spell } from './case.ts';
import { createHttp, type Received } from './http.ts';
import { faultOf } from './judge.ts';
import { type Operation, readDocument } from './operation.ts';
import { makeOtherOrganization } from './other-organization.ts';
import { reachesFar } from './verdict.ts';
import { type Ask, createWorld } from './world.ts';

export interface FuzzOptions {
  /** Requests of all endpoints together. */
  requests: number;
  seed: number;
  /** Endpoints that are asked at once. */
  lanes: number;
  /** Ends the product before its time; what is under way fails. */
  signal?: AbortSignal;
}

export interface RouteResult {
  name: string;
  requests: number;
  /** Answers below 400. */
  successes: number;
  statuses: Map<number, number>;
  /** Waited for answers, all together. */
  ms: number;
  /** The smallest request that was found to be answered wrongly, and how. */
  fault: string | null;
}

export interface FuzzResult {
  routes: RouteResult[];
  /** Lines of the log that tell of something unexpected. */
  log: string[];
  /** Resident bytes of the process after a fifth of the requests and at their end. */
  memory: { warm: number; end: number };
  seconds: number;
}

const SETTINGS = {
  ...{ TIDEWATCH_RATE_LIMIT_PER_MINUTE: '1000000000', TIDEWATCH_ALLOW_PRIVATE_DESTINATIONS: '127.0.0.0/8' },
};
const UNEXPECTED = /unhandled|uncaught|"level":(50|60)|failed unexpectedly/i;
const WARM_PART = 0.2;
/** From so many requests of an endpoint on it is no chance how many of them succeed. */
const ENOUGH_TO_JUDGE = 500;
/** Requests of an endpoint before it is the turn of another one. */
const SLICE = 100;

/** Sends requests to a product of its own, and says what was answered wrongly. */
export async function fuzz({ requests, seed, lanes, signal }: FuzzOptions): Promise<FuzzResult> {
  const receiver = await startHttpReceiver(answering(204));
  const product = await createProduct(SETTINGS);
  signal?.addEventListener('abort', () => void product.stop());
  try {
    await product.start();
    return await run(product, receiver.url('').replace(/\/$/, ''), { requests, seed, lanes });
  } finally {
    await product.remove();
    await receiver.close();
  }
}

async function run(
  product: { url: string; key: string; log(): string },
  receiver: string,
  { requests, seed, lanes }: FuzzOptions,
): Promise<FuzzResult> {
  const began = performance.now();
  const http = createHttp(product.url);
  const askAs =
    (key: string): Ask =>
    (method, path, body, more) => {
      const bytes = body === undefined ? undefined : Buffer.from(JSON.stringify(body));
      const headers = {
        ...{ 'x-api-key': key, ...more },
        ...(bytes && { 'content-type': 'application/json', 'content-length': String(bytes.length) }),
      };
      return http.send({ method, target: path, headers, body: bytes });
    };
  const ask = askAs(product.key);
  const other = await makeOtherOrganization(ask, askAs, receiver);
  const own = new Set(other.ids);
  for (const [, id = ''] of (await ask('GET', '/api/v1/keys')).text.matchAll(/"id":"(key_\w+)"/g))
    own.add(id);
  const world = createWorld(ask, receiver, own);
  const document = readDocument();
  const share = Math.ceil(requests / document.operations.length);
  const memory = { warm: 0, end: 0 };
  const residentBytes = async () => {
    const { text } = await ask('GET', '/metrics');
    return Number(/^process_resident_memory_bytes (\S+)/m.exec(text)?.[1]);
  };
  let sent = 0;

  async function one(operation: Operation, each: Case, result: RouteResult): Promise<void> {
    const { id, ...request } = await spell(operation, each, { world, key: product.key, receiver });
    const foreign = each.mode === 'broken' && id !== undefined && each.pick % 4 === 0;
    if (foreign) {
      const theirs = other.ids.find((their) => their.slice(0, 3) === id.slice(0, 3)) ?? id;
      request.target = request.target.replace(id, theirs);
    }
    const asked = performance.now();
    const answer = await http.send(request);
    result.ms += performance.now() - asked;
    sent += 1;
    if (sent === Math.round(requests * WARM_PART)) memory.warm = await residentBytes();
    count(result, answer);
    const gone = request.method === 'DELETE' && answer.status < 300;
    if (id !== undefined && (answer.status === 404 || gone)) world.forget(id);
    if (request.method !== 'DELETE') await world.learn(answer);
    if (id !== undefined) await world.answered(id);
    const echoed = request.body === undefined ? '' : request.body.toString('utf8');
    const canaries = other.canaries.filter((canary) => !echoed.includes(canary));
    const fault = faultOf(answer, canaries);
    if (fault !== undefined)
      throw new Error(
        `${request.method} ${request.target} ${JSON.stringify(request.headers)} ${echoed.slice(0, 2_000)}: ${fault}`,
      );
    // OPTIONS tells which methods a path takes, whatever object it names.
    const reached = foreign && request.method !== 'OPTIONS' && answer.status < 400;
    if (reached && other.ids.some((their) => request.target.includes(their)))
      throw new Error(
        `${request.method} ${request.target}: another organization's object was answered ${answer.status}`,
      );
  }

  /** A part of the requests of an endpoint; parts of different ones take turns, so that no slow one is left to the end. */
  async function slice(
    operation: Operation,
    result: RouteResult,
    number: number,
    runs: number,
  ): Promise<void> {
    if (result.fault !== null) return;
    const property = fc.asyncProperty(caseArbitrary(operation, document), (each) =>
      one(operation, each, result),
    );
    const outcome = await fc.check(property, { numRuns: runs, seed: seed + number });
    if (outcome.failed) result.fault = String((outcome.errorInstance as Error | null)?.message);
  }

  const routes = document.operations.map(({ name }): RouteResult => {
    return { name, requests: 0, successes: 0, ms: 0, statuses: new Map(), fault: null };
  });
  /** Requests `[from, to)` of each endpoint that is wanted, in slices that take turns. */
  const slicesOf = (from: number, to: number, isWanted: (result: RouteResult) => boolean) => {
    const slices: (() => Promise<void>)[] = [];
    for (let first = from; first < to; first += SLICE) {
      for (const [index, operation] of document.operations.entries()) {
        const result = routes[index] as RouteResult;
        if (isWanted(result)) slices.push(() => slice(operation, result, first, Math.min(SLICE, to - first)));
      }
    }
    return slices;
  };
  await world.seed();
  await inLanes(
    slicesOf(0, share, () => true),
    lanes,
  );
  // Of a few requests many fail by chance: those endpoints are asked until that can be told.
  await inLanes(
    slicesOf(share, ENOUGH_TO_JUDGE, (result) => !reachesFar(result)),
    lanes,
  );
  await sleep(500);
  memory.end = await residentBytes();
  if (memory.warm === 0) memory.warm = memory.end;
  http.close();
  return {
    ...{ routes, memory },
    log: product
      .log()
      .split('\n')
      .filter((line) => UNEXPECTED.test(line)),
    seconds: (performance.now() - began) / 1_000,
  };
}

function count(result: RouteResult, { status }: Received): void {
  result.requests += 1;
  if (status < 400) result.successes += 1;
  result.statuses.set(status, (result.statuses.get(status) ?? 0) + 1);
}

async function inLanes(work: readonly (() => Promise<void>)[], lanes: number): Promise<void> {
  let next = 0;
  const lane = async () => {
    for (let index = next++; index < work.length; index = next++) await work[index]?.();
  };
  await Promise.all(Array.from({ length: lanes }, lane));
}
