import type { SeriesType } from '../series/sent-series.ts';
import { isText, type JsonForm, jsonPoint, optionalText, readCommon } from './json-series.ts';

/** A rate was divided by its interval already. */
const TYPES: ReadonlyMap<string, SeriesType> = new Map([
  ['gauge', 'gauge'],
  ['rate', 'gauge'],
  ['count', 'delta'],
]);

/** The JSON of `/api/v1/series`: host and device are members, types are texts, and points are lists of two. */
export const JSON_FORM_1: JsonForm = {
  read(entry) {
    const common = readCommon(entry);
    if (isText(common)) return common;
    const host = optionalText(entry, 'host');
    if (host === undefined) return 'host must be a text';
    const device = optionalText(entry, 'device');
    if (device === undefined) return 'device must be a text';
    const kind = optionalText(entry, 'type');
    const type = kind === undefined ? undefined : TYPES.get(kind || 'gauge');
    if (type === undefined) return 'type must be gauge, rate or count';
    return { ...common, host, device, type };
  },
  pointOf: (point) =>
    Array.isArray(point) && point.length === 2 ? jsonPoint(point[0], point[1]) : undefined,
  pointRule: 'points must be lists of a time in seconds and a number',
};
