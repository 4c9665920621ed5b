import { isText, type JsonForm, jsonPoint, readCommon } from './json-series.ts';
import { seriesTypeOf } from './series-types.ts';

const RESOURCES_RULE = 'resources must be a list of objects with the texts type and name';

/** Host and device of a series by its resources; undefined if these are not valid. */
function placeOf(resources: unknown): { host: string; device: string } | undefined {
  const place = { host: '', device: '' };
  if (resources === undefined || resources === null) return place;
  if (!Array.isArray(resources)) return undefined;
  for (const resource of resources) {
    if (resource === null || typeof resource !== 'object') return undefined;
    const { type, name } = resource as Record<string, unknown>;
    if (!isText(type) || !isText(name)) return undefined;
    if (type === 'host') place.host = name;
    else if (type === 'device') place.device = name;
  }
  return place;
}

/** The JSON of `/api/v2/series`: host and device are resources, types are numbers, and points are objects. */
export const JSON_FORM_2: JsonForm = {
  read(entry) {
    const common = readCommon(entry);
    if (isText(common)) return common;
    const place = placeOf(entry['resources']);
    if (place === undefined) return RESOURCES_RULE;
    const type = seriesTypeOf(entry['type'] ?? 0);
    if (type === undefined) return 'type must be 0, 1 (count), 2 (rate) or 3 (gauge)';
    return { ...common, ...place, type };
  },
  pointOf(point) {
    if (point === null || typeof point !== 'object') return undefined;
    const { timestamp, value } = point as Record<string, unknown>;
    return jsonPoint(timestamp, value);
  },
  pointRule: 'points must be objects with a timestamp in seconds and a number as value',
};
