import { setTimeout as sleep } from 'node:timers/promises';
import { openForFile } from '@tidewatch/harness/opened';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  type Client,
  createClient,
  createRule,
  inOwnOrganization,
  SEEN,
  seconds,
  serviceOf,
  uniqueName,
} from './client.ts';
import { makersOf } from './isolation/belongings.ts';
import { bodyOf, type Operation, readOperations } from './isolation/operations.ts';
import { openTarget } from './target.ts';

/**
 * Operations that accept the id of an unknown object because they change nothing; their responses must reveal nothing about
 * it.
 */
const STORES_NOTHING: ReadonlySet<string> = new Set(['previewRule']);
/** Fields of objects that the pipeline changes by itself. */
const PIPELINES_OWN: ReadonlySet<string> = new Set([
  ...['last_delivery', 'notifications', 'records', 'last_evaluated_at'],
]);
/** The time for which a stream of events is read, ms. */
const LISTEN_MS = 1_000;
/** The wait until latest values are written, ms. */
const PAUSE_MS = 2_000;

let stranger: Client;
let strangersKey: string;
let host: string;
let ids: Map<string, string>;

/** The target with two organizations: one that owns an object of each kind, and another that requests them. */
const target = await openForFile(openTarget());
const owner = createClient(target);
const operations = await readOperations(target.url);
beforeAll(async () => {
  const theirs = await inOwnOrganization(target);
  strangersKey = theirs.key;
  stranger = createClient(theirs);
  host = uniqueName('e2e-owned');
});

/** Creates an object for each noun in the paths of the document, and fails if it cannot create one. */
async function belongings(): Promise<Map<string, string>> {
  const makers = makersOf(owner, host);
  const nouns = new Set(operations.flatMap(({ nouns }) => nouns));
  const unknown = [...nouns].filter((noun) => !makers.has(noun));
  expect(unknown, 'paths with ids that belongings.ts cannot make').toEqual([]);
  const made = new Map<string, string>();
  // In the order of the makers, because later objects need earlier ones.
  for (const [noun, make] of makers) if (nouns.has(noun)) made.set(noun, await make(made));
  return made;
}

const idOf = (noun: string) => ids.get(noun) as string;
const fill = ({ path, nouns }: Operation) =>
  nouns.reduce((filled, noun) => filled.replace(/\{\w+\}/, idOf(noun)), path);

/** Sends a request; returns the text of the response, or of the first part of a stream. */
async function ask(method: string, path: string, body?: unknown): Promise<{ status: number; text: string }> {
  const response = await fetch(`${target.url}${path}`, {
    method,
    headers: { 'x-api-key': strangersKey, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    redirect: 'manual',
  });
  if (!(response.headers.get('content-type') ?? '').startsWith('text/event-stream'))
    return { status: response.status, text: await response.text() };
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  const end = setTimeout(() => void reader?.cancel(), LISTEN_MS);
  let text = '';
  for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) text += part.value;
  clearTimeout(end);
  return { status: response.status, text };
}

function expectNothingOf(text: string, what: string): void {
  for (const mine of [host, ...ids.values()])
    expect(text.includes(mine), `${what} reveals ${mine}`).toBe(false);
}

async function states(): Promise<unknown> {
  const readable = operations.filter(
    ({ method, nouns, path }) => method === 'GET' && nouns.length === 1 && path.endsWith('}'),
  );
  return Promise.all(
    readable.map(async (operation) => {
      const body = await owner.expect(200, 'GET', fill(operation).replace('/api/v1', ''));
      return [
        operation.path,
        JSON.stringify(body, (name, value) => (PIPELINES_OWN.has(name) ? undefined : value)),
      ];
    }),
  );
}

/** Resolves once two reads with a pause in between are equal, so that every payload has been processed. */
async function settledStates(): Promise<unknown> {
  let last = await states();
  const isSettled = async () => {
    await sleep(PAUSE_MS);
    const before = last;
    last = await states();
    return JSON.stringify(last) === JSON.stringify(before);
  };
  await expect.poll(isSettled).toBe(true);
  return last;
}

describe('another organization', () => {
  test('finds nothing by any path, filter or body of the document, and changes nothing', async () => {
    ids = await belongings();
    const before = await settledStates();
    expect(operations.length).toBeGreaterThan(30);
    for (const operation of operations.filter(({ nouns }) => nouns.length > 0)) {
      const path = fill(operation);
      const { status, text } = await ask(operation.method, path, bodyOf(operation, ids, host));
      // The problem repeats the requested path, which is no information.
      const revealed = text.replaceAll(path, '');
      expect(status, `${operation.method} ${operation.path}: ${text}`).toBe(404);
      expectNothingOf(revealed, `${operation.method} ${operation.path}`);
    }
    for (const operation of operations.filter(
      ({ nouns, method }) => nouns.length === 0 && method === 'GET',
    )) {
      const asked = [
        operation.path,
        ...operation.filters.map(
          ({ name, of }) => `${operation.path}?${name}=${of === 'host' ? host : idOf(of)}`,
        ),
      ];
      for (const path of asked) {
        const { status, text } = await ask('GET', path);
        expect([200, 403, 422], `GET ${path}: ${text}`).toContain(status);
        expectNothingOf(text.replaceAll(path, ''), `GET ${path}`);
        if (path !== operation.path && status === 200 && text.startsWith('{')) expectEmpty(text, path);
      }
    }
    const writes = operations.filter(({ nouns, method }) => nouns.length === 0 && method !== 'GET');
    for (const operation of writes.filter(({ path }) => !path.endsWith('/ingest'))) {
      const { status, text } = await ask(operation.method, operation.path, bodyOf(operation, ids, host));
      const what = `${operation.method} ${operation.path}: ${text}`;
      if (operation.hasIds && !STORES_NOTHING.has(operation.operationId)) expect(status, what).toBe(422);
      else expect(status, what).toBeLessThan(500);
      const { pathname } = new URL(operation.path, target.url);
      if (status < 300) expectNothingOf(text.replaceAll(pathname, ''), what);
    }
    expect(await states()).toEqual(before);
  });

  test('can have a host of the same name', async () => {
    const mine = await serviceOf(owner, host);
    await stranger.ingest({ host, metrics: { cpu_percent: 99 }, tags: { of: 'stranger' } });
    const theirs = await serviceOf(stranger, host);
    expect(theirs.id).not.toBe(mine.id);
    expect(await serviceOf(owner, host)).toEqual(mine);
  });

  test('receives only notifications about its own alerts', async () => {
    const metric = uniqueName('m').replaceAll('-', '_');
    const [mine, theirs] = [owner, stranger].map((client) => createRule(client, { metric, threshold: 1 }));
    const rules = [(await mine).id, (await theirs).id];
    const alertsOf = async (client: Client) =>
      (await client.expect(200, 'GET', `/alerts?host=${host}`)).alerts.filter(
        ({ rule_id }: { rule_id: string }) => rules.includes(rule_id),
      );
    await expect
      .poll(async () => {
        await stranger.ingest({ host, timestamp: seconds(0), metrics: { [metric]: 5 } });
        return (await alertsOf(stranger)).length;
      }, SEEN)
      .toBe(1);
    expect((await alertsOf(stranger))[0].rule_id).toBe(rules[1]);
    expect(await alertsOf(owner)).toEqual([]);
  });
});

/** Expects that a list and its total are empty. */
function expectEmpty(text: string, path: string): void {
  const body = JSON.parse(text) as { pagination: { total: number } };
  const list = Object.values(body).find((member) => Array.isArray(member));
  expect([list, body.pagination.total], path).toEqual([[], 0]);
}
