import { startHttpReceiver, status } from '@tidewatch/destinations/testing/http-receiver';
import {
  type ApiDocument,
  type Endpoint,
  endpointsOf,
  examplesOf,
  type Parameter,
} from '@tidewatch/harness/api-document/api-document';
import { type Conformance, createConformance } from '@tidewatch/harness/api-document/conformance';
import { asSent, exampleIdsOf } from '@tidewatch/harness/api-document/example-request';
import { startIdentityProvider } from '@tidewatch/harness/identity-provider';
import { openForFile } from '@tidewatch/harness/opened';
import { beforeAll, expect, it } from 'vitest';
import { createClient, SEEN, uniqueName } from './client.ts';
import { isGiven, openTarget } from './target.ts';

const provider = await openForFile(
  startIdentityProvider({ groups: { groups: [{ group: 'staff', scopes: ['read'] }] } }),
);
const target = await openForFile(openTarget(provider.settings));
const client = createClient(target);
const receiver = await openForFile(startHttpReceiver(status(204)));
let document: ApiDocument;
let conformance: Conformance;
/** The newest object of each id prefix, whose id replaces that of the examples. */
const ids = new Map<string, string>();

beforeAll(async () => {
  provider.serve(`${target.url}/sign-in/callback`);
  document = (await (await fetch(`${target.url}/openapi.json`)).json()) as ApiDocument;
  conformance = createConformance(document);
});

function remember(id: string): void {
  ids.set(id.slice(0, 3), id);
}

interface Sending {
  query?: Record<string, string>;
  type?: string;
  body?: unknown;
  headers?: Record<string, string>;
}

/** The secret in examples, which is replaced by the key of the target. */
const EXAMPLE_KEY = /^tw_0197f3a1/;
/** Operations of a session, which are sent with the cookie of the newest sign-in in place of a key. */
const AS_SESSION = ['confirmSession', 'signOut'];
let cookie = '';

/** The headers that an endpoint needs, with their examples. */
const neededHeaders = (endpoint: Endpoint) =>
  Object.fromEntries(
    parameters(endpoint, 'header')
      .filter(({ required }) => required)
      .map(({ name, schema }) => [name.toLowerCase(), String(schema.examples?.[0])]),
  );

const asBrowser = () => ({ 'x-api-key': '', 'x-tidewatch-console': '1', cookie });

/** Sends a request to an endpoint as the document describes it, and expects a response that the document describes. */
async function ask(endpoint: Endpoint, sending: Sending = {}, path = pathOf(endpoint)) {
  const { query = {}, type, body, headers = {} } = sending;
  const search = new URLSearchParams(query).toString();
  const own = {
    'x-api-key': target.key,
    ...neededHeaders(endpoint),
    ...(type && { 'content-type': type }),
    ...headers,
  };
  const response = await fetch(`${target.url}${path}${search && `?${search}`}`, {
    method: endpoint.method,
    headers: own,
    redirect: 'manual',
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const streams = (response.headers.get('content-type') ?? '').startsWith('text/event-stream');
  if (streams) await response.body?.cancel();
  const answer = {
    status: response.status,
    headers: response.headers,
    body: streams ? '' : await response.text(),
  };
  const asked = `${endpoint.method} ${path}?${search}: ${answer.status} ${answer.body.slice(0, 500)}`;
  expect(conformance.faultsOfAnswer(endpoint, answer), asked).toEqual([]);
  return { ...answer, asked };
}

const parameters = (endpoint: Endpoint, where: Parameter['in']) =>
  (endpoint.operation.parameters ?? []).filter((each) => each.in === where);

function pathOf({ path, operation }: Endpoint): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const parameter = operation.parameters?.find((each) => each.in === 'path' && each.name === name);
    const [example] = [...(parameter?.schema.examples ?? []), ...(parameter?.schema.enum ?? [])];
    const sent = asSent(example, ids, Date.now());
    if (typeof sent !== 'string' || exampleIdsOf(sent).length > 0)
      throw new Error(`there is nothing to ask ${operation.operationId} for: ${JSON.stringify(example)}`);
    return encodeURIComponent(sent);
  });
}

