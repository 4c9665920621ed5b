import { join } from 'node:path';
import type { Part } from '../part.ts';
import { evaluateRecorded } from '../recorded/evaluate.ts';
import { petshopSet } from '../recorded/parts.ts';
import { Recording } from '../recorded/recording.ts';
import { recordedReport } from '../recorded/report.ts';
import { evaluatePetshop } from './evaluate.ts';
import { petshopReport } from './report.ts';

/** The part that evaluates recorded incidents of a shop of about forty services. */
export const petshop: Part = {
  key: 'petshop',
  name: 'PetShop',
  run({ data, renamings, thorough }, print) {
    const directory = join(data, 'petshop');
    const figures = evaluatePetshop({ directory, seeds: renamings, thorough });
    const recording = Recording.open(directory);
    if (figures === null || recording === null) return null;
    print(petshopReport(figures));
    print(`\n${recordedReport(evaluateRecorded(petshopSet(recording), renamings))}`);
    return figures;
  },
};
