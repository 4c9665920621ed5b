import { join } from 'node:path';
import type { Part } from '../part.ts';
import { evaluatePetshop } from './evaluate.ts';
import { petshopReport } from './report.ts';

/** The part that evaluates recorded incidents of a shop of about forty services. */
export const petshop: Part = {
  key: 'petshop',
  name: 'PetShop',
  run({ data, renamings, thorough }, print) {
    const figures = evaluatePetshop({ directory: join(data, 'petshop'), seeds: renamings, thorough });
    if (figures !== null) print(petshopReport(figures));
    return figures;
  },
};
