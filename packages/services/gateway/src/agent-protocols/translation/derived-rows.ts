import { AGENT_FAMILIES } from './families/agent-families.ts';
import type { DerivedMetric } from './families/family.ts';
import type { HostPart } from './output.ts';
import { isMeasuredFileSystem, PART_TOTALS, type PartTotal } from './part-totals.ts';

/** A role of a row for which a metric is an input. `rank` is the position of the row in all tables. */
export interface RowRole {
  row: DerivedMetric;
  rank: number;
  role: string;
}

const byName = new Map<string, RowRole[]>();
const byPattern: { pattern: RegExp; role: RowRole }[] = [];
for (const [rank, row] of AGENT_FAMILIES.flatMap(({ derived }) => derived).entries())
  for (const [role, names] of Object.entries(row.inputs))
    for (const name of names) {
      const entry = { row, rank, role };
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
  return [...named, ...matched].filter(({ row }) => row.kind === part?.kind && appliesTo(row, part));
}

/** File systems of memory, of images and of the network have no used_percent, on which rules about full disks look. */
function appliesTo({ metric }: DerivedMetric, part: HostPart | null): boolean {
  if (part?.kind !== 'filesystem') return true;
  return !metric.endsWith('used_percent') || isMeasuredFileSystem(part);
}

/** The totals of the host to which a metric of a part belongs. */
export function totalsOf({ kind }: HostPart, metric: string): PartTotal[] {
  return PART_TOTALS.filter((total) => total.kind === kind && total.of === metric);
}
