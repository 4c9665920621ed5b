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

/** A part whose sources are possible, or have the given obstacles. */
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

test('choosePart prefers an address in the environment to all other sources', async () => {
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

test('a server that openPart started is closed at the end of the run', async () => {
  const { part, close } = await openPart(source('no Docker', null));
  expect(part).toEqual({ state: 'started', address: { host: 'native' }, detail: 'from native' });
  await close();
  expect(closed).toEqual(['native']);
});
