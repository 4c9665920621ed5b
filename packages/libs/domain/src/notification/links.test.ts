import { readSearch } from '@tidewatch/contracts/console/parameters';
import { PAGES, pageAt, readPageSearch } from '@tidewatch/contracts/console/paths';
import { expect, it } from 'vitest';
import { alertLinks, investigationLinks, ruleAlertsLink } from './links.ts';
import { anAlert } from './notice.fixture.ts';

const URL_OF_PEOPLE = 'https://tw.example';
const all = () => true;
const none = () => false;

const linksWith = (serves: () => boolean) => [
  ...Object.values(
    alertLinks(
      URL_OF_PEOPLE,
      anAlert({ investigation_id: 'inv_1', subject: { kind: 'process', name: 'a&b' } }),
      serves,
    ),
  ),
  ...Object.values(investigationLinks(URL_OF_PEOPLE, { id: 'inv_1', serviceId: 'svc_1' }, serves)),
  ruleAlertsLink(URL_OF_PEOPLE, 'rul_1', serves),
];

it('notification links lead to no page that the console does not have', () => {
  expect(new Set(linksWith(none))).toEqual(new Set([null]));
});

it('notification links lead to pages of the console, with parameters that the pages understand', () => {
  for (const link of linksWith(all)) {
    const { origin, pathname, search } = new URL(link ?? '');
    const page = pageAt(pathname);
    expect([origin, page && Object.hasOwn(PAGES, page.name)]).toEqual([URL_OF_PEOPLE, true]);
    expect(readPageSearch(page?.name ?? 'overview', readSearch(search)).invalid).toEqual([]);
  }
});

it('notification links lead to the pages that are served', () => {
  const { alert, chart, investigation } = alertLinks(URL_OF_PEOPLE, anAlert(), all);
  expect(alert).toMatch(/^https:\/\/tw\.example\/alerts\/alr_3+$/);
  expect(Object.fromEntries(new URL(chart ?? '').searchParams)).toEqual({
    metric: 'cpu_percent',
    from: '2026-11-22T14:01:28.000Z',
    to: '2026-11-22T15:06:28.000Z',
  });
  expect(investigation).toBeNull();
  const investigated = anAlert({ investigation_id: 'inv_1' });
  expect(alertLinks(URL_OF_PEOPLE, investigated, all).investigation).toBe(
    'https://tw.example/investigations/inv_1',
  );
});

it('a notification has no links if no public address is set', () => {
  expect(new Set(Object.values(alertLinks(null, anAlert(), all)))).toEqual(new Set([null]));
});
