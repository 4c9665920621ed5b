import { faultProblem } from '@tidewatch/contracts/problems/problem';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@tidewatch/contracts/time/duration';
import { parseTimestamp } from '@tidewatch/contracts/time/time';
import { thinned } from '@tidewatch/domain/prompt-text/shown-evidence';
import type { ApiAnswer, Tool, ToolArguments } from './tool.ts';

/** Steps of a range without a `step`, so that some metrics fit into one answer. */
const STEPS = 60;
const STEP_LENGTHS_MS = [
  MINUTE_MS,
  2 * MINUTE_MS,
  5 * MINUTE_MS,
  10 * MINUTE_MS,
  30 * MINUTE_MS,
  HOUR_MS,
  3 * HOUR_MS,
  12 * HOUR_MS,
  DAY_MS,
  7 * DAY_MS,
] as const;

const MAX_METRICS = 10;
const MAX_SERIES = 50;
const MAX_POINTS = 120;

/** A step that divides the range of the arguments into some 60; undefined for a range that the API refuses. */
function suitableStep({ from, to }: ToolArguments, now: number): string | undefined {
  const end = to === undefined ? now : parseTimestamp(String(to));
  const begin = from === undefined ? end && end - HOUR_MS : parseTimestamp(String(from));
  if (begin === undefined || end === undefined) return undefined;
  const length = STEP_LENGTHS_MS.find((ms) => (end - begin) / ms <= STEPS) ?? 30 * DAY_MS;
  return `${length / 1_000}s`;
}

/** Points as rows of these columns, which are named once; at most MAX_POINTS of a series, evenly spaced. */
function rowsOf(series: ApiAnswer, columns: readonly string[]): Record<string, unknown> {
  const points = thinned(series.points as ApiAnswer[], MAX_POINTS);
  return {
    ...series,
    points: points.map((point) => columns.map((column) => point[column])),
    ...(points.length < series.points.length && { points_left_out: series.points.length - points.length }),
  };
}

/** An answer with series: the first MAX_SERIES, with rows in place of points. */
function shownSeries({ series, ...head }: ApiAnswer, columns: readonly string[]): Record<string, unknown> {
  const shown = series.slice(0, MAX_SERIES);
  return {
    ...head,
    columns,
    series: shown.map((each: ApiAnswer) => rowsOf(each, columns)),
    ...(shown.length < series.length && { series_left_out: series.length - shown.length }),
  };
}

/** Tools that read metrics over time. */
export const METRIC_TOOLS: readonly Tool[] = [
  {
    name: 'list_metrics',
    title: 'List metrics',
    description:
      'Names and units of metrics, and how many hosts report each. Look a name up here before you query it.',
    operationId: 'listMetrics',
    query: ['q', 'sort'],
    list: 'metrics',
  },
  {
    name: 'query_host_metrics',
    title: 'Query metrics of a host',
    description:
      'Metrics of one host over time, of the last hour by default; each point is [t, avg, min, max] of a step. With subject of one of its containers or parts. For many hosts use query_metric.',
    operationId: 'getServiceMetrics',
    id: 'service_id',
    query: ['metrics', 'subject', 'from', 'to', 'step'],
    required: ['metrics'],
    schemas: {
      metrics: {
        type: 'array',
        items: { type: 'string' },
        description: `Names of metrics, at most ${MAX_METRICS}. Those of a part are without its kind, such as used_percent.`,
      },
    },
    queryOf: ({ metrics, ...given }, now) => ({
      ...given,
      step: given['step'] ?? suitableStep(given, now),
      metrics: listOfMetrics(metrics),
    }),
    shows: (answer) => shownSeries(answer, ['t', 'avg', 'min', 'max']),
  },
  {
    name: 'query_metric',
    title: 'Query a metric of many hosts',
    description:
      'One metric of many hosts or parts over time: together, by tag, host or part, or only the top few by their mean; each point is [t, value] of a step. Answers which hosts are the busiest, or how a group behaves.',
    operationId: 'queryMetric',
    body: ['metric', 'selector', 'from', 'to', 'step', 'aggregate', 'group_by', 'by', 'top'],
    schemas: {
      selector: {
        type: 'object',
        description:
          'Which hosts: {"hosts": ["web-*"], "tags": {"role": "api"}}, where * matches any characters; with a metric of parts also part and part_labels. All by default.',
      },
    },
    bodyOf: (given, now) => ({ ...given, step: given['step'] ?? suitableStep(given, now) }),
    shows: (answer) => shownSeries(answer, ['t', 'value']),
  },
];

/** The names as a list with commas. Throws 422 for too many. */
function listOfMetrics(given: unknown): string {
  const names = [given].flat();
  if (names.length > MAX_METRICS)
    throw faultProblem('query', '/metrics', 'too_many', `Must be at most ${MAX_METRICS} names.`);
  return names.map((name) => String(name).replace(/[\\",]/g, (sign) => `\\${sign}`)).join(',');
}
