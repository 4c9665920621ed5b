import type { ComparedSystem } from './system.ts';
import { influxdb } from './systems/influxdb.ts';
import { prometheus } from './systems/prometheus.ts';
import { tidewatch } from './systems/tidewatch.ts';
import { victoriaMetrics } from './systems/victoria-metrics.ts';

/** The systems of the comparison, in the order of its tables. */
export const COMPARED_SYSTEMS: readonly ComparedSystem[] = [tidewatch, victoriaMetrics, prometheus, influxdb];
