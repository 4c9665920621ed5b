import { afterEach, expect, test, vi } from 'vitest';
import { choosePart, openPart, type PartSource } from './part.ts';

interface Address {
  host: string;
}

const closed: string[] = [];

afterEach(() => {
  vi.unstubAllEnvs();
  closed.length = 0;
});

/** A part whose sources each have an obstacle, or null. */
function source(container: string | null, native: string | null): PartSource<Address> {
  const way = (name: string, obstacle: string | null) => ({
    obstacle: async () => obstacle,
    start: async () => ({
      address: { host: name },
      detail: `from ${name}`,
      close: async () => void closed.push(name),
    }),
  });
  return {
    name: 'Part',
    variable: 'TIDEWATCH_TEST_PART',
    read: (host) => ({ host }),
    ways: { container: way('container', container), native: way('native', native) },
  };
}

test.each([
  ['a container goes before a native server', null, null, { state: 'startable', way: 'container' }],
  [
    'a native server does where no container can be had',
    'no Docker',
    null,
    { state: 'startable', way: 'native' },
  ],
  [
    'a part that cannot be had says why, for each way',
    'no Docker',
    'no Java',
    { state: 'lacked', detail: 'container: no Docker; native: no Java' },
  ],
] as const)('%s', async (_title, container, native, wanted) => {
  expect(await choosePart(source(container, native))).toEqual(wanted);
});

test('an address of the environment goes before all', async () => {
  vi.stubEnv('TIDEWATCH_TEST_PART', 'elsewhere');
  const { part, close } = await openPart(source(null, null));
  expect(part).toEqual({
    state: 'given',
    address: { host: 'elsewhere' },
    detail: 'from TIDEWATCH_TEST_PART',
  });
  await close();
  expect(closed).toEqual([]);
});

test('what was started is closed with the run', async () => {
  const { part, close } = await openPart(source('no Docker', null));
  expect(part).toEqual({ state: 'started', address: { host: 'native' }, detail: 'from native' });
  await close();
  expect(closed).toEqual(['native']);
});
