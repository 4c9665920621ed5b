import type { HostileRound } from '../scenarios/hostile.ts';
import { peakRows } from './peak-rows.ts';
import { number, table } from './table.ts';

export function hostileTable(rounds: readonly HostileRound[], peaks: ReadonlyMap<string, number>): string {
  const rows = rounds.map(({ name, statuses, delayMs }): [string, string] => {
    const answers = [...statuses].map(([status, count]) => `${count} × ${status}`).join(', ');
    return [name, `${number(delayMs, 1)} ms, ${answers}`];
  });
  const worst = Math.max(...rounds.map((round) => round.delayMs));
  const longest: [string, string] = ['longest delay of the event loop', `${number(worst, 1)} ms`];
  return table(['body', 'longest delay, answers'], [...rows, longest, ...peakRows(peaks)]);
}
