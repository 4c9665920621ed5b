import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { divideBlame } from '@tidewatch/domain/investigation/fleet/blame';
import type { RankedHost } from '@tidewatch/domain/investigation/fleet/rank-hosts';
import { type PropagatedIncident, propagate } from '../propagation/call-tree.ts';
import type { PropagationFigures } from '../propagation/figures.ts';
import { Random } from '../random.ts';
import { recordedFacts } from '../recorded/facts.ts';

const WIDTH = 720;
const ROW = 26;
const BAR_LEFT = 250;
/** The incident in the pictures: a delay two calls away from the front end. */
const SHOWN = { kind: 'delay', depth: 2 } as const;

/** Draws how one fault appears on each host, and how well each ranking method finds the causes of many faults. */
export function drawFleetPictures(folder: string, figures: readonly PropagationFigures[]): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'fleet-fault.svg'), faultPicture());
  writeFileSync(join(folder, 'fleet-ranking.svg'), rankingPicture(figures));
}

function rankingPicture(figures: readonly PropagationFigures[]): string {
  const scale = (value: number) => (WIDTH - BAR_LEFT - 60) * value;
  const rows = figures.flatMap(({ method, all }, nth) => {
    const y = 40 + nth * ROW;
    return [
      text(8, y + 13, method),
      `<rect x="${BAR_LEFT}" y="${y}" width="${scale(all.top3).toFixed(1)}" height="18" fill="#c9d8e8"/>`,
      `<rect x="${BAR_LEFT}" y="${y}" width="${scale(all.top1).toFixed(1)}" height="18" fill="#2b6ca3"/>`,
      text(BAR_LEFT + scale(all.top3) + 6, y + 13, `${all.top1.toFixed(2)} / ${all.top3.toFixed(2)}`),
    ];
  });
  const title = 'Cause first (dark) and among the first three (light), faults in trees of services';
  return svg(title, 50 + figures.length * ROW, rows);
}

/** Draws the five samples of the symptom and of the first suspects, each with its own scale and its score. */
function faultPicture(): string {
  const incident = firstShown();
  const { facts, names } = recordedFacts(incident.one, incident.payloads, new Random(1));
  const blame = divideBlame(facts);
  const cause = names.get(incident.cause);
  if (blame === null) throw new Error('the alerting host of the fault in the picture has no values');
  const rows = blame.suspects.slice(0, 5).map((suspect, nth) => {
    const y = 110 + nth * 70;
    const name = `${suspect.host}${suspect.host === cause ? ' (the cause)' : ''}`;
    const { correlation, movement } = suspect.best;
    const note = `together ${correlation.toFixed(3)}, strength ${movement.strength.toFixed(2)}, score ${suspect.blame.toFixed(2)}`;
    return [text(8, y + 24, name), text(8, y + 42, note), line(suspect, y, suspect.host === cause)];
  });
  const { values } = blame.ranking.symptom.window;
  const title = 'A delay that begins two calls below the alerting host, in five samples of five minutes';
  return svg(title, 130 + rows.length * 70, [
    text(8, 64, 'the alerting host'),
    polyline(values, 40, '#b3392b'),
    ...rows.flat(),
  ]);
}

function firstShown(): PropagatedIncident {
  for (let seed = 1; ; seed++) {
    const incident = propagate(seed);
    if (incident?.kind === SHOWN.kind && incident.depth === SHOWN.depth) return incident;
  }
}

function line({ best }: RankedHost, y: number, cause: boolean): string {
  return polyline(best.window.values, y, cause ? '#2b6ca3' : '#888888');
}

function polyline(values: Float64Array, y: number, color: string): string {
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const step = (WIDTH - 360 - 20) / Math.max(1, values.length - 1);
  const points = Array.from(values, (value, i) => {
    const height = most > least ? (value - least) / (most - least) : 0;
    return `${(360 + i * step).toFixed(1)},${(y + 50 - 44 * height).toFixed(1)}`;
  });
  return `<polyline points="${points.join(' ')}" fill="none" stroke="${color}" stroke-width="2"/>`;
}

function text(x: number, y: number, content: string): string {
  return `<text x="${x.toFixed(0)}" y="${y.toFixed(0)}">${escaped(content)}</text>`;
}

function escaped(content: string): string {
  return content.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}

function svg(title: string, height: number, parts: readonly string[]): string {
  const content = [text(8, 20, title), ...parts].join('\n');
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" font-family="sans-serif" font-size="13"><title>${escaped(title)}</title><rect width="${WIDTH}" height="${height}" fill="#ffffff"/>\n${content}\n</svg>\n`;
}
