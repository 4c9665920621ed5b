import { metricsOf, type Payload } from '@tidewatch/contracts/ingest/sample';
import { expect, it } from 'vitest';
import { countStored } from './stored-samples.ts';

const payload = (more: Partial<Payload>): Payload => ({ host: 'a', time: 0, ...metricsOf({}), ...more });
const stored = (more: Partial<Payload>) => countStored([payload(more)], 0);

it.each<[string, Partial<Payload>, number]>([
  ['nothing but values', {}, 0],
  ['one process', { processes: [{ name: 'node', pid: 1 }] }, 2],
  ['one process and its values', { processes: [{ name: 'node', pid: 1, cpu_percent: 1, memory_rss: 2 }] }, 4],
  ['a process whose name has 255 characters', { processes: [{ name: 'n'.repeat(255), pid: 1 }] }, 5],
  ['three short tags', { tags: { environment: 'production', region: 'eu-1', service: 'shop' } }, 1],
  ['a tag of 256 characters', { tags: { note: 'x'.repeat(256) } }, 5],
  ['no tags', { tags: {} }, 0],
  [
    'one container',
    { containers: [{ name: 'api', image: 'shop/api:1', status: 'running', cpu_percent: 1 }] },
    2,
  ],
  ['a container whose image has 512 characters', { containers: [{ name: 'c', image: 'i'.repeat(512) }] }, 10],
])('the limit of samples counts what is stored of %s', (_what, more, expected) => {
  expect(stored(more)).toBe(expected);
});

it('the limit of samples counts the texts of each payload separately, in addition to the values', () => {
  const short = payload({ processes: [{ name: 'a', pid: 1 }] });
  expect(countStored([short, short], 7)).toBe(7 + 2 * 2);
});
