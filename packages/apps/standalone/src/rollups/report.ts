import type { Rebuilt } from '@tidewatch/store/sample-days/rebuild';

const dateOf = (day: number): string => new Date(day).toISOString().slice(0, 10);

/** Lines that say what a comparison of rollups with samples found. */
export function rebuildReport(
  { compared, differing, differences, damaged }: Rebuilt,
  repairs: boolean,
): string[] {
  const lines = differences.map(
    ({ relation, blockId, day }) =>
      `${relation} of block ${blockId} on ${dateOf(day)} differs from its samples`,
  );
  if (differing > differences.length) lines.push(`and ${differing - differences.length} more`);
  for (const { blockId, day, reason } of damaged)
    lines.push(
      `sample_days of block ${blockId} on ${dateOf(day)} is damaged (${reason}); its rollups are left as they are`,
    );
  const again = repairs && differing > 0 ? ', written again' : '';
  lines.push(
    `Days of blocks compared: ${compared}; rollups that differ: ${differing}${again}; damaged days: ${damaged.length}.`,
  );
  return lines;
}
