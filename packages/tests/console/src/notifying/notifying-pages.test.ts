import { describe, expect, it } from 'vitest';
import { settled } from '../pages/visits.ts';
import { overflowOf, violationsOf } from '../site/accessibility.ts';
import { lacksChromium } from '../site/chromium.ts';
import { useSite } from '../site/site.ts';

const PATHS = [
  '/rules',
  '/rules/new',
  '/silences',
  '/silences?view=list',
  '/silences/new',
  '/channels',
  '/notifications',
];

describe.skipIf(lacksChromium)('[needs Chromium] rules, silences, channels and notifications', () => {
  const site = useSite({ TIDEWATCH_ALLOW_PRIVATE_DESTINATIONS: 'true' });

  it('shows the result of a test and its duration beside the button', async () => {
    await site.call('POST', '/channels', {
      kind: 'webhook',
      name: 'on call',
      config: { url: 'http://127.0.0.1:9/hook' },
    });
    const page = await site.open('/channels', { key: site.adminKey });
    await settled(page);
    await page.getByRole('button', { name: 'Send a test' }).click();
    await page.getByText(/^Failed after \d+ (ms|s): /).waitFor();
  });

  it('stores a silence with the matchers, the end and the zone that the form shows', async () => {
    const page = await site.open('/silences/new', { key: site.adminKey });
    await settled(page);
    await page.getByLabel('Hosts', { exact: true }).fill('db-*');
    await page.getByLabel('Zone', { exact: true }).fill('Europe/Berlin');
    await page.getByLabel('From', { exact: true }).fill('2030-01-07T01:00');
    await page.getByLabel('Until', { exact: true }).fill('2030-01-07T03:00');
    await page.getByText('0 hosts, 0 active alerts.').waitFor();
    await page.getByRole('button', { name: 'Silence', exact: true }).click();
    await page.getByText('host=db-*').waitFor();
    const { silences } = await site.call('GET', '/silences');
    expect(silences).toMatchObject([
      {
        matchers: { hosts: ['db-*'] },
        from: '2030-01-07T00:00:00.000Z',
        until: '2030-01-07T02:00:00.000Z',
        timezone: 'Europe/Berlin',
      },
    ]);
  });

  it.each([360, 1_280])('has no axe violation and does not scroll sideways at %i px', async (width) => {
    const page = await site.open('/rules', { key: site.adminKey, width, height: 800 });
    for (const path of PATHS) {
      await page.goto(path);
      await settled(page);
      expect([path, await violationsOf(page)]).toEqual([path, []]);
      expect([path, await overflowOf(page)]).toEqual([path, 0]);
    }
  });
});
