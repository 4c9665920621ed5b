import type { ChartLine } from '../plot/picture.ts';

/** The points of lines as CSV, a row for each time, with a column for each line. */
export function csvOf(lines: readonly ChartLine[]): string {
  const byTime = new Map<number, (number | undefined)[]>();
  for (const [index, { points }] of lines.entries())
    for (const { t, avg } of points) {
      const row = byTime.get(t) ?? [];
      row[index] = avg;
      byTime.set(t, row);
    }
  const times = [...byTime.keys()].sort((a, b) => a - b);
  const rows = times.map((t) => {
    const values = byTime.get(t) ?? [];
    return [new Date(t).toISOString(), ...lines.map((_, index) => String(values[index] ?? ''))];
  });
  return [['t', ...lines.map(({ name }) => cell(name))], ...rows]
    .map((row) => `${row.join(',')}\r\n`)
    .join('');
}

/** As exports of the API: a text that a spreadsheet would take for a formula begins with an apostrophe. */
function cell(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