/** Every example of a request's body with its media type; one request without a body if the document describes none. */
function requestsOf({ operation }: Endpoint): [name: string, sending: Sending][] {
  const content = Object.entries(operation.requestBody?.content ?? {});
  if (content.length === 0) return [['nothing', {}]];
  return content.flatMap(([type, media]) =>
    examplesOf(media).map(([name, value]): [string, Sending] => [`${type} ${name}`, { type, body: value }]),
  );
}

/** Operations whose objects another operation makes than the creation in their collection. */
const MADE_BY: Readonly<Record<string, string>> = { endSession: 'signIn' };

/** Creates an object for an endpoint that may delete it, by the example of its collection. */
async function recreate({ path, operation }: Endpoint): Promise<void> {
  const collection = /^(.*)\/\{id\}/.exec(path)?.[1];
  const maker = MADE_BY[operation.operationId];
  const create = endpointsOf(document).find((each) =>
    maker === undefined
      ? each.method === 'POST' &&
        each.path === collection &&
        ['201', '202'].some((status) => status in each.operation.responses)
      : each.operation.operationId === maker,
  );
  const [request] = create ? requestsOf(create) : [];
  if (create && request) await send(create, request[1]);
}

/** Operations that the stack does not serve at its common address, because each process serves its own. */
const NOT_OF_THE_STACK = ['getProcessMetrics'];

/** Operations that may come too late, because their objects end by themselves. */
const ENDS_BY_ITSELF = ['cancelInvestigation'];

/** Operations of single sign-on, which a service that was given may not have configured. */
const NEEDS_A_PROVIDER = ['beginSignOn'];

/** The cookie of a session that an answer sets, and not that of a sign-in that is under way. */
function sessionCookieOf(headers: Headers): string | undefined {
  const [cookie] = headers.get('set-cookie')?.split(';') ?? [];
  return cookie?.includes('sign-on') ? undefined : cookie;
}

function bodyOf({ body }: Sending): unknown {
  const sent = asSent(body, ids, Date.now());
  const key = (sent as { key?: unknown } | undefined)?.key;
  return typeof key === 'string' && EXAMPLE_KEY.test(key) ? { ...(sent as object), key: target.key } : sent;
}

async function send(endpoint: Endpoint, sending: Sending) {
  const { operationId } = endpoint.operation;
  const headers = AS_SESSION.includes(operationId) ? { headers: asBrowser() } : {};
  const query = operationId === 'influxQuery' ? { query: { q: 'SHOW DATABASES' } } : {};
  const answer = await ask(endpoint, { ...sending, ...headers, ...query, body: bodyOf(sending) });
  cookie = sessionCookieOf(answer.headers) ?? cookie;
  if (NOT_OF_THE_STACK.includes(endpoint.operation.operationId) && answer.status === 404) return answer;
  if (isGiven && NEEDS_A_PROVIDER.includes(endpoint.operation.operationId) && answer.status === 404)
    return answer;
  if (ENDS_BY_ITSELF.includes(endpoint.operation.operationId) && answer.status === 409) return answer;
  expect(answer.status, answer.asked).toBeLessThan(300);
  const made = answer.status === 201 || answer.status === 202 ? JSON.parse(answer.body) : {};
  for (const { id } of [made, made.session ?? {}]) if (typeof id === 'string') remember(id);
  return answer;
}

/** The order in which endpoints are called: those that create objects first, those that delete objects last. */
const TURNS = ['POST', 'PUT', 'GET', 'PATCH', 'DELETE'];
const turnOf = ({ method }: Endpoint) => TURNS.indexOf(method);

