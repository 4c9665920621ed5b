import { describe, expect, it } from 'vitest';
import { settled } from '../pages/visits.ts';
import { lacksChromium } from '../site/chromium.ts';
import { useSite } from '../site/site.ts';

const RULE = { name: 'CPU is busy here', metric: 'cpu_percent', condition: 'greater_than', threshold: 90 };

describe.skipIf(lacksChromium)('[needs Chromium] the editor of rules', () => {
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

  it('shows both versions of a rule that was changed elsewhere, and overwrites nothing', async () => {
    const { id } = await site.call('POST', '/alerts/rules', RULE);
    const page = await site.open(`/rules/${id}/edit`, {
      key: site.adminKey,
      tolerates: [/412/],
    });
    await settled(page);
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
    // The editor and the page of the rule have the same heading.
    await page.waitForURL(`**/rules/${id}`);
    expect((await site.call('GET', `/alerts/rules/${id}`)).threshold).toBe(80);
  });
});
