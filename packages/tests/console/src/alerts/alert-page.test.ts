import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { overflowOf, violationsInEveryLook } from '../site/accessibility.ts';
import { breach, createRule, type FiredAlert } from '../site/breaches.ts';
import { lacksChromium } from '../site/chromium.ts';
import { useSite } from '../site/site.ts';

const PHONE = { width: 360, height: 640 };

const HOSTS = ['mute-1', 'mute-2', 'mute-3'];
const SCOPES = [
  ['this rule on this host', false],
  ['this rule on every host', true],
] as const;

describe.skipIf(lacksChromium)('[needs Chromium] the page of an alert', () => {
  const site = useSite();
  let alert: FiredAlert;
  beforeAll(async () => {
    if (lacksChromium !== undefined) return;
    await createRule(site);
    alert = await breach(site, 'db-03');
  });

  it('shows on a phone what happened and what to press without scrolling, with targets of 44 px', async () => {
    const page = await site.open(`/alerts/${alert.id}`, { ...PHONE, key: site.adminKey });
    const parts = {
      sentence: page.getByText(alert.summary),
      since: page.getByText(/^Since/),
      value: page.getByText(/^Since/).getByText('98.5', { exact: true }),
      process: page.getByRole('rowheader', { name: 'reindex' }),
      acknowledge: page.getByRole('button', { name: 'Acknowledge', exact: true }),
      silence: page.getByRole('button', { name: 'Silence', exact: true }),
    };
    for (const [name, part] of Object.entries(parts)) {
      await part.waitFor();
      const box = await part.boundingBox();
      expect([name, box !== null && box.y >= 0 && box.y + box.height <= PHONE.height]).toEqual([name, true]);
    }
    const heights = await page
      .getByRole('main')
      .getByRole('button')
      .evaluateAll((buttons) =>
        buttons
          .map((button) => ({ name: button.textContent, height: button.getBoundingClientRect().height }))
          .filter(({ height }) => height > 0 && height < 44),
      );
    expect(heights).toEqual([]);
    expect(await overflowOf(page)).toBeLessThanOrEqual(0);
  });

  it('has no axe violation in both themes', async () => {
    const page = await site.open(`/alerts/${alert.id}`, { ...PHONE, key: site.adminKey });
    await page.getByRole('list', { name: 'Timeline' }).getByText('fired at').waitFor();
    expect(await violationsInEveryLook(page)).toEqual([]);
  });

  it('names the part that the alert is about, and charts the series of the part', async () => {
    const metric = 'filesystem.used_percent';
    const terms = { name: 'A filesystem is full', metric, condition: 'greater_than', threshold: 90 };
    const rule = await site.call('POST', '/alerts/rules', { ...terms, duration_minutes: 0 });
    const host = 'files-01';
    const list = async () => (await site.call('GET', `/alerts?rule_id=${rule.id}`)).alerts;
    const send = (used_percent: number) =>
      site.call('POST', '/ingest', {
        host,
        metrics: {},
        parts: [{ kind: 'filesystem', name: '/var/log', used_percent }],
      });
    await expect
      .poll(async () => {
        await send(97);
        return (await list()).length;
      })
      .toBe(1);
    const [{ id, service_id }] = await list();
    const page = await site.open(`/alerts/${id}`, { key: site.adminKey });
    const facts = page.getByRole('region', { name: 'Values' });
    await facts.getByText('filesystem /var/log', { exact: true }).waitFor();
    await page.getByRole('region', { name: 'Chart' }).waitFor();
    const link = await facts.getByRole('link', { name: metric }).getAttribute('href');
    expect(link).toContain(service_id);
    expect(decodeURIComponent(link ?? '')).toContain('subject=part:filesystem:/var/log');
  });

  it('acknowledges nothing when it is opened, and on a press as the API and another browser show it', async () => {
    const { host, id } = await breach(site, 'web-01');
    const key = site.adminKey;
    const other = await site.open('/alerts', { key });
    const row = other.getByRole('row').filter({ hasText: `${host}:` });
    await row.waitFor();
    const page = await site.open(`/alerts/${id}`, { ...PHONE, key });
    const button = page.getByRole('button', { name: 'Acknowledge', exact: true });
    await button.waitFor();
    expect((await site.call('GET', `/alerts/${id}`)).acknowledged_by).toBeNull();
    await button.click();
    await page
      .getByText(/^Acknowledged by/)
      .first()
      .waitFor();
    // The page shows the acknowledgement before the API has it.
    const nameOfActor = async () => (await site.call('GET', `/alerts/${id}`)).acknowledged_by?.name;
    await expect.poll(nameOfActor).toEqual(expect.any(String));
    await row.getByText(await nameOfActor()).waitFor();
  });

  it('reports that the alert is resolved where somebody was faster', async () => {
    const { id } = await breach(site, 'web-02');
    const page = await site.open(`/alerts/${id}`, { key: site.adminKey });
    const button = page.getByRole('button', { name: 'Acknowledge', exact: true });
    await button.waitFor();
    // The event is kept from the page, so that it acts on what it knows.
    await page.route('**/acknowledge', async (route) => {
      await site.call('POST', `/alerts/${id}/resolve`);
      await route.continue();
    });
    await button.click();
    await page
      .getByText(/resolved/i)
      .first()
      .waitFor();
    await expect.poll(() => page.getByText('resolved by hand').count()).toBeGreaterThan(0);
  });

  it('silences what its dialog lists, until the time and in the zone that it shows', async () => {
    const { host, id, rule_id } = await breach(site, 'web-03');
    const page = await site.open(`/alerts/${id}`, { key: site.adminKey });
    await page.getByRole('button', { name: 'Silence', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Silence' });
    await dialog.getByRole('region', { name: 'Muted now' }).getByText(`${host}:`).waitFor();
    const said = (await dialog.getByText(/^Mutes/).textContent()) ?? '';
    await dialog.getByRole('button', { name: 'Silence for 1 hour' }).click();
    await dialog.waitFor({ state: 'detached' });
    const { silences } = await site.call('GET', '/silences');
    expect(silences).toHaveLength(1);
    const [{ matchers, from, until, timezone }] = silences;
    expect(matchers).toMatchObject({ hosts: [host], rule_ids: [rule_id] });
    expect(Date.parse(until) - Date.parse(from)).toBe(3_600_000);
    expect(said).toContain(`host=${host}`);
    expect(said).toContain(`(${timezone})`);
    const zone = { timeZone: timezone, hourCycle: 'h23' } as const;
    const clock = new Intl.DateTimeFormat('en-GB', { ...zone, timeStyle: 'medium' }).format(new Date(until));
    expect(said).toContain(clock);
  });

  const dialogOf = (page: Page) => page.getByRole('dialog', { name: 'Silence' });
  /** The hosts whose alerts are muted, by the API. */
  const muted = async () => {
    const { alerts } = await site.call('GET', '/alerts?limit=100');
    return alerts
      .filter(({ silenced_by }: { silenced_by: string | null }) => silenced_by !== null)
      .map(({ host }: { host: string }) => host)
      .sort();
  };
  async function endSilences(): Promise<void> {
    const { silences } = await site.call('GET', '/silences?status=active');
    for (const { id } of silences) await site.call('DELETE', `/silences/${id}`);
    await expect.poll(muted).toEqual([]);
  }

  it.each(SCOPES)('silences by %s what its dialog lists', async (scope, isAll) => {
    await endSilences();
    const alerts: FiredAlert[] = [];
    for (const host of HOSTS) alerts.push(await breach(site, host));
    const page = await site.open(`/alerts/${alerts[0]?.id}`, { key: site.adminKey });
    await page.getByRole('button', { name: 'Silence', exact: true }).click();
    await dialogOf(page).getByLabel(scope).check();
    const listed = dialogOf(page).getByRole('region', { name: 'Muted now' }).getByRole('listitem');
    const ofRule = await site.call('GET', `/alerts?limit=100&rule_id=${alerts[0]?.rule_id}`);
    await expect.poll(() => listed.count()).toBe(isAll ? ofRule.alerts.length : 1);
    const hosts = (await listed.allTextContents()).map((text) => /[\w-]+(?=:)/.exec(text)?.[0]).sort();
    expect(hosts).toEqual(expect.arrayContaining(isAll ? HOSTS : HOSTS.slice(0, 1)));
    await dialogOf(page).getByRole('button', { name: 'Silence for 1 hour' }).click();
    await dialogOf(page).waitFor({ state: 'detached' });
    await expect.poll(muted).toEqual(hosts);
    await endSilences();
  });

  it('asks before it resolves, and says so afterwards', async () => {
    const { id } = await breach(site, 'web-04');
    const page = await site.open(`/alerts/${id}`, { key: site.adminKey });
    await page.getByRole('button', { name: 'Resolve', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Resolve the alert?' });
    expect((await site.call('GET', `/alerts/${id}`)).status).toBe('active');
    await dialog.getByRole('button', { name: /^Resolve/ }).click();
    await page.getByText('resolved by hand').first().waitFor();
    expect((await site.call('GET', `/alerts/${id}`)).resolution).toBe('manual');
  });

  it('has the alert and its threshold on the chart, as named buttons', async () => {
    const page = await site.open(`/alerts/${alert.id}`, { key: site.adminKey });
    await page
      .getByRole('button', { name: /Alert: Queue is full/ })
      .first()
      .waitFor();
    await page
      .getByRole('button', { name: /critical: above 97/ })
      .first()
      .waitFor();
  });
});
