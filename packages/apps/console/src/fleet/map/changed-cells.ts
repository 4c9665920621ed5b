import { stepPlace } from '../filter.ts';
import type { MapPicture } from './draw.ts';

/** The positions of the cells that look otherwise than before; null where the cells have moved and all are to be drawn. */
export function changedCells(before: MapPicture, after: MapPicture): number[] | null {
  if (before.fill !== after.fill || before.order.length !== after.order.length) return null;
  const [a, b] = [before.layout, after.layout];
  if (a.cell !== b.cell || a.columns !== b.columns || a.groups.length !== b.groups.length) return null;
  if (a.groups.some((group, index) => group.first !== b.groups[index]?.first)) return null;
  const changed: number[] = [];
  for (let position = 0; position < after.order.length; position += 1) {
    const [old, row] = [before.order[position] as number, after.order[position] as number];
    const [oldId, id] = [before.hosts.ids[old] as string, after.hosts.ids[row] as string];
    if (
      oldId !== id ||
      before.hosts.status[old] !== after.hosts.status[row] ||
      stepIn(before, old) !== stepIn(after, row) ||
      before.selected.has(oldId) !== after.selected.has(id)
    )
      changed.push(position);
  }
  return changed;
}

function stepIn({ hosts, fill }: MapPicture, row: number): number {
  return fill === 'status' ? 0 : stepPlace(hosts.metrics[fill][row] as number);
}
