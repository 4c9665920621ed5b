import type { Severity } from '@tidewatch/contracts/values/severity';
import type { Range } from '../data/range.ts';

export type LaneKind = 'alerts' | 'silences' | 'findings' | 'markers';

/** Something that happened, beneath the plot: a span, or a moment whose ends are the same. */
export interface LaneEntry extends Range {
  id: string;
  kind: LaneKind;
  /** What it is, as its button is named: "Alert: CPU is busy". */
  name: string;
  /** The metric that it is about; absent where it concerns the host. */
  metric?: string;
  severity?: Severity;
  /** The page with more about it. */
  page?: { name: 'alert'; id: string } | { name: 'investigation'; id: string; search?: { finding: string } };
}

/** Entries that lie too close to be distinguished, on one button. */
export interface LaneButton {
  /** Where the button begins and ends, as shares of the range. */
  left: number;
  right: number;
  entries: LaneEntry[];
}

/** The order of lanes. */
export const LANE_KINDS: readonly LaneKind[] = ['alerts', 'silences', 'findings', 'markers'];

/** The buttons of one lane from left to right. Entries outside of the range are left out. */
export function laneButtons(entries: readonly LaneEntry[], range: Range, minShare: number): LaneButton[] {
  const length = range.to - range.from;
  const share = (at: number) => Math.min(Math.max((at - range.from) / length, 0), 1);
  const buttons: LaneButton[] = [];
  const shown = entries.filter(({ from, to }) => to >= range.from && from <= range.to);
  shown.sort((a, b) => a.from - b.from);
  for (const entry of shown) {
    // A moment is in the middle of its button; what spans begins where it began.
    const isMoment = entry.from === entry.to;
    const begin = share(entry.from) - (isMoment ? minShare / 2 : 0);
    const left = Math.min(Math.max(begin, 0), 1 - minShare);
    const right = Math.max(share(entry.to), left + minShare);
    const last = buttons.at(-1);
    if (last !== undefined && left < last.left + minShare) {
      last.entries.push(entry);
      last.right = Math.max(last.right, right);
    } else {
      if (last !== undefined && last.right > left) last.right = left;
      buttons.push({ left, right, entries: [entry] });
    }
  }
  return buttons;
}

/** The span of a button's entries. */
export function spanOf({ entries }: LaneButton): Range {
  return {
    from: Math.min(...entries.map(({ from }) => from)),
    to: Math.max(...entries.map(({ to }) => to)),
  };
}
