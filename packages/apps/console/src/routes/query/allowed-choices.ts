import type { Fault } from '@tidewatch/api-client/problem';
import { DAY_MS, HOUR_MS, SECOND_MS } from '@tidewatch/contracts/time/duration';
import { stepWord } from '../../chart/data/provenance.ts';
import { stepFor } from '../../chart/data/step.ts';

/** A change of the query that the API allows in place of one that it refused. */
export interface AllowedChoice {
  label: string;
  change: { step?: number; top?: number; from?: string };
}

/** The narrowest chart that a step is chosen for has this many points for each step of the API's limit. */
const POINTS = 400;

/** What a refusal allows, as choices of the page. `rangeMs` is the length of the range that was asked for. */
export function allowedChoices(faults: readonly Fault[], rangeMs: number): AllowedChoice[] {
  const choices: AllowedChoice[] = [];
  for (const { path, code, message } of faults) {
    const groups = /at most (\d+) groups/.exec(message)?.[1];
    const seconds = /at least (\d+) seconds/.exec(message)?.[1];
    if (groups !== undefined) {
      choices.push({ label: `Top ${groups} groups`, change: { top: Math.min(Number(groups), 100) } });
      choices.push(stepChoice(stepFor(rangeMs, POINTS, null)));
    } else if (seconds !== undefined)
      choices.push(stepChoice(Math.max(stepFor(rangeMs, POINTS, null), Number(seconds) * SECOND_MS)));
    else if (path === '' && code === 'too_large') {
      // Rollups of hours and days are read in place of samples and minutes.
      choices.push(stepChoice(HOUR_MS), stepChoice(DAY_MS));
      if (rangeMs > HOUR_MS) choices.push({ label: 'Last hour', change: { from: '-1h' } });
    }
  }
  return choices;
}

function stepChoice(stepMs: number): AllowedChoice {
  return { label: `${stepWord(stepMs)} steps`, change: { step: stepMs / SECOND_MS } };
}
