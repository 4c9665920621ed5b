import type { FleetAnswer } from '@tidewatch/contracts/metrics/fleet-query';
import type { FleetSeries } from '@tidewatch/store/fleet/series';
import { JsonBytes } from '../http/json-bytes.ts';

const TIME = Buffer.from('{"t":');
const NEXT_TIME = Buffer.from(',{"t":');
const VALUE = Buffer.from(',"value":');
const END = Buffer.from('}');
const END_OF_SERIES = Buffer.from(']}');

/** The JSON text of a FleetAnswer, written directly from columns. */
export function fleetBody(head: Omit<FleetAnswer, 'series'>, series: readonly FleetSeries[]): JsonBytes {
  const json = new JsonBytes();
  json.bytes(Buffer.from(JSON.stringify({ ...head, series: [] }).slice(0, -2)));
  for (const [index, { group, host, part, at, value }] of series.entries()) {
    const opening = JSON.stringify({ group, host, part, points: [] }).slice(0, -2);
    json.bytes(Buffer.from(index === 0 ? opening : `,${opening}`));
    for (const [point, time] of at.entries()) {
      json.bytes(point === 0 ? TIME : NEXT_TIME);
      json.time(time);
      json.bytes(VALUE);
      json.number(value[point] as number);
      json.bytes(END);
    }
    json.bytes(END_OF_SERIES);
  }
  json.bytes(END_OF_SERIES);
  return json;
}
