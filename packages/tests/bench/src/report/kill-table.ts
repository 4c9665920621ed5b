import type { KillRound } from '../scenarios/kill.ts';
import { ledgerLine } from './load-table.ts';
import { number, table } from './table.ts';

export function killTable(round: KillRound, kills: number): string {
  const { alerts } = round;
  const compared =
    alerts === null
      ? 'not compared: the outcome of a request stayed unknown'
      : `${alerts.expected} / ${alerts.missing.length} / ${alerts.unexpected.length}`;
  const lines = table(
    ['figure', 'value'],
    [
      ['kills', String(kills)],
      ['payloads acknowledged', number(round.payloads)],
      ['longest restart until ready', `${number(round.restartSeconds, 1)} s`],
      ['alerts expected / missing / unexpected', compared],
    ],
  );
  const faults = [
    ...round.report.examples,
    ...round.rollupDifferences.slice(0, 5),
    ...(alerts?.missing.slice(0, 5) ?? []),
    ...(alerts?.unexpected.slice(0, 5) ?? []),
  ];
  return `${lines}\n\n${ledgerLine(round.report)}\n${faults.join('\n')}`;
}
