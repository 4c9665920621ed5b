import { PartShapes } from '@tidewatch/contracts/ingest/part-shapes';

/** The shapes of the parts of hosts, whether they were scanned or parsed. */
export const shapes = new PartShapes();

/** The lists that `parts` of a payload become. */
export class PartLists {
  readonly kinds: string[] = [];
  readonly names: string[] = [];
  readonly labels: (Record<string, string> | null)[] = [];
  readonly metrics: string[] = [];
  readonly ends: number[] = [];
  readonly values: number[] = [];
}
