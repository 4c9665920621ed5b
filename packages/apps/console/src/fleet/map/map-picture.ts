import type { Fill } from '../filter.ts';
import type { HostColumns } from '../fleet.ts';
import type { MapLayout } from './layout.ts';

/** Everything that the canvas of the map shows. */
export interface MapPicture {
  hosts: HostColumns;
  layout: MapLayout;
  /** The row of the host of each cell. */
  order: readonly number[];
  fill: Fill;
  selected: ReadonlySet<string>;
}
