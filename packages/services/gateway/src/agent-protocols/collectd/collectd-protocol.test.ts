import { openForFile } from '@tidewatch/harness/opened';
import { beforeEach, describe, expect, it } from 'vitest';
import { openTestGateway, TEST_KEY } from '../../testing/gateway.harness.ts';

const gateway = await openForFile(openTestGateway());

beforeEach(() => {
  gateway.fail(null);
  gateway.stored.length = 0;
});

function load(host: string | undefined, value: number) {
  return {
    values: [value],
    dstypes: ['gauge'],
    dsnames: ['value'],
    time: Date.now() / 1_000,
    interval: 10,
    ...(host !== undefined && { host }),
    plugin: 'entropy',
    plugin_instance: '',
    type: 'entropy',
    type_instance: '',
  };
}

async function send(body: unknown, headers: Record<string, string> = {}) {
  const response = await fetch(`${gateway.url}/collectd`, {
    method: 'POST',
    body: typeof body === 'string' ? body : JSON.stringify(body),
    headers: { 'Content-Type': 'application/json', 'X-API-Key': TEST_KEY, ...headers },
  });
  return { status: response.status, text: await response.text(), headers: response.headers };
}

describe('collectd', () => {
  it('is answered 204 once its values are stored', async () => {
    expect(await send([load('web-01', 256)])).toMatchObject({ status: 204, text: '' });
    expect(gateway.stored[0]?.payloads[0]).toMatchObject({
      host: 'web-01',
      metrics: ['collectd.entropy.entropy'],
      values: [256],
    });
  });

  it('has its valid values stored where others name no host, and is answered 400', async () => {
    const { status, text } = await send([load('web-01', 1), load(undefined, 2)]);
    expect([status, gateway.stored[0]?.payloads.map(({ host }) => host)]).toEqual([400, ['web-01']]);
    expect(text).toContain('1 refused, the others are stored');
  });

  it('is answered 503 with Retry-After while it cannot be stored', async () => {
    gateway.fail(new Error('the database is away'));
    const { status, headers } = await send([load('web-01', 1)]);
    expect([status, headers.get('retry-after')]).toEqual([503, expect.stringMatching(/^\d+$/)]);
  });

  it.each<[string, unknown, Record<string, string>, number]>([
    ['another type', [], { 'Content-Type': 'text/plain' }, 415],
    ['no key', [], { 'X-API-Key': '' }, 401],
    ['no JSON', '{', {}, 400],
    ['JSON that is no list', '{}', {}, 400],
  ])('with %s is refused in one line of text', async (_, body, headers, status) => {
    const answer = await send(body, headers);
    expect([answer.status, answer.text]).toEqual([status, expect.stringMatching(/^\w+: [^\n]+\n$/)]);
    expect(gateway.stored).toEqual([]);
  });
});
