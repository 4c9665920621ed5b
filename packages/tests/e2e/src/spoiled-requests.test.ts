import { randomInt } from 'node:crypto';
import { startHttpReceiver, status } from '@tidewatch/destinations/testing/http-receiver';
import { type ApiDocument, type Endpoint, endpointsOf } from '@tidewatch/harness/api-document/api-document';
import { openForFile } from '@tidewatch/harness/opened';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createClient, inOwnOrganization, uniqueName } from './client.ts';
import { openProduct } from './scenario.ts';
import { faultOf } from './spoiled/fault-of.ts';
import { createHttp } from './spoiled/http.ts';
import { makeObjects, type Objects } from './spoiled/objects.ts';
import { type SpoiledRequest, spell, spoiledRequest } from './spoiled/request.ts';

const { TIDEWATCH_TEST_FUZZ_REQUESTS: requests = '1000', TIDEWATCH_TEST_FUZZ_SEED: givenSeed } = process.env;
const SEED = Number(givenSeed ?? randomInt(2 ** 31));
/** The number of endpoints that are called concurrently. */
const LANES = 16;
const WARM_PART = 0.2;
/** The max growth of a process' memory after its warm-up, for its caches. */
const GROWTH = { factor: 1.4, bytes: 96 * 1024 * 1024 };
const UNEXPECTED = /unhandled|uncaught|"level":(50|60)|failed unexpectedly/i;
const SETTINGS = {
  TIDEWATCH_RATE_LIMIT_PER_MINUTE: '1000000000',
  TIDEWATCH_ALLOW_PRIVATE_DESTINATIONS: '127.0.0.0/8',
};

/**
 * Sends invalid variants of documented requests, also with ids of another organization; schemathesis does not send these.
 */
const receiver = await openForFile(startHttpReceiver(status(204)));
const { product, client } = await openProduct(SETTINGS);
const http = await openForFile(createHttp(product.url));
const document = (await (await fetch(`${product.url}/openapi.json`)).json()) as ApiDocument;
// Other agents are answered in the way of their protocols, whose tests have faulty bodies of their own.
const endpoints = endpointsOf(document).filter(({ operation }) => !operation.tags.includes('Other agents'));

describe('invalid variants of documented requests', { timeout: 60_000 + Number(requests) * 60 }, () => {
  const canary = uniqueName('canary');
  let own: Objects;
  let foreign: Objects;
  let canaries: string[];

  /** Sends an invalid request; throws if the response is wrong. */
  async function ask(endpoint: Endpoint, request: SpoiledRequest): Promise<void> {
    const objects = request.isForeign ? foreign : own;
    const around = { key: product.key, receiver: receiver.url('').replace(/\/$/, '') };
    const sent = await spell(endpoint, request, { ...around, idOf: objects.idOf, ids: objects.ids() });
    const answer = await http.send(sent);
    const [id] = /[a-z]{3}_[0-9a-f]{32}/.exec(sent.target) ?? [];
    const isGone = answer.status === 404 || (sent.method === 'DELETE' && answer.status < 300);
    if (id !== undefined && isGone) own.forget(id);
    // OPTIONS lists the methods of a path, whatever object the path names.
    const isTheirs =
      id !== undefined && foreign.ids().get(id.slice(0, 3)) === id && sent.method !== 'OPTIONS';
    const fault = isTheirs && answer.status < 400 ? "reached another organization's object" : undefined;
    const found = fault ?? faultOf(answer, canaries);
    const asked = `${sent.method} ${sent.target} ${JSON.stringify(sent.headers)} ${sent.body ?? ''}`;
    if (found) throw new Error(`seed ${SEED}: ${asked.slice(0, 2_000)}: ${found}`);
  }

  async function askAll(part: number, seed: number): Promise<void> {
    const waiting = [...endpoints];
    const numRuns = Math.ceil((Number(requests) * part) / endpoints.length);
    const lane = async () => {
      for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
        const endpoint = next;
        const property = fc.asyncProperty(spoiledRequest, (request) => ask(endpoint, request));
        await fc.assert(property, { numRuns, seed });
      }
    };
    await Promise.all(Array.from({ length: LANES }, lane));
  }

  const residentBytes = async () =>
    Number(
      /^process_resident_memory_bytes (\S+)/m.exec(await (await fetch(`${product.url}/metrics`)).text())?.[1],
    );

  it('are answered correctly, without internals and without data of another organization', async () => {
    console.log(`seed ${SEED}`);
    const others = await inOwnOrganization(product);
    canaries = [canary, others.key];
    foreign = await makeObjects(createClient(others), canary, receiver.url(`/${canary}`));
    own = await makeObjects(client, uniqueName('own'), receiver.url('/own'));
    await askAll(WARM_PART, SEED);
    const warm = await residentBytes();
    await askAll(1 - WARM_PART, SEED + 1);
    expect(await residentBytes()).toBeLessThan(warm * GROWTH.factor + GROWTH.bytes);
    const lines = product.log().split('\n');
    expect(lines.filter((line) => UNEXPECTED.test(line))).toEqual([]);
  });
});
