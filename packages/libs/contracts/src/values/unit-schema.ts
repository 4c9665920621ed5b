import { z } from 'zod';
import { UNITS } from './unit.ts';

export const unitSchema = z
  .enum(UNITS)
  .nullable()
  .meta({
    description: "The metric's unit, which follows from its name; null where the name implies none.",
    examples: ['percent'],
  });
