import { MAX_SUMMAND } from '@tidewatch/domain/rollup/summand';

/** SQL of the value that `column` adds to a sum, the same as `summand` of the domain; null stays null. */
export function summandOf(column: string): string {
  return `case when abs(${column}) <= ${MAX_SUMMAND}::float8 then ${column}
    else sign(${column}) * ${MAX_SUMMAND}::float8 end`;
}