it('documented requests read the objects that payloads create: a service, an alert, and its notification', async () => {
  const channel = await client.expect(201, 'POST', '/channels', {
    kind: 'webhook',
    name: uniqueName('document'),
    config: { url: receiver.url('/document') },
  });
  const metric = uniqueName('metric').replaceAll('-', '_');
  const rule = await client.expect(201, 'POST', '/alerts/rules', {
    name: uniqueName('document'),
    metric,
    condition: 'greater_than',
    threshold: 1,
    duration_minutes: 0,
    channels: [channel.id],
  });
  const host = uniqueName('document');
  const notified = async () => {
    await client.ingest({ host, metrics: { [metric]: 2 } });
    const { alerts } = await client.expect(200, 'GET', `/alerts?rule_id=${rule.id}`);
    const alert = alerts[0];
    if (alert === undefined) return { alert };
    const list = await client.expect(200, 'GET', `/notifications?alert_id=${alert.id}`);
    return { alert, notification: list.notifications[0] };
  };
  await expect.poll(async () => (await notified()).notification?.status, SEEN).toBe('delivered');
  const { alert, notification } = await notified();
  for (const { id } of [channel, rule, alert, notification, { id: alert.service_id }]) remember(id);
  const receipt = await client.ingest({ host, metrics: {} }, { Prefer: 'return=representation' });
  if (receipt.body.receipt) remember(receipt.body.receipt.id);
});

it('the API accepts every example and every documented choice of a query parameter', async () => {
  let asked = 0;
  for (const endpoint of endpointsOf(document)) {
    await recreate(endpoint);
    for (const { name, schema } of parameters(endpoint, 'query')) {
      const values = [...(schema.examples ?? []), ...(schema.enum ?? [])].flat();
      // Without a statement it is a 400, whatever the database.
      if (endpoint.operation.operationId === 'influxQuery' && name !== 'q') continue;
      for (const value of values) {
        const answer = await ask(endpoint, { query: { [name]: String(asSent(value, ids, Date.now())) } });
        const success = endpoint.operation.tags.includes('Other agents') ? [200, 204] : [200];
        expect(success, answer.asked).toContain(answer.status);
        asked += 1;
      }
    }
  }
  expect(asked).toBeGreaterThan(40);
});

it('the API answers every example of a request as documented, with success', async () => {
  const endpoints = endpointsOf(document).toSorted((a, b) => turnOf(a) - turnOf(b));
  const creating = endpoints.filter(({ method, path }) => method === 'POST' && !path.includes('{'));
  for (const endpoint of [...creating, ...endpoints.filter((each) => !creating.includes(each))]) {
    for (const [, sending] of requestsOf(endpoint)) {
      if (endpoint.method !== 'GET') await recreate(endpoint);
      await send(endpoint, sending);
    }
  }
});

/** False for a body that may have any form, since it is not read. */
function isRead({ content }: NonNullable<Endpoint['operation']['requestBody']>): boolean {
  return Object.values(content).some(({ schema }) => schema !== undefined && 'type' in schema);
}

it('the API answers problems as documented', async () => {
  for (const endpoint of endpointsOf(document)) {
    const { path, operation } = endpoint;
    const [, request = {}] = requestsOf(endpoint)[0] ?? [];
    // Datadog's agent understands 403 alone where its key is wrong.
    const unknownKey = operation.operationId === 'datadogValidate' ? 403 : 401;
    if (operation.security?.length !== 0)
      expect((await ask(endpoint, { ...request, headers: { 'x-api-key': 'wrong' } })).status).toBe(
        unknownKey,
      );
    if (path.includes('{'))
      expect((await ask(endpoint, request, path.replaceAll(/\{\w+\}/g, 'nobody'))).status).toBe(404);
    if (operation.requestBody) {
      // Senders of other agents understand 400 alone where a body is wrong.
      const ofAgents = isRead(operation.requestBody) ? [400, 415] : [202];
      const isOfAgents = operation.tags.includes('Other agents');
      const [type, faulty] = isOfAgents ? [ofAgents, ofAgents] : [[415], [422]];
      expect(type).toContain((await ask(endpoint, { type: 'text/plain', body: 'x' })).status);
      expect(faulty).toContain((await ask(endpoint, { ...request, body: '{' })).status);
    }
    if (parameters(endpoint, 'query').some(({ name }) => name === 'limit'))
      expect((await ask(endpoint, { ...request, query: { limit: '0' } })).status).toBe(422);
  }
});
