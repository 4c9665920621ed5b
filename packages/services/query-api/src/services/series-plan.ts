import { faultProblem } from '@tidewatch/contracts/problems/problem';
import { type PlanFault, planSeries, type SeriesPlan, type SeriesRange } from '@tidewatch/domain/rollup/plan';
import { parseStep } from '@tidewatch/domain/rollup/step';

/** Where a request has its range: `step` as text, and `to` if it names its end. */
interface Requested {
  in: 'query' | 'body';
  step: string | undefined;
  to: number | undefined;
}

/** Plans the steps of the series that a request asks for. Throws 422 for a step or range that cannot be answered. */
export function planRequested(requested: Requested, range: Omit<SeriesRange, 'stepMs'>): SeriesPlan {
  const stepMs = requested.step === undefined ? null : parseStep(requested.step);
  if (stepMs === undefined)
    throw faultProblem(
      requested.in,
      '/step',
      'invalid_format',
      'Must be whole seconds, or a number with s, m, h or d.',
    );
  const planned = planSeries({ ...range, stepMs });
  if ('plan' in planned) return planned.plan;
  throw planProblem(requested, planned.fault);
}

function planProblem({ in: place, to }: Requested, fault: PlanFault) {
  if (fault.code === 'empty_range' && to === undefined)
    return faultProblem(
      place,
      '/from',
      'out_of_range',
      'Must be before now, where the range ends without to.',
    );
  if (fault.code === 'empty_range') return faultProblem(place, '/to', 'out_of_range', 'Must be after from.');
  const seconds = fault.minStepMs / 1_000;
  const message = `Must be at least ${seconds} seconds for this range: a series has at most 11,000 points.`;
  return faultProblem(place, '/step', fault.code, message);
}
