import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { settled } from '../pages/visits.ts';
import { lacksChromium } from '../site/chromium.ts';
import { useSite } from '../site/site.ts';

const RULE = { name: 'CPU is busy here', metric: 'cpu_percent', condition: 'greater_than', threshold: 90 };

/** A field of the form, what is typed into it, and the member of the rule that the API then names. */
const FAULTS: readonly (readonly [label: string, typed: string, path: string])[] = [
  ['Name', '', '/name'],
  ['Name', 'n'.repeat(201), '/name'],
  ['Metric', '', '/metric'],
  ['Threshold', '', '/threshold'],
  ['For', '-1', '/duration_minutes'],
  ['For', '2.5', '/duration_minutes'],
  ['Clear for', '100000', '/keep_firing_minutes'],
  ['Clears at', '95', '/recovery_threshold'],
  ['Runbook', 'javascript:alert(1)', '/runbook_url'],
];

/** How many hosts breach each rule. */
const BREACHES = { Quiet: 0, 'Rather loud': 2, 'Very loud': 5, 'A bit loud': 1 } as const;
const metricOf = (name: string) => `noise_${name.toLowerCase().replaceAll(' ', '_')}`;

describe.skipIf(lacksChromium)('[needs Chromium] the pages of rules', () => {
  const site = useSite();

  it('shows a fault of the schema at its field, and keeps a draft over a reload until it is saved', async () => {
    const page = await site.open('/rules/new', { key: site.adminKey });
    await settled(page);
    await page.getByLabel('Name').fill('Load is high');
    await page.getByLabel('Threshold', { exact: true }).fill('9O');
    await page.getByText('Must be a number.').first().waitFor();
    await page.reload();
    await page.getByRole('button', { name: 'Continue the draft' }).click();
    await page.getByLabel('Threshold', { exact: true }).fill('95');
    await page.getByRole('button', { name: 'Save as shadow' }).click();
    await page.getByRole('heading', { level: 1, name: 'Load is high' }).waitFor();
    const { rules } = await site.call('GET', '/alerts/rules?q=Load%20is%20high');
    expect(rules).toMatchObject([{ threshold: 95, mode: 'shadow' }]);
  });

  it('chooses parts where the metric is one of parts, in scope and exceptions, and keeps a single pattern', async () => {
    const name = 'A filesystem is full';
    const { id } = await site.call('POST', '/alerts/rules', {
      ...RULE,
      name,
      metric: 'filesystem.used_percent',
      overrides: [{ match: { part: '/backup*' }, enabled: false }],
    });
    const page = await site.open(`/rules/${id}/edit`, { key: site.adminKey });
    await settled(page);
    const parts = page.getByLabel('Parts', { exact: true });
    expect(await parts.nth(1).inputValue()).toBe('/backup*');
    await parts.first().fill('/var*, /srv');
    await page.getByLabel('Labels of parts').first().fill('type=ext4 | xfs');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.waitForURL(`**/rules/${id}`);
    expect(await site.call('GET', `/alerts/rules/${id}`)).toMatchObject({
      scope: { part: ['/var*', '/srv'], part_labels: { type: ['ext4', 'xfs'] } },
      overrides: [{ match: { part: '/backup*' }, enabled: false }],
    });
    await page.getByText('part /var*, /srv; label type=ext4 or xfs').first().waitFor();
    const plain = await site.open('/rules/new', { key: site.adminKey });
    await settled(plain);
    await plain.getByLabel('Metric', { exact: true }).fill('cpu_percent');
    expect(await plain.getByLabel('Parts', { exact: true }).count()).toBe(0);
  });

  it('shows both versions of a rule that was changed elsewhere, and overwrites nothing', async () => {
    const { id } = await site.call('POST', '/alerts/rules', RULE);
    const page = await site.open(`/rules/${id}/edit`, {
      key: site.adminKey,
      tolerates: [/412/],
    });
    await settled(page);
    await page.getByRole('heading', { level: 1, name: `Edit rule ${RULE.name}`, exact: true }).waitFor();
    await page.getByLabel('Threshold', { exact: true }).fill('80');
    await fetch(`${site.url}/api/v1/alerts/rules/${id}`, {
      method: 'PATCH',
      headers: { 'X-API-Key': site.adminKey, 'Content-Type': 'application/merge-patch+json' },
      body: JSON.stringify({ threshold: 70 }),
    });
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'The rule has changed meanwhile' });
    await dialog.getByRole('row', { name: 'threshold 80 70' }).waitFor();
    expect((await site.call('GET', `/alerts/rules/${id}`)).threshold).toBe(70);
    await dialog.getByRole('button', { name: 'Save mine over version 2' }).click();
    await page.waitForURL(`**/rules/${id}`);
    expect((await site.call('GET', `/alerts/rules/${id}`)).threshold).toBe(80);
  });

  it('lists rules by their alerts, in the order and with the counts of the API', async () => {
    for (const name of Object.keys(BREACHES))
      await site.call('POST', '/alerts/rules', {
        name,
        metric: metricOf(name),
        condition: 'greater_than',
        threshold: 1,
        duration_minutes: 0,
      });
    for (const [name, count] of Object.entries(BREACHES))
      for (let index = 0; index < count; index += 1)
        await site.call('POST', '/ingest', { host: `host-${index}`, metrics: { [metricOf(name)]: 2 } });
    const all = Object.values(BREACHES).reduce<number>((sum, count) => sum + count, 0);
    const total = async () => (await site.call('GET', '/alerts?limit=1')).pagination.total;
    await expect.poll(total).toBe(all);
    const page = await site.open('/rules?sort=alerts', { key: site.adminKey });
    await settled(page);
    const { groups } = await site.call('GET', '/alerts/counts?group_by=rule_id&shadow=include');
    const rows = page
      .getByRole('grid', { name: 'Rules' })
      .locator('[role=row][aria-rowindex]:not([aria-rowindex="1"])');
    const read = () =>
      rows.evaluateAll((found) =>
        found.map((row) => {
          const texts = [...row.querySelectorAll('a')].map(({ textContent }) => textContent);
          return { name: texts[0], alerts: Number.parseInt(texts[1] ?? '', 10) || 0 };
        }),
      );
    const expected = groups.map(({ name, alerts }: { name: string; alerts: number }) => ({ name, alerts }));
    expect(expected).toHaveLength(3);
    await expect.poll(async () => (await read()).slice(0, 3)).toEqual(expected);
    expect((await read()).filter(({ alerts }) => alerts === 0)).toContainEqual({ name: 'Quiet', alerts: 0 });
  });

  it('scrolls a field that takes the focus clear of the bar with “Save”, at 360 and 1,280 px', async () => {
    const page = await site.open('/rules/new', { key: site.adminKey });
    await settled(page);
    for (const [width, height] of [
      [360, 640],
      [1_280, 800],
    ] as const) {
      await page.setViewportSize({ width, height });
      for (const label of ['Hosts', 'Tags', 'Description', 'Runbook']) {
        await page.evaluate(() => scrollTo(0, 0));
        await field(page, label).focus();
        const box = await field(page, label).boundingBox();
        const bar = await page.getByRole('button', { name: 'Save', exact: true }).boundingBox();
        expect([label, width, (box?.y ?? 0) + (box?.height ?? 0) <= (bar?.y ?? 0)]).toEqual([
          label,
          width,
          true,
        ]);
      }
    }
  });

  const field = (page: Page, label: string) => page.getByLabel(label, { exact: true });

  it('shows each fault at its field in the words of the API', async () => {
    const page = await site.open('/rules/new', { key: site.adminKey });
    await settled(page);
    await field(page, 'Name').fill('A rule');
    for (const [label, typed, path] of FAULTS) {
      const before = await field(page, label).inputValue();
      await field(page, label).fill(typed);
      const said = await faultOfApi(path, typed);
      expect([label, typed, said]).toEqual([label, typed, expect.stringMatching(/\.$/)]);
      const described = async () => {
        const ids = ((await field(page, label).getAttribute('aria-describedby')) ?? '').split(' ');
        const faults = ids.find((id) => id.endsWith('-faults'));
        return faults === undefined ? '' : page.locator(`[id="${faults}"]`).textContent();
      };
      await expect.poll(described, { message: `${label}: ${typed}` }).toContain(said);
      await field(page, label).fill(before);
    }
  });

  it('shows a fault that only the API finds at its field, and stores nothing', async () => {
    const { id } = await site.call('POST', '/channels', {
      kind: 'email',
      name: 'short-lived',
      config: { to: ['a@example.com'] },
    });
    const page = await site.open('/rules/new', { key: site.adminKey });
    await settled(page);
    await field(page, 'Name').fill('A rule of a channel that goes away');
    await page.getByLabel(/short-lived/).check();
    await site.call('DELETE', `/channels/${id}`);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    const { errors } = await refusal({ channels: ['default', id] });
    await page
      .getByText(errors[0]?.message ?? 'no fault')
      .first()
      .waitFor();
    expect((await site.call('GET', '/alerts/rules?q=goes%20away')).rules).toEqual([]);
  });

  /** The answer of the API to a valid rule with these changes. */
  async function refusal(changes: object): Promise<{ errors: { path: string; message: string }[] }> {
    const rule = {
      name: 'A rule',
      metric: 'cpu_percent',
      condition: 'greater_than',
      threshold: 90,
      ...changes,
    };
    const response = await fetch(`${site.url}/api/v1/alerts/rules`, {
      method: 'POST',
      headers: { 'X-API-Key': site.adminKey, 'Content-Type': 'application/json' },
      body: JSON.stringify(rule),
    });
    expect(response.status).toBe(422);
    return response.json();
  }

  async function faultOfApi(path: string, typed: string): Promise<string | undefined> {
    const isNumber = !['/name', '/metric', '/runbook_url'].includes(path);
    const value = isNumber ? (typed === '' ? null : Number(typed)) : typed;
    const { errors } = await refusal({ [path.slice(1)]: value });
    return errors.find((error) => error.path === path)?.message;
  }
});
