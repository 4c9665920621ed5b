import { AGENT_FAMILIES } from '../families/agent-families.ts';
import type { DerivedMetric } from '../families/family.ts';
import type { HostPart } from '../outputs/host-part.ts';
import { isMeasuredFileSystem, PART_TOTALS, type PartTotal } from './part-totals.ts';

/** A metric of ours that is computed from others: by a formula over the roles of its inputs, or over parts of one kind. */
export type ComputedRow = { metric: string; rank: number } & (
  | { kind: 'derived'; row: DerivedMetric; roles: readonly string[] }
  | { kind: 'total'; total: PartTotal }
);

const DERIVED = AGENT_FAMILIES.flatMap(({ derived }) => derived);

/** All of them. Of several that compute one metric, that with the lowest rank counts. */
export const COMPUTED_ROWS: readonly ComputedRow[] = [
  ...DERIVED.map(
    (row, rank): ComputedRow => ({
      kind: 'derived',
      metric: row.metric,
      rank,
      row,
      roles: Object.keys(row.inputs),
    }),
  ),
  ...PART_TOTALS.map((total): ComputedRow => ({ kind: 'total', metric: total.metric, rank: 0, total })),
];

/** A role for which a metric is an input: the positions of the row in `COMPUTED_ROWS` and of the role in the row. */
export interface RowRole {
  row: number;
  role: number;
}

const byName = new Map<string, RowRole[]>();
const byPattern: { pattern: RegExp; role: RowRole }[] = [];
for (const [row, { inputs }] of DERIVED.entries())
  for (const [role, names] of Object.values(inputs).entries())
    for (const name of names) {
      const entry = { row, role };
      if (name.includes('*')) byPattern.push({ pattern: patternOf(name), role: entry });
      else byName.set(name, [...(byName.get(name) ?? []), entry]);
    }

function patternOf(name: string): RegExp {
  const escaped = name.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`^${escaped.replaceAll('*', '.*')}$`);
}

/** The roles that a metric of the host (`part` null) or of one of its parts has. */
export function rolesOf(part: HostPart | null, metric: string): RowRole[] {
  const named = byName.get(metric) ?? [];
  const matched = byPattern.filter(({ pattern }) => pattern.test(metric)).map(({ role }) => role);
  return [...named, ...matched].filter(({ row }) => {
    const derived = DERIVED[row] as DerivedMetric;
    return derived.kind === part?.kind && appliesTo(derived, part);
  });
}

/** File systems of memory, of images and of the network have no used_percent, on which rules about full disks look. */
function appliesTo({ metric }: DerivedMetric, part: HostPart | null): boolean {
  if (part?.kind !== 'filesystem') return true;
  return !metric.endsWith('used_percent') || isMeasuredFileSystem(part);
}

/** The totals of the host to which a metric of a part belongs: their positions in `COMPUTED_ROWS`. */
export function totalsOf({ kind }: HostPart, metric: string): number[] {
  const rows: number[] = [];
  for (const [index, total] of PART_TOTALS.entries())
    if (total.kind === kind && total.of === metric) rows.push(DERIVED.length + index);
  return rows;
}
