import { describe, expect, it } from 'vitest';
import { crossSiteFault, originOf, type RequestSource } from './cross-site.ts';

const OWN = 'https://tidewatch.example.com';

function sourceOf(given: Partial<RequestSource>): RequestSource {
  const none = { consoleHeader: undefined, fetchSite: undefined, origin: undefined };
  return { ...none, ownOrigins: [OWN], isDownload: false, ...given };
}

describe('crossSiteFault', () => {
  it.each<[string, Partial<RequestSource>]>([
    ['a read of the console', { consoleHeader: '1', fetchSite: 'same-origin' }],
    ['a change by the console', { consoleHeader: '1', fetchSite: 'same-origin', origin: OWN }],
    ['a read over plain HTTP, where browsers leave Sec-Fetch-Site out', { consoleHeader: '1' }],
    ['a change over plain HTTP', { consoleHeader: '1', origin: OWN }],
    ['a download by a link of the console', { isDownload: true, fetchSite: 'same-origin' }],
    ['a download over plain HTTP', { isDownload: true }],
    [
      'the second of two own origins',
      { consoleHeader: '1', origin: 'http://10.0.0.5:8230', ownOrigins: [OWN, 'http://10.0.0.5:8230'] },
    ],
  ])('takes %s', (_, given) => {
    expect(crossSiteFault(sourceOf(given))).toBeUndefined();
  });

  it.each<[string, Partial<RequestSource>, RegExp]>([
    ['a form of another site', { fetchSite: 'cross-site', origin: 'https://evil.example' }, /Sec-Fetch-Site/],
    ['a link of another site', { fetchSite: 'cross-site' }, /Sec-Fetch-Site/],
    ['a page of another port of the host', { consoleHeader: '1', fetchSite: 'same-site' }, /same-origin/],
    ['an address that was typed', { fetchSite: 'none' }, /Sec-Fetch-Site is none/],
    ['an export by a link of another site', { isDownload: true, fetchSite: 'cross-site' }, /Sec-Fetch-Site/],
    ['an export by a form of another site', { isDownload: true, origin: 'http://evil.example' }, /Origin/],
    [
      'another origin without Sec-Fetch-Site',
      { consoleHeader: '1', origin: 'http://evil.example' },
      /Origin/,
    ],
    ['another scheme', { consoleHeader: '1', origin: 'http://tidewatch.example.com' }, /Origin/],
    ['another port', { consoleHeader: '1', origin: 'https://tidewatch.example.com:8443' }, /Origin/],
    ['an origin that is hidden', { consoleHeader: '1', origin: 'null' }, /Origin is null/],
    ['an empty origin', { consoleHeader: '1', origin: '' }, /Origin/],
    ['a request without the header', { fetchSite: 'same-origin', origin: OWN }, /X-Tidewatch-Console/],
    ['a form over plain HTTP', {}, /X-Tidewatch-Console/],
    ['another value of the header', { consoleHeader: '1, 1' }, /X-Tidewatch-Console/],
  ])('refuses %s', (_, given, fault) => {
    expect(crossSiteFault(sourceOf(given))).toMatch(fault);
  });
});

describe('originOf', () => {
  it.each([
    ['https://Tidewatch.example.com:443/path', 'https://tidewatch.example.com'],
    ['http://10.0.0.5:8230', 'http://10.0.0.5:8230'],
    ['http://[::1]:8230', 'http://[::1]:8230'],
    ['http://', undefined],
    ['http://a b', undefined],
  ])('of %s is %s', (url, origin) => {
    expect(originOf(url)).toBe(origin);
  });
});
