import { SEVERITIES } from '@tidewatch/contracts/values/severity';
import type { AlertInstanceState, LevelState } from '@tidewatch/domain/alerting/alert-instance-state';
import type { RowSlab } from '@tidewatch/domain/series/row-slab';

type Levels = NonNullable<AlertInstanceState['levels']>;

const STATES = ['pending', 'firing', 'recovering'] as const satisfies readonly LevelState['state'][];
/**
 * The doubles of a row with the states of thresholds: for each severity when its breach began, then when its recovery
 * began; NaN for neither.
 */
const PENDING_SINCE = 0;
const CLEAR_SINCE = SEVERITIES.length;
/**
 * The words after the doubles hold the state of each severity: 0 for inactive, otherwise its index in `STATES` plus one.
 */
const STATE = 4 * SEVERITIES.length;

/** Writes the states of thresholds into a row of their own. */
export function writeLevels(slab: RowSlab, row: number, levels: Levels): void {
  for (const [place, severity] of SEVERITIES.entries()) {
    const level = levels[severity];
    slab.setWord(row, STATE + place, level === undefined ? 0 : 1 + STATES.indexOf(level.state));
    slab.setDouble(row, PENDING_SINCE + place, level?.pendingSince ?? Number.NaN);
    slab.setDouble(row, CLEAR_SINCE + place, level?.clearSince ?? Number.NaN);
  }
}

/** Reads the states of thresholds from a row. */
export function readLevels(slab: RowSlab, row: number): Levels {
  const levels: Levels = {};
  for (const [place, severity] of SEVERITIES.entries()) {
    const state = STATES[slab.word(row, STATE + place) - 1];
    if (state === undefined) continue;
    const clearSince = slab.double(row, CLEAR_SINCE + place);
    levels[severity] = {
      state,
      pendingSince: slab.double(row, PENDING_SINCE + place),
      clearSince: Number.isNaN(clearSince) ? null : clearSince,
    };
  }
  return levels;
}
