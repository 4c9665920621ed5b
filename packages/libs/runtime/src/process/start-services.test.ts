import { expect, it } from 'vitest';
import { createSilentLogger } from '../telemetry/logger.ts';
import type { BackendService, ServicePart } from './backend-service.ts';
import { createLifecycle } from './lifecycle.ts';
import { startServices } from './start-services.ts';

const logger = createSilentLogger();

/** The names of the parts that were started and stopped, in order. */
const journal: string[] = [];

const openable = (name: string) => ({
  start: async () => journal.push(`start ${name}`),
  close: async () => void journal.push(`stop ${name}`),
});

const part = (name: string, starts: ServicePart['starts']): ServicePart => ({
  name,
  starts,
  start: () => journal.push(`start ${name}`),
  stop: () => void journal.push(`stop ${name}`),
});

const service = (...parts: ServicePart[]): BackendService => ({ parts, missing: {}, degraded: {} });

it('starts parts by phase around the bus and the server, and stops them in reverse', async () => {
  journal.length = 0;
  const lifecycle = createLifecycle(logger);
  await startServices(lifecycle, {
    services: {
      'query-api': service(part('streams', 'after the server')),
      gateway: service(part('heartbeat', 'after the bus')),
      writer: service(part('jobs', 'before the bus')),
      evaluator: service(part('evaluation', 'after the bus')),
    },
    bus: openable('bus'),
    server: openable('server'),
    logger,
  });
  const started = ['jobs', 'bus', 'evaluation', 'heartbeat', 'server', 'streams'];
  expect(journal).toEqual(started.map((name) => `start ${name}`));
  journal.length = 0;
  await lifecycle.close();
  expect(journal).toEqual(started.reverse().map((name) => `stop ${name}`));
});

it('stops what has started where a later part of a service fails to start', async () => {
  journal.length = 0;
  const lifecycle = createLifecycle(logger);
  const failing: ServicePart = {
    name: 'relay',
    starts: 'after the bus',
    start: () => Promise.reject(new Error('no lease')),
  };
  const starting = startServices(lifecycle, {
    services: { evaluator: service(part('evaluation', 'before the bus'), failing) },
    bus: openable('bus'),
    logger,
  });
  await expect(starting).rejects.toThrow('no lease');
  expect(journal).toEqual(['start evaluation', 'start bus', 'stop bus', 'stop evaluation']);
});

it('starts a service without bus and server where its process has neither', async () => {
  journal.length = 0;
  const lifecycle = createLifecycle(logger);
  await startServices(lifecycle, { services: { writer: service(part('jobs', 'before the bus')) }, logger });
  expect(journal).toEqual(['start jobs']);
  await lifecycle.close();
});
