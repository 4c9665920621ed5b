import { DAY_MS, HOUR_MS, MINUTE_MS } from '@tidewatch/contracts/time/duration';
import { parseTimestamp } from '@tidewatch/contracts/time/time';
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

/** A step that divides the range of the arguments into some 60; undefined for a range that the API refuses. */
function suitableStep({ from, to }: ToolArguments, now: number): string | undefined {
  const end = to === undefined ? now : parseTimestamp(String(to));
  const begin = from === undefined ? end && end - HOUR_MS : parseTimestamp(String(from));
  if (begin === undefined || end === undefined) return undefined;
  const length = STEP_LENGTHS_MS.find((ms) => (end - begin) / ms <= STEPS) ?? 30 * DAY_MS;
  return `${length / 1_000}s`;
}

/** Points as rows of numbers, whose columns are named once. */
function rowsOf(series: ApiAnswer): Record<string, unknown> {
  return {
    ...series,
    points: series.points.map(({ t, avg, min, max }: ApiAnswer) => [t, avg, min, max]),
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
      metrics: [metrics].flat().slice(0, MAX_METRICS).map(escaped).join(','),
    }),
    shows: ({ series, ...head }) => ({
      ...head,
      columns: ['t', 'avg', 'min', 'max'],
      series: series.map(rowsOf),
    }),
  },
  {
    name: 'query_metric',
    title: 'Query a metric of many hosts',
    description:
      'One metric of many hosts or parts over time: together, by tag, host or part, or only the top few by their mean. Answers which hosts are the busiest, or how a group behaves.',
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
  },
];

/** A name of a metric in a list with commas. */
function escaped(name: unknown): string {
  return String(name).replace(/[\\",]/g, (sign) => `\\${sign}`);
}
