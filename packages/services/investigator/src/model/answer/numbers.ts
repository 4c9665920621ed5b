import type { Evidence, Finding } from '@tidewatch/contracts/investigations/finding';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@tidewatch/contracts/time/duration';
import { cleanText } from '@tidewatch/domain/prompt-text/clean-text';
import { isMoment } from '@tidewatch/domain/prompt-text/moment';
import type { Case } from '../prompt/case.ts';
import { plainWords } from '../text/plain-words.ts';

const TIME =
  /\b(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)Z?)?\b|\b(\d{1,2}:\d{2}(?::\d{2})?)\b/g;
const NUMBER =
  /(?<![\p{L}\p{N}_.:/-])[+−-]?(\d{1,3}(?:[,\u202f ]\d{3})+(?!\d)|\d+)(\.\d+)?(?!\p{N})\s?(%|[\p{L}µ]+)?/gu;

/** Relative tolerance for rounded numbers. */
const ROUNDING_TOLERANCE = 0.01;
/** Whole numbers up to this need no evidence, as in "two hosts". */
const MAX_FREE_COUNT = 10;
/** Numbers of one piece of evidence whose differences and ratios are allowed. */
const MAX_COMPARED = 16;

/** Per unit that a model may write: the factors that may convert the measured number to a number in that unit. */
const FACTORS: readonly (readonly [unit: RegExp, factors: readonly number[]])[] = [
  [/^(%|percent|percentage)$/i, [1, 100]],
  [/^(ms|milliseconds?)$/i, [1, 1_000]],
  [/^(s|secs?|seconds?)$/i, [1, 1e-3]],
  [/^(m|mins?|minutes?)$/i, [1, 1 / 60, 1 / MINUTE_MS]],
  [/^(h|hrs?|hours?)$/i, [1, 1 / 60, 1 / 3_600, 1 / HOUR_MS]],
  [/^(d|days?)$/i, [1, 1 / 24, 1 / 86_400, 1 / DAY_MS]],
  [/^(k|ki?b|ki?bytes?|kilobytes?|kibibytes?|thousand)$/i, [1, 1e-3, 2 ** -10]],
  [/^(mi?b|megabytes?|mebibytes?|million)$/i, [1, 1e-6, 2 ** -20]],
  [/^(gi?b|gigabytes?|gibibytes?|billion)$/i, [1, 1e-9, 2 ** -30]],
  [/^(ti?b|terabytes?|tebibytes?)$/i, [1, 1e-12, 2 ** -40]],
];

/**
 * Finds a number or time in `words` that neither the cited evidence nor a finding that cites it contains; null where all
 * are supported. Allowed are rounding, other units, and differences, ratios and changes in percent of two numbers.
 * Digits in names are ignored.
 */
export function unsupportedNumber(words: string, of: Case, pieces: readonly Evidence[]): string | null {
  const ids = new Set(pieces.map((each) => each.id));
  const findings = of.findings.filter((finding) => finding.evidence_ids.some((id) => ids.has(id)));
  const spans = spansOf(of, pieces, findings);
  const nameless = withoutNames(words, of, pieces);
  for (const [time, date, clock, clockAlone] of nameless.matchAll(TIME)) {
    // A date supports a time of day. Without a date, a span of half a day or more would contain most times of day, so only
    // its ends and points do.
    const supporting = date === undefined ? [...spans.filter(isShort), ...moments(spans, pieces)] : spans;
    if (!supporting.some((span) => liesIn(span, date, clock ?? clockAlone))) return time;
  }
  const rest = nameless.replace(TIME, ' ');
  let measured: readonly number[] | undefined;
  for (const [spelled, whole = '', fraction = '', unit = ''] of rest.matchAll(NUMBER)) {
    const value = Number(whole.replace(/[^\d]/g, '') + fraction);
    if (fraction === '' && value <= MAX_FREE_COUNT) continue;
    measured ??= measuredIn(of, pieces, findings, spans);
    const factors = FACTORS.find(([known]) => known.test(unit))?.[1] ?? [1];
    const precision = 0.5 * 10 ** -Math.max(0, fraction.length - 1);
    const isMeasured = measured.some((each) =>
      factors.some((factor) => isNear(value, each * factor, precision)),
    );
    if (!isMeasured) return spelled.trim();
  }
  return null;
}

function isNear(value: number, measured: number, precision: number): boolean {
  const size = Math.abs(measured);
  return Math.abs(value - size) <= Math.max(precision * 1.0001, ROUNDING_TOLERANCE * size);
}

