import { setTimeout as sleep } from 'node:timers/promises';
import type { Route } from '@tidewatch/contracts/document/route';
import { API_ROUTES } from '@tidewatch/contracts/document/routes';
import { keyRecordOf } from '@tidewatch/contracts/keys/key-record.fixture';
import { ProblemError } from '@tidewatch/contracts/problems/problem';
import { boundOrganization, boundSignal } from '@tidewatch/database/tenancy/bound-organization';
import { describe, expect, it } from 'vitest';
import type { Call } from '../../http/call.ts';
import { createRouteCaller } from './route-caller.ts';

const routeOf = (id: string) => API_ROUTES.find(({ operationId }) => operationId === id) as Route;
const [READ, WRITE] = [routeOf('getAlert'), routeOf('acknowledgeAlert')];
const ID = `alr_${'1'.repeat(32)}`;
const caller = {
  key: keyRecordOf({ id: `key_${'1'.repeat(32)}`, organizationId: 'org_mine', name: 'a', scopes: ['write'] }),
  address: '203.0.113.7',
};
const never = new AbortController().signal;

/** Calls one of the routes, which this handler answers. */
function call(
  route: Route,
  handler: (call: Call) => unknown,
  { signal = never, scopes = ['write'] as const, body = undefined as unknown } = {},
) {
  const routes = createRouteCaller([route], { [route.operationId]: handler });
  const request = {
    route,
    path: route.path.replace('{id}', ID),
    query: new URLSearchParams({ fields: 'id' }),
  };
  const key = { ...caller.key, scopes };
  return routes.call({ ...caller, key }, body === undefined ? request : { ...request, body }, signal);
}

describe('a call of a route', () => {
  it('has the id, query, body, address and organization of its caller', async () => {
    const answer = await call(
      WRITE,
      async (given) => {
        const { id, request, organizationId } = given;
        const read = { id, query: request.query, ip: request.ip, body: await given.json() };
        given.response.json({ ...read, organizationId, bound: boundOrganization() });
      },
      { body: { comment: 'a\u2028 "b" 🚀' } },
    );
    expect(answer).toEqual({
      id: ID,
      query: { fields: 'id' },
      ip: '203.0.113.7',
      body: { comment: 'a\u2028 "b" 🚀' },
      organizationId: 'org_mine',
      bound: 'org_mine',
    });
  });

  it('returns large answers, and null for none', async () => {
    const text = 'x'.repeat(3_000_000);
    expect(await call(READ, ({ response }) => response.json({ text }))).toEqual({ text });
    expect(await call(READ, ({ response }) => response.status(204).end())).toBeNull();
  });

  it('is refused where the answer would be too large to be shortened', async () => {
    const text = 'x'.repeat(5_000_000);
    await expect(call(READ, ({ response }) => response.json({ text }))).rejects.toMatchObject({
      code: 'validation_failed',
      errors: [{ code: 'too_large' }],
    });
  });

  it('rejects with what the handler throws', async () => {
    const problem = new ProblemError('alert_resolved');
    const throws = (error: unknown) => () => Promise.reject(error);
    await expect(call(READ, throws(problem))).rejects.toBe(problem);
    const fault = new Error('a fault');
    await expect(call(READ, throws(fault))).rejects.toBe(fault);
    const lost = Object.assign(new Error('terminated'), { code: '57P01' });
    await expect(call(READ, throws(lost))).rejects.toMatchObject({ code: 'database_unavailable' });
  });

  it('is refused where the key lacks the scope of the route, before its handler runs', async () => {
    let ran = false;
    const handler = () => {
      ran = true;
    };
    await expect(call(WRITE, handler, { scopes: ['read'] as never })).rejects.toMatchObject({
      code: 'scope_missing',
    });
    expect(ran).toBe(false);
  });

  it('ends a read when its client leaves, and completes a change', async () => {
    for (const [route, ends] of [
      [READ, true],
      [WRITE, false],
    ] as const) {
      const client = new AbortController();
      let aborted: boolean | undefined;
      const answer = call(
        route,
        async ({ response }) => {
          const signal = boundSignal();
          client.abort();
          for (let turn = 0; turn < 200 && !signal?.aborted && ends; turn += 1) await sleep(5);
          aborted = signal?.aborted ?? false;
          response.json({ done: true });
        },
        { signal: client.signal },
      );
      if (ends) await expect(answer).rejects.toThrow('aborted');
      else expect(await answer).toEqual({ done: true });
      await expect.poll(() => aborted).toBe(ends);
    }
  });

  it('runs beside others, each with its own caller', async () => {
    const routes = createRouteCaller([READ], {
      getAlert: async ({ response, organizationId }: Call) => {
        await sleep(organizationId.length % 5);
        response.json([organizationId, boundOrganization()]);
      },
    });
    const organizations = Array.from({ length: 20 }, (_, index) => `org_${'x'.repeat(index)}`);
    const request = { route: READ, path: READ.path.replace('{id}', ID), query: new URLSearchParams() };
    const answers = organizations.map((organizationId) =>
      routes.call({ ...caller, key: { ...caller.key, organizationId } }, request, never),
    );
    expect(await Promise.all(answers)).toEqual(organizations.map((each) => [each, each]));
  });
});
