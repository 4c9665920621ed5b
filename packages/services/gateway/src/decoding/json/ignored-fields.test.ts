import { describe, expect, it } from 'vitest';
import { warningsOf } from '../warnings-of.ts';
import { decodeBody } from './decode-body.ts';

const NOW = Date.UTC(2026, 10, 21, 12);
const metrics = { cpu_percent: 1 };

function decoded(body: unknown, form: 'json' | 'ndjson' = 'json') {
  const text =
    form === 'json'
      ? JSON.stringify(body)
      : (body as unknown[]).map((each) => JSON.stringify(each)).join('\n');
  return decodeBody(Buffer.from(text), form, NOW);
}

describe('fields that ingest ignores', () => {
  it.each([
    ['tag', 'tags'],
    ['Tags', 'tags'],
    ['labels', 'tags'],
    ['host_name', 'host'],
    ['metric', 'metrics'],
    ['time_stamp', 'timestamp'],
    ['containers', 'docker_containers'],
    ['process', 'processes'],
  ])(
    'such as %s are answered with the question whether %s was meant, and counted under that name',
    (name, meant) => {
      const { warnings, ignored } = decoded({ host: 'a', metrics, [name]: 1 });
      expect(warnings).toEqual([
        {
          code: 'unknown_field',
          path: `/${name}`,
          payloads: 1,
          message: `Is not a known field and is ignored. Did you mean ${meant}?`,
        },
      ]);
      expect(ignored).toEqual({ [meant]: 1 });
    },
  );

  it.each(['json', 'ndjson'] as const)('are reported at the first payload that has them, in %s', (form) => {
    const body = [
      { host: 'a', metrics },
      { host: 'b', metrics, tag: {}, 'a/b~c': 1 },
      { host: 'c', metrics, tag: {} },
    ];
    const { payloads, warnings } = decoded(body, form);
    expect(payloads).toHaveLength(3);
    expect(warnings).toMatchObject([
      { path: '/1/tag', payloads: 2 },
      { path: '/1/a~1b~0c', payloads: 1, message: 'Is not a known field and is ignored.' },
    ]);
  });

  it('of processes and containers are counted each, and a warning counts the payloads that have them', () => {
    const processes = [1, 2].map((pid) => ({ name: 'node', pid, user: 'root', rss: 5 }));
    const docker_containers = [
      { name: 'x', labels: {}, cpu: '5%', restarts: 3 },
      { name: 'y', labels: {} },
    ];
    const { payloads, warnings, ignored } = decoded({ host: 'a', metrics, processes, docker_containers });
    expect(warnings.map(({ code, path, payloads: count }) => [code, path, count])).toEqual([
      ['not_numeric', '/docker_containers/0/labels', 1],
      ['not_numeric', '/docker_containers/0/cpu', 1],
      ['unknown_field', '/processes/0/user', 1],
      ['unknown_field', '/processes/0/rss', 1],
    ]);
    expect(ignored).toEqual({ other: 4, 'docker_containers.cpu_percent': 1, 'processes.memory_rss': 2 });
    expect(payloads[0]?.containers?.[0]).toEqual({ name: 'x', restarts: 3 });
  });

  it('are named up to twenty, and all others counted together', () => {
    const many = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`q${index}zzzzzzzz`, 1]));
    const { warnings, ignored } = decoded({ host: 'a', metrics, ...many, tag: 1 });
    expect(warnings).toHaveLength(20);
    expect(ignored).toEqual({ other: 501 });
  });

  it('are named also for a body with faults, whose missing field asks whether an unknown one was meant', () => {
    const { faults, warnings } = decoded({ host: 'a', metric: { cpu: 1 } });
    expect(faults).toMatchObject([
      {
        path: '/metrics',
        code: 'required',
        message: 'Is required. metric is not a known field: did you mean metrics?',
      },
    ]);
    expect(warnings).toMatchObject([{ path: '/metric' }]);
  });

  it('are not reported for a payload that has only known fields', () => {
    const full = {
      host: 'a',
      timestamp: '2026-11-21T12:00:00Z',
      metrics,
      tags: { a: 'b' },
      docker_containers: [
        { name: 'x', image: 'i', status: 's', cpu_percent: 1, memory_usage: 2, further: 3 },
      ],
      processes: [{ name: 'p', pid: 1, cpu_percent: 1, memory_rss: 2 }],
    };
    const body = decoded(full);
    expect([body.warnings, body.ignored, warningsOf(body)]).toEqual([[], {}, []]);
  });
});

describe('warningsOf', () => {
  it('warns of payloads without metrics, except those with containers or processes', () => {
    const body = decoded([
      { host: 'a', metrics },
      { host: 'b', metrics: {} },
      { host: 'c', metrics: {}, processes: [{ name: 'p', pid: 1 }] },
      { host: 'd', metrics: {} },
    ]);
    expect(warningsOf(body)).toMatchObject([{ code: 'empty_metrics', path: '/1/metrics', payloads: 2 }]);
  });
});
