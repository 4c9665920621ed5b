import type { StormResult, Turn } from '../scenarios/storm.ts';
import { peakRows } from './peak-rows.ts';
import { mebibytes, number, table } from './table.ts';

export function stormTable(result: StormResult): string {
  const { hosts, fired, resolved, mostInASecond, mostInTenSeconds, largest, idleNode, peaks } = result;
  return table(
    ['figure', 'value'],
    [
      ['hosts', number(hosts)],
      ['all fire', turnText(fired)],
      ['all resolve', turnText(resolved)],
      ['most messages in 1 s and in 10 s', `${number(mostInASecond)} and ${number(mostInTenSeconds)}`],
      ['largest message', `${number(largest / 1024)} KiB`],
      ['peak RSS of Node before', `${mebibytes(idleNode)} MiB`],
      ...peakRows(peaks),
    ],
  );
}

/** Whether every host was told of once in each turn. */
export function isStormTold({ fired, resolved }: StormResult): boolean {
  return [fired, resolved].every(({ lost, repeated }) => lost === 0 && repeated === 0);
}

function turnText({ single, digests, lost, repeated, seconds }: Turn): string {
  const messages = `${number(single)} messages of one host and ${number(digests)} digests`;
  const within = seconds === null ? 'never all' : `all within ${number(seconds, 1)} s`;
  return `${messages}, ${within}; ${number(lost)} hosts lost, ${number(repeated)} told twice`;
}
