import { stepPlace } from '../filter.ts';
import type { MapPicture } from './map-picture.ts';
import { percentText } from './tile-text.ts';

/** The positions of the cells that look otherwise than before; null where the cells have moved and all are to be drawn. */
export function changedCells(before: MapPicture, after: MapPicture): number[] | null {
  if (before.fill !== after.fill || before.order.length !== after.order.length) return null;
  const [a, b] = [before.layout, after.layout];
  if (
    a.cell !== b.cell ||
    a.width !== b.width ||
    a.columns !== b.columns ||
    a.groups.length !== b.groups.length
  )
    return null;
  if (a.groups.some((group, index) => group.first !== b.groups[index]?.first)) return null;
  // Of ten thousand hosts few have changed: whatever is the same for all is compared once, not for each.
  const { ids: oldIds, status: oldStatus } = before.hosts;
  const { ids, status } = after.hosts;
  const hasSameRows = oldIds === ids;
  const hasSameSelection = before.selected === after.selected;
  const [oldValues, values] = [valuesIn(before), valuesIn(after)];
  const changed: number[] = [];
  for (let position = 0; position < after.order.length; position += 1) {
    const old = before.order[position] as number;
    const row = after.order[position] as number;
    if (
      (hasSameRows ? old !== row : oldIds[old] !== ids[row]) ||
      oldStatus[old] !== status[row] ||
      hasOtherStep(oldValues?.[old], values?.[row]) ||
      (a.hasValues && percentText(oldValues?.[old]) !== percentText(values?.[row])) ||
      (!hasSameSelection &&
        before.selected.has(oldIds[old] as string) !== after.selected.has(ids[row] as string))
    )
      changed.push(position);
  }
  return changed;
}

/** The values that colour the cells; null where their colour is that of the status. */
function valuesIn({ hosts, fill }: MapPicture): Float64Array | null {
  return fill === 'status' ? null : hosts.metrics[fill];
}

function hasOtherStep(old: number | undefined, value: number | undefined): boolean {
  return old !== value && stepPlace(old ?? Number.NaN) !== stepPlace(value ?? Number.NaN);
}
