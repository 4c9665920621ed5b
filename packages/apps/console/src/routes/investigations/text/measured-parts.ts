import type { Evidence, Finding, Investigation } from '../investigation-reads.ts';
import { containsNumber } from './number-in-evidence.ts';

/** A part of a text: words, a number with the evidence that it was computed from, or a citation of evidence. */
export type TextPart =
  | { kind: 'words'; text: string }
  | { kind: 'number'; text: string; evidenceId: string }
  | { kind: 'citation'; evidenceId: string };

/** The id of the evidence that a number was computed from; null if none has it. */
export type EvidenceOf = (number: string) => string | null;

const QUOTED = '"[^"]*"';
const UNIT = '%|[KMGTPE]iB(?:/s)?|B(?:/s)?|ms|s|min|h|d|seconds?|minutes?|hours?|days?';
const MOMENT = '(?:\\d{4}-\\d{2}-\\d{2} )?\\d{1,2}:\\d{2}(?::\\d{2})?(?: UTC)?';
const QUANTITY = `[+−-]?\\d+(?:,\\d{3})*(?:\\.\\d+)?(?:e[+-]?\\d+)?(?:\\s?(?:${UNIT}))?`;
/** A number or time that is no part of a name such as `web-01` or `10.0.0.1`. */
const NUMBER = `(?<![\\p{L}\\p{N}_.:/-])(?<number>${MOMENT}|${QUANTITY})(?![\\p{L}\\p{N}_/]|[-:.,]\\p{N}|-\\p{L})`;
/** The evidence that a model cites for what it says stands behind it: `[evd_…] [evd_…]`. */
const CITATIONS = /((?:\s*\[evd_[0-9a-f]{32}\])+)/;
const SYNTAX = /[\^$.*+?()[\]{}|/\\]/g;
const CITED = /evd_[0-9a-f]{32}/g;

/** What the texts of one investigation have in common. */
export interface Measured {
  evidence: ReadonlyMap<string, Evidence>;
  /** Finds numbers, and names with digits: `numberPattern`. */
  pattern: RegExp;
}

/**
 * Splits a text where numbers stand. Digits in quotation marks and in names are no numbers. A number before citations was
 * computed from the evidence that they cite.
 */
export function measuredParts(
  text: string,
  evidenceOf: EvidenceOf,
  { evidence, pattern }: Measured,
): TextPart[] {
  const pieces = text.split(CITATIONS);
  return pieces.flatMap((piece, index): TextPart[] => {
    if (index % 2 === 1) return citationsIn(piece, evidence);
    const cited = (pieces[index + 1]?.match(CITED) ?? []).flatMap((id) => evidence.get(id) ?? []);
    return numbersIn(piece, cited.length === 0 ? evidenceOf : evidenceIn(cited), pattern);
  });
}

function citationsIn(piece: string, evidence: ReadonlyMap<string, Evidence>): TextPart[] {
  return (piece.match(CITED) ?? []).flatMap((evidenceId): TextPart[] =>
    evidence.has(evidenceId)
      ? [
          { kind: 'words', text: ' ' },
          { kind: 'citation', evidenceId },
        ]
      : [{ kind: 'words', text: ` [${evidenceId}]` }],
  );
}

function numbersIn(text: string, evidenceOf: EvidenceOf, pattern: RegExp): TextPart[] {
  const parts: TextPart[] = [];
  let end = 0;
  for (const match of text.matchAll(pattern)) {
    const number = match.groups?.['number'];
    const evidenceId = number === undefined ? null : evidenceOf(number);
    if (number === undefined || evidenceId === null) continue;
    if (match.index > end) parts.push({ kind: 'words', text: text.slice(end, match.index) });
    parts.push({ kind: 'number', text: number, evidenceId });
    end = match.index + number.length;
  }
  if (end < text.length) parts.push({ kind: 'words', text: text.slice(end) });
  return parts;
}

/** The pattern of the numbers in texts that name these hosts, metrics and programs. */
export function numberPattern(names: readonly string[]): RegExp {
  const spelled = names
    .filter((name) => /\p{N}/u.test(name))
    .sort((a, b) => b.length - a.length)
    .map((name) => `(?<![\\p{L}\\p{N}])${name.replace(SYNTAX, '\\$&')}(?![\\p{L}\\p{N}])`);
  return new RegExp([...spelled, QUOTED, NUMBER].join('|'), 'gu');
}

/** Finds a number in the pieces that something cites. A number that none of them has was computed from the first. */
export function evidenceIn(pieces: readonly Evidence[]): EvidenceOf {
  return (number) => (pieces.find((piece) => containsNumber(piece, number)) ?? pieces[0])?.id ?? null;
}

/** Finds a number in pieces of evidence; null where none of them has it. */
export function evidenceWith(pieces: readonly Evidence[]): EvidenceOf {
  return (number) => pieces.find((piece) => containsNumber(piece, number))?.id ?? null;
}

/** Finds a number of the analysis in the findings that it repeats, titles first. */
export function evidenceOfFindings(
  findings: readonly Finding[],
  evidence: ReadonlyMap<string, Evidence>,
): EvidenceOf {
  return (number) => {
    const alone = new RegExp(
      `(?<![\\p{L}\\p{N}.,:-])${number.replace(SYNTAX, '\\$&')}(?![\\p{N}]|[.,:]\\p{N})`,
      'u',
    );
    const finding =
      findings.find(({ title }) => alone.test(title)) ??
      findings.find(({ description }) => alone.test(description)) ??
      findings.find(({ score }) => score.toFixed(2) === number);
    return finding === undefined ? null : evidenceIn(citedBy(finding, evidence))(number);
  };
}

/** The pieces of evidence that a finding, an entry of the timeline or a recommendation cites. */
export function citedBy(
  { evidence_ids: ids }: { evidence_ids: readonly string[] },
  evidence: ReadonlyMap<string, Evidence>,
): Evidence[] {
  return ids.flatMap((id) => evidence.get(id) ?? []);
}

/** The names in the texts of an investigation, whose digits are no numbers. */
export function namesIn({
  host,
  metric,
  findings,
}: Pick<Investigation, 'host' | 'metric' | 'findings'>): string[] {
  const names = findings.flatMap((finding) => [
    finding.host,
    finding.metric,
    finding.subject.name,
    ...[...finding.hosts, ...finding.unaffected_hosts].map((other) => other.host),
  ]);
  return [...new Set([host, metric, ...names])].filter((name) => name !== null && name !== '') as string[];
}
