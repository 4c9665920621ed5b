import { reliability } from '../score/figures.ts';
import type { Outcome } from '../score/outcome.ts';
import { document, label } from './chart.ts';

const SIZE = 320;
const EDGE = 44;

/** Draws how often the first finding was the cause, by its score; a larger dot stands for more investigations. */
export function reliabilityDiagram(outcomes: readonly Outcome[]): string {
  const at = (value: number) => EDGE + value * (SIZE - 2 * EDGE);
  const bins = reliability(outcomes).filter(({ count }) => count > 0);
  const total = bins.reduce((sum, { count }) => sum + count, 0);
  const dots = bins.map(({ said, was, count }) => {
    const radius = 3 + 14 * Math.sqrt(count / total);
    return `<circle cx="${at(said).toFixed(1)}" cy="${(SIZE - at(was)).toFixed(1)}" r="${radius.toFixed(1)}" fill="#2a6fb0" fill-opacity="0.7"/>${label(at(said) + radius + 2, SIZE - at(was) + 4, String(count))}`;
  });
  return document(
    'Share that was the cause, by score',
    [
      `<rect x="${EDGE}" y="${EDGE}" width="${SIZE - 2 * EDGE}" height="${SIZE - 2 * EDGE}" fill="none" stroke="#ddd"/>`,
      `<line x1="${EDGE}" y1="${SIZE - EDGE}" x2="${SIZE - EDGE}" y2="${EDGE}" stroke="#888" stroke-dasharray="4 4"/>`,
      ...[0, 0.5, 1].flatMap((value) => [
        label(at(value) - 8, SIZE - EDGE + 16, String(value)),
        label(EDGE - 24, SIZE - at(value) + 4, String(value)),
      ]),
      ...dots,
      label(SIZE / 2 - 40, SIZE - 8, 'score that was said'),
    ],
    SIZE,
    SIZE,
  );
}
