import { describe, expect, it } from 'vitest';
import { settled } from '../pages/visits.ts';
import { violationsOf } from '../site/accessibility.ts';
import { lacksChromium } from '../site/chromium.ts';
import { useOwnSite } from '../site/site.ts';

const RULE = { metric: 'cpu_percent', condition: 'greater_than', threshold: 90 };
const DOCUMENT = `rules:
  - external_id: cpu # as in the repository
    name: CPU is busy
    metric: cpu_percent
    condition: greater_than
    threshold: THRESHOLD
  - external_id: disk
    name: Disk is full
    metric: disk_percent
    condition: greater_than
    threshold: 95
`;

describe.skipIf(lacksChromium)('[needs Chromium] the import of rules', () => {
  const site = useOwnSite();

  it('shows the faults of a document, then what it would change, and changes that on a second press alone', async () => {
    await site.call('POST', '/alerts/rules', { ...RULE, name: 'CPU is busy', external_id: 'cpu' });
    await site.call('POST', '/alerts/rules', { ...RULE, name: 'Old', external_id: 'old' });
    await site.call('POST', '/alerts/rules', { ...RULE, name: 'By hand' });
    const page = await site.open('/rules', { key: site.adminKey });
    await settled(page);
    await page.getByRole('button', { name: 'Import YAML' }).click();
    const dialog = page.getByRole('dialog', { name: 'Import rules' });
    const document = dialog.getByLabel('Document', { exact: true });
    await document.fill('rules: [');
    await dialog.getByText('This is no YAML').waitFor();
    expect(await dialog.getByRole('button', { name: 'Dry run' }).isDisabled()).toBe(true);

    await document.fill(DOCUMENT.replace('THRESHOLD', 'high'));
    await dialog.getByRole('button', { name: 'Dry run' }).click();
    await dialog.getByText('/rules/0/threshold', { exact: true }).waitFor();

    await document.fill(DOCUMENT.replace('THRESHOLD', '80'));
    await dialog.getByRole('checkbox').check();
    await dialog.getByRole('button', { name: 'Dry run' }).click();
    const plan = dialog.getByRole('region', { name: 'What the import changes' });
    for (const line of ['Creates 1: Disk is full', 'Updates 1: CPU is busy', 'Deletes 1: Old'])
      await plan.getByText(line).waitFor();
    expect(await violationsOf(page)).toEqual([]);
    const before = await site.call('GET', '/alerts/rules');
    expect(before.rules).toHaveLength(3);
    expect(before.rules[0].threshold).toBe(90);

    await dialog.getByRole('button', { name: 'Import and delete 1' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'Disk is full' }).waitFor();
    const { rules } = await site.call('GET', '/alerts/rules');
    const shown = rules.map(({ name, threshold }: { name: string; threshold: number }) => [name, threshold]);
    expect(shown).toEqual([
      ['CPU is busy', 80],
      ['By hand', 90],
      ['Disk is full', 95],
    ]);
  });
});
