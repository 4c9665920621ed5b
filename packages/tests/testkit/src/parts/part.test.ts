import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { choosePart, openPart, type PartSource } from './part.ts';
import { REPORT_VARIABLE, readPartReport } from './report.ts';

interface Address {
  host: string;
}

let folder: string;
let report: string;
const closed: string[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tidewatch-parts-'));
  report = join(folder, 'parts.ndjson');
  writeFileSync(report, '');
  vi.stubEnv(REPORT_VARIABLE, report);
  closed.length = 0;
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

/** A part with an obstacle to each way, or null. */
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

test('what was started is closed with the run, and told in its report', async () => {
  const { part, close } = await openPart(source('no Docker', null));
  expect(part).toMatchObject({ state: 'started', address: { host: 'native' } });
  await close();
  expect(closed).toEqual(['native']);
  expect(readPartReport(report)).toEqual([{ name: 'Part', state: 'started', detail: 'from native' }]);
});

test('what is lacked is told in the report too, once for all projects of a run', async () => {
  await openPart(source('no Docker', 'no Java'));
  await openPart(source('no Docker', 'no Java'));
  expect(readPartReport(report)).toEqual([
    { name: 'Part', state: 'lacked', detail: 'container: no Docker; native: no Java' },
  ]);
});
