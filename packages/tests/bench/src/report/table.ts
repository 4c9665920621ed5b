import type { Percentiles } from '../measure/percentile.ts';

export type Row = [name: string, value: string];

/** A table with one figure of a scenario in each row. */
export function figureTable(rows: readonly Row[], heads: Row = ['figure', 'value']): string {
  return table(heads, rows);
}

/** Formats rows as a Markdown table with the given headings. */
export function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = heads.map((head, column) =>
    Math.max(head.length, ...rows.map((row) => (row[column] ?? '').length)),
  );
  const line = (cells: readonly string[]) =>
    `| ${widths.map((width, column) => (cells[column] ?? '').padEnd(width)).join(' | ')} |`;
  return [line(heads), `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`, ...rows.map(line)].join(
    '\n',
  );
}

export function number(value: number, digits = 0): string {
  return value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

export function mebibytes(bytes: number): string {
  return number(bytes / 1_048_576);
}

/** Formats p50, p99 and maximum, in ms. */
export function spread({ p50, p99, max }: Percentiles, digits = 0): string {
  return `${listed([p50, p99, max], digits)} ms`;
}

export function listed(values: readonly number[], digits: number): string {
  return values.map((value) => number(value, digits)).join(' / ');
}

/** The processes with the highest peaks of memory, in bytes. */
export function peakRows(peaks: ReadonlyMap<string, number>): Row[] {
  return [...peaks]
    .toSorted((a, b) => b[1] - a[1])
    .slice(0, 12)
    .map(([name, bytes]) => [`peak RSS, ${name}`, `${mebibytes(bytes)} MiB`]);
}
