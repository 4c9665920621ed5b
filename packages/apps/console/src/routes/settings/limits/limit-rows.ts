import type { components } from '@tidewatch/api-client/generated/api';
import type { PageName } from '@tidewatch/contracts/console/paths';
import { formatValue } from '../../../components/number/number-format.ts';

export type Limits = components['schemas']['Limits'];

/** A limit with its use. Without a limit, `limit` is null. */
export interface LimitRow {
  name: string;
  unit: 'count' | 'bytes';
  used: number | null;
  limit: number | null;
  /** The setting that raises it. */
  setting: string;
  /** The list that has what is counted. */
  page?: PageName;
}

/** Shares from which on a limit is nearly reached. */
const WARNING_SHARE = 0.8;

/** The limits in the order of the page. */
export function limitRows({ requests, samples, ...stored }: Limits): LimitRow[] {
  const {
    series,
    parts_per_host,
    part_series_per_host,
    rules,
    channels,
    silences,
    keys,
    markers,
    audit_bytes,
  } = stored;
  return [
    {
      name: 'Requests of this key in this minute',
      unit: 'count',
      used: requests.used,
      limit: requests.per_minute,
      setting: 'TIDEWATCH_RATE_LIMIT_PER_MINUTE, or of the key',
    },
    {
      name: 'Samples a minute',
      unit: 'count',
      // What may be sent at once falls below 0 after a request that was larger than a minute.
      used:
        samples.per_minute === null || samples.available === null
          ? null
          : samples.per_minute - samples.available,
      limit: samples.per_minute,
      setting: 'TIDEWATCH_SAMPLES_PER_MINUTE',
    },
    { name: 'Active series', unit: 'count', ...series, setting: 'TIDEWATCH_SERIES_LIMIT' },
    {
      name: 'Active parts of the host with the most',
      unit: 'count',
      ...parts_per_host,
      setting: 'TIDEWATCH_HOST_PARTS_LIMIT',
    },
    {
      name: 'Active series of parts of the host with the most',
      unit: 'count',
      ...part_series_per_host,
      setting: 'TIDEWATCH_HOST_PART_SERIES_LIMIT',
    },
    { name: 'Alert rules', unit: 'count', ...rules, setting: 'TIDEWATCH_RULES_LIMIT', page: 'rules' },
    { name: 'Channels', unit: 'count', ...channels, setting: 'TIDEWATCH_CHANNELS_LIMIT', page: 'channels' },
    {
      name: 'Silences that have not ended',
      unit: 'count',
      ...silences,
      setting: 'TIDEWATCH_SILENCES_LIMIT',
      page: 'silences',
    },
    { name: 'Valid keys', unit: 'count', ...keys, setting: 'TIDEWATCH_KEYS_LIMIT', page: 'keys' },
    { name: 'Markers', unit: 'count', ...markers, setting: 'TIDEWATCH_MARKERS_LIMIT', page: 'markers' },
    {
      name: 'Audit records in this hour',
      unit: 'bytes',
      ...audit_bytes,
      setting: 'TIDEWATCH_AUDIT_BYTES_PER_HOUR',
      page: 'audit',
    },
  ];
}

/** How much of a limit is used, 0 to 1 and beyond; null where there is no limit. */
export function shareOf({ used, limit }: Pick<LimitRow, 'used' | 'limit'>): number | null {
  if (used === null || limit === null) return null;
  return limit === 0 ? 1 : used / limit;
}

/** A share in percent; what is used of a large limit never reads as nothing. */
export function shareText(share: number): string {
  return share > 0 && share < 0.001 ? '< 0.1 %' : formatValue(Math.floor(share * 1_000) / 10, 'percent');
}

/** The status of a share: critical once nothing is left. */
export function statusOf(share: number): 'critical' | 'warning' | null {
  if (share >= 1) return 'critical';
  return share >= WARNING_SHARE ? 'warning' : null;
}
