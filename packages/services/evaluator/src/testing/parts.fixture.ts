import { type PartValues, shapeOf } from '@tidewatch/contracts/ingest/part-shape';

/** A part of a payload; its labels are not sent unless they are given. */
export interface SentPart {
  kind?: string;
  name: string;
  labels?: Record<string, string>;
  metrics: Record<string, number>;
}

/** The member `parts` of a payload; parts are filesystems unless they have a kind. */
export function partsOf(...parts: readonly SentPart[]): { parts: PartValues } {
  const ends: number[] = [];
  for (const { metrics } of parts) ends.push((ends.at(-1) ?? 0) + Object.keys(metrics).length);
  const shape = shapeOf({
    kinds: parts.map(({ kind }) => kind ?? 'filesystem'),
    names: parts.map(({ name }) => name),
    labels: parts.map(({ labels }) => labels ?? null),
    metrics: parts.flatMap(({ metrics }) => Object.keys(metrics)),
    ends,
  });
  return { parts: { shape, values: parts.flatMap(({ metrics }) => Object.values(metrics)) } };
}

/** Filesystems with how full they are, percent. */
export const filesystems = (used: Record<string, number>): { parts: PartValues } =>
  partsOf(...Object.entries(used).map(([name, percent]) => ({ name, metrics: { used_percent: percent } })));
