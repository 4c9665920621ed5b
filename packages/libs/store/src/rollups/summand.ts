import { MAX_SUMMAND } from '@tidewatch/domain/rollup/summand';

/** SQL of the value that `column` contributes to a sum, as `summand` of the domain computes it; null stays null. */
export function summandOf(column: string): string {
  return `case when abs(${column}) <= ${MAX_SUMMAND}::float8 then ${column}
    else sign(${column}) * ${MAX_SUMMAND}::float8 end`;
}
