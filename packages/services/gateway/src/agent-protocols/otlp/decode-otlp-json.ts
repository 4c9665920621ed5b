import { exampleOf, refusalOf } from '../points/label-list.ts';
import type { PointDecoder, PointSink } from '../series/point-sink.ts';
import type { SeriesType } from '../series/sent-series.ts';
import { MalformedBodyError } from '../wire/malformed-body-error.ts';
import { parseJsonBody } from '../wire/parse-json-body.ts';
import { histogramType, sumType } from './aggregation.ts';
import {
  booleanOf,
  enumerationOf,
  isAbsent,
  type JsonObject,
  objectOf,
  objectsOf,
  textOf,
} from './json/json-members.ts';
import { attributeTexts, JsonPoints } from './json/json-points.ts';

/** The max depth of a body: a value may nest 64 deep, each of them in up to four lists and objects. */
const MAX_DEPTH = 300;

/** How many points, metrics or resources are read before other requests are served. */
const TURN = 1_000;

const TEMPORALITIES = [
  'AGGREGATION_TEMPORALITY_UNSPECIFIED',
  'AGGREGATION_TEMPORALITY_DELTA',
  'AGGREGATION_TEMPORALITY_CUMULATIVE',
];

/** How the points of each kind of metric are read, and what type their series have. */
interface Kind {
  isHistogram: boolean;
  /** Undefined for a type that cannot be stored. */
  typeOf(data: JsonObject): SeriesType | undefined;
  read(points: JsonPoints, point: JsonObject): void;
}

const temporalityOf = (data: JsonObject) =>
  enumerationOf(data['aggregationTemporality'], TEMPORALITIES, 'aggregationTemporality');

const KINDS: Record<string, Kind> = {
  gauge: { isHistogram: false, typeOf: () => 'gauge', read: (points, point) => points.number(point) },
  sum: {
    isHistogram: false,
    typeOf: (data) => sumType(temporalityOf(data), booleanOf(data['isMonotonic'], 'isMonotonic')),
    read: (points, point) => points.number(point),
  },
  histogram: {
    isHistogram: true,
    typeOf: (data) => histogramType(temporalityOf(data)),
    read: (points, point) => points.histogram(point),
  },
  exponentialHistogram: {
    isHistogram: true,
    typeOf: (data) => histogramType(temporalityOf(data)),
    read: (points, point) => points.exponentialHistogram(point),
  },
  summary: { isHistogram: false, typeOf: () => 'gauge', read: (points, point) => points.summary(point) },
};

function parse(bytes: Buffer): JsonObject {
  const body = parseJsonBody(bytes, MAX_DEPTH);
  if (body === null) throw new MalformedBodyError('The body must be an object.');
  return objectOf(body, 'the body');
}

function kindOf(metric: JsonObject): string | undefined {
  const kinds = Object.keys(KINDS).filter((kind) => !isAbsent(metric[kind]));
  if (kinds.length > 1)
    throw new MalformedBodyError(`A metric must have one kind of data, and has ${kinds.join(' and ')}.`);
  return kinds[0];
}

/** Counts what is read; says when other requests have to be served. */
class Turns {
  #left = TURN;

  isOver(): boolean {
    this.#left -= 1;
    if (this.#left > 0) return false;
    this.#left = TURN;
    return true;
  }
}

function rejectionOf(
  name: string,
  type: SeriesType | undefined,
): 'unsupported_type' | 'invalid_name' | undefined {
  if (type === undefined) return 'unsupported_type';
  return name === '' || !name.isWellFormed() ? 'invalid_name' : undefined;
}

/** Reads one metric of a resource whose attributes are these. */
function* readMetric(
  metric: JsonObject,
  resource: string[] | undefined,
  points: JsonPoints,
  sink: PointSink,
  turns: Turns,
): Generator<undefined, void, undefined> {
  const name = textOf(metric['name'], 'name');
  const unit = textOf(metric['unit'], 'unit').toWellFormed();
  const kind = kindOf(metric);
  if (kind === undefined) return;
  const data = objectOf(metric[kind], kind);
  const { isHistogram, typeOf, read } = KINDS[kind] as Kind;
  const type = typeOf(data);
  const sent = objectsOf(data['dataPoints'], 'dataPoints');
  const refusal = rejectionOf(name, type);
  if (type === undefined || refusal !== undefined) {
    const reason = refusal ?? 'unsupported_type';
    const example = refusalOf(reason, exampleOf(name, []));
    if (sent.length > 0 && isHistogram) sink.rejectHistograms(reason, sent.length, example);
    else if (sent.length > 0) sink.reject(reason, sent.length, example);
    return;
  }
  points.metric = { name, unit, type, labels: [], resource };
  for (const point of sent) {
    read(points, point);
    if (turns.isOver()) yield;
  }
}

/** Decodes bodies of OTLP in JSON (`ExportMetricsServiceRequest`, with names in lowerCamelCase). Unknown members are ignored. */
export const decodeOtlpJson: PointDecoder = function* decode(bytes, sink) {
  const points = new JsonPoints(sink);
  const turns = new Turns();
  for (const one of objectsOf(parse(bytes)['resourceMetrics'], 'resourceMetrics')) {
    const resource = attributeTexts(objectOf(one['resource'], 'resource')['attributes']);
    for (const scope of objectsOf(one['scopeMetrics'], 'scopeMetrics'))
      for (const metric of objectsOf(scope['metrics'], 'metrics')) {
        if (turns.isOver()) yield;
        yield* readMetric(metric, resource, points, sink, turns);
      }
    if (turns.isOver()) yield;
  }
};