function withoutNames(words: string, of: Case, pieces: readonly Evidence[]): string {
  const names = new Set<string>();
  const add = (name: string | null) => {
    if (name !== null && /\d/.test(name)) names.add(name);
  };
  add(of.host);
  add(of.metric);
  for (const finding of of.findings) {
    for (const name of [finding.host, finding.subject.name, finding.metric]) add(name);
    for (const { host } of [...finding.hosts, ...finding.unaffected_hosts]) add(host);
  }
  for (const piece of pieces) {
    for (const row of [piece.stats, ...piece.points]) {
      for (const cell of Object.values(row)) if (typeof cell === 'string' && !isMoment(cell)) add(cell);
    }
  }
  // Names in the form in which the model was shown them.
  const spelled = [...names]
    .map((each) => plainWords(cleanText(each, 160)))
    .filter((each) => /\p{L}/u.test(each));
  const byLength = spelled.sort((a, b) => b.length - a.length);
  return byLength.reduce((rest, name) => rest.replaceAll(name, ' '), words);
}

/** A time range of evidence or findings, ms since the epoch. */
type Span = readonly [from: number, to: number];

function spansOf(of: Case, pieces: readonly Evidence[], findings: readonly Finding[]): Span[] {
  const span = ({ from, to }: { from: string; to: string }): Span => [Date.parse(from), Date.parse(to)];
  return [
    span(of),
    ...pieces.map(span),
    ...findings.flatMap(({ baseline, observed }) =>
      [baseline, observed].flatMap((each) => (each === null ? [] : [span(each)])),
    ),
    ...findings.flatMap(({ started_at: at }) =>
      at === null ? [] : [[Date.parse(at), Date.parse(at)] satisfies Span],
    ),
  ];
}

function isShort([from, to]: Span): boolean {
  return to - from <= DAY_MS / 2;
}

/** The ends of spans and the times of points, as spans of length zero. */
function moments(spans: readonly Span[], pieces: readonly Evidence[]): Span[] {
  const cells = pieces.flatMap(({ points }) => points.flatMap((row) => Object.values(row)));
  const times = cells.flatMap((cell) => (typeof cell === 'string' && isMoment(cell) ? Date.parse(cell) : []));
  return [...spans.flat(), ...times].map((at): Span => [at, at]);
}

function liesIn([from, to]: Span, date: string | undefined, clock: string | undefined): boolean {
  const [start, end] = [from - MINUTE_MS, to + MINUTE_MS];
  if (clock === undefined)
    return Date.parse(`${date}T23:59:59.999Z`) >= start && Date.parse(`${date}`) <= end;
  const time = clock.padStart(clock.indexOf(':') === 1 ? clock.length + 1 : clock.length, '0');
  if (date !== undefined) return isWithin(Date.parse(`${date}T${time}Z`), start, end);
  for (let day = Math.floor(start / DAY_MS) * DAY_MS; day <= end; day += DAY_MS) {
    const at = day + Date.parse(`1970-01-01T${time}Z`);
    if (isWithin(at, start, end) || isWithin(at + DAY_MS / 2, start, end)) return true;
  }
  return false;
}

function isWithin(at: number, start: number, end: number): boolean {
  return at >= start && at <= end;
}

function measuredIn(
  of: Case,
  pieces: readonly Evidence[],
  findings: readonly Finding[],
  spans: readonly Span[],
): number[] {
  // The title of the investigation contains value and threshold of the alert.
  const numbers = numbersIn(of.title);
  for (const piece of pieces) {
    const stats = Object.values(piece.stats).flatMap(numbersIn);
    numbers.push(...stats, ...compared(stats.slice(0, MAX_COMPARED)), piece.points.length);
    for (const row of piece.points) numbers.push(...Object.values(row).flatMap(numbersIn));
  }
  const starts: number[] = [];
  for (const finding of findings) {
    const summaries = [finding.baseline, finding.observed].flatMap((each) =>
      each === null ? [] : [each.median, each.min, each.max],
    );
    numbers.push(...summaries, ...compared(summaries), finding.score, 100 * finding.score);
    numbers.push(...numbersIn(finding.title), ...numbersIn(finding.description));
    numbers.push(finding.hosts.length, finding.unaffected_hosts.length);
    numbers.push(finding.hosts.length + finding.unaffected_hosts.length);
    numbers.push(...[finding.baseline, finding.observed].flatMap((each) => each?.count ?? []));
    if (finding.started_at !== null) starts.push(Date.parse(finding.started_at));
  }
  for (const [from, to] of spans) numbers.push((to - from) / 1_000);
  const moments = [...starts, Date.parse(of.from), Date.parse(of.to)];
  for (const one of moments) for (const other of moments) numbers.push((one - other) / 1_000);
  return numbers;
}

function numbersIn(cell: number | string | null): number[] {
  if (typeof cell === 'number') return [cell];
  return cell === null ? [] : (cell.match(/\d+(?:\.\d+)?/g) ?? []).map(Number);
}

/**
 * Returns the difference, the ratio and the change in percent of every two numbers in the list, because the answer of the
 * model may state these too.
 */
function compared(numbers: readonly number[]): number[] {
  return numbers.flatMap((one) =>
    numbers.flatMap((other) =>
      one === other
        ? []
        : [one - other, ...(other === 0 ? [] : [one / other, (100 * (one - other)) / other])],
    ),
  );
}
