import type { PairsResult } from '../scenarios/pairs.ts';
import { number, table } from './table.ts';

export function pairsTable(result: PairsResult): string {
  const { pairs, hosts, firing, pending, changed } = result;
  return table(
    ['pairs of rule and host', 'figure'],
    [
      ['hosts, pairs', `${number(hosts)}, ${number(pairs)}`],
      ['firing, pending', `${number(firing)}, ${number(pending)}`],
      ['bytes a pair', number(result.bytesAPair)],
      ['until all were stored', `${number(result.beganSeconds, 1)} s`],
      ['from the kill until ready', `${number(result.readySeconds, 1)} s`],
      ['from the kill until every host was judged', `${number(result.judgedSeconds, 1)} s`],
      ['from a SIGTERM until ready again', `${number(result.restarted.readySeconds, 1)} s`],
      ['from a SIGTERM until every host was judged', `${number(result.restarted.judgedSeconds, 1)} s`],
      ['bytes a pair once restored', number(result.restoredBytesAPair)],
      ['not as before the kill', number(changed)],
    ],
  );
}

/** Whether all of them began, and none changed by the restart. */
export function arePairsRight({ pairs, firing, pending, changed }: PairsResult): boolean {
  return firing + pending === pairs && firing === pending && changed === 0;
}
