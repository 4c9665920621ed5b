import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Outcome } from '../score/outcome.ts';
import { DETECTOR_PICTURES } from './detector-pictures.ts';
import { reliabilityDiagram } from './reliability-diagram.ts';

/** Writes the pictures of docs/investigations.md: one for each detector, and one of these results. */
export function drawPictures(folder: string, outcomes: readonly Outcome[]): void {
  const into = resolve(process.env['INIT_CWD'] ?? '.', folder);
  mkdirSync(into, { recursive: true });
  for (const [name, draw] of Object.entries(DETECTOR_PICTURES))
    writeFileSync(join(into, `investigation-${name}.svg`), draw());
  writeFileSync(join(into, 'investigation-reliability.svg'), reliabilityDiagram(outcomes));
}
