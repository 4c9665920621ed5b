import { z } from 'zod';
import { CONDITIONS } from './condition.ts';

export const conditionSchema = z.enum(CONDITIONS).meta({
  description:
    'How the value is compared with the threshold. `between` and `not_between` include both thresholds in the range.',
  examples: ['greater_than'],
});
