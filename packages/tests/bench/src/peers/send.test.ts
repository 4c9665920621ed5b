import { expect, test } from 'vitest';
import { planOf } from '../load/plan.fixture.ts';
import { timeOf } from '../load/plan.ts';
import type { HttpClient } from './http-client.ts';
import { type SampleTarget, sendPlan, wholeLedger } from './send.ts';

/** A target that keeps the bodies that it gets; each is a line "host tick" for every payload. */
function openTarget(): SampleTarget & { bodies: string[] } {
  const bodies: string[] = [];
  const http: HttpClient = {
    get: async () => Buffer.alloc(0),
    async post(path, body) {
      bodies.push(`${path}\n${body}`);
      return Buffer.alloc(0);
    },
    close: () => undefined,
  };
  return {
    bodies,
    http,
    ingest: { path: '/in', headers: {} },
    encoder() {
      let lines: string[] = [];
      return {
        add: ({ host, tick }) => lines.push(`${host} ${tick}`),
        take() {
          const body = lines.join('\n');
          lines = [];
          return body;
        },
      };
    },
  };
}

test('sendPlan sends every payload once, and those of a host in the order of time', async () => {
  const plan = planOf();
  const target = openTarget();
  await sendPlan(target, plan);
  const lines = target.bodies.flatMap((body) => body.split('\n').slice(1));
  expect(lines).toHaveLength(plan.hosts * plan.ticks);
  for (let host = 0; host < plan.hosts; host += 1) {
    const ticks = lines.filter((line) => line.startsWith(`${host} `)).map((line) => line.split(' ')[1]);
    expect(ticks).toEqual(['0', '1', '2', '3']);
  }
  expect(target.bodies.every((body) => body.startsWith('/in\n'))).toBe(true);
});

test('sendPlan sends each request of a paced plan at the time of its newest sample', async () => {
  const plan = planOf({ paced: true, connections: 1 });
  const target = openTarget();
  let now = plan.startMs;
  const sentAt: number[] = [];
  const post = target.http.post;
  target.http.post = (path, body) => {
    sentAt.push(now);
    return post(path, body);
  };
  const clock = {
    now: () => now,
    async sleep(ms: number) {
      now += ms;
    },
  };
  const { lag } = await sendPlan(target, plan, clock);
  const newest = Array.from({ length: 10 }, (_, index) => index * 2 + 1).map((position) =>
    timeOf(plan, position % plan.hosts, Math.floor(position / plan.hosts)),
  );
  expect(sentAt).toEqual(newest);
  expect(lag.max).toBe(0);
});

test('sendPlan keeps connections within half an hour of each other', async () => {
  const plan = planOf({ stepMs: 600_000, ticks: 9, hosts: 4 });
  const target = openTarget();
  const post = target.http.post;
  // Requests of the second connection take longer than all others of their half an hour.
  target.http.post = async (path, body) => {
    const odd = String(body).startsWith('1 ');
    if (odd) for (let round = 0; round < 50; round += 1) await Promise.resolve();
    return post(path, body);
  };
  await sendPlan(target, plan);
  const ticks = target.bodies.map((body) => Number(body.split(' ').at(-1)));
  const stretches = ticks.map((tick) => Math.floor(tick / 3));
  expect(stretches).toEqual(stretches.toSorted((a, b) => a - b));
  expect(stretches.at(-1)).toBe(2);
});

test('wholeLedger acknowledges all payloads of each connection', () => {
  expect(wholeLedger(planOf())).toEqual({ acknowledged: [12, 8], sent: [12, 8] });
});
