import { formatValue } from '../../components/number/number-format.ts';

/** "87.4 %" of a value in percent; "–" without one, empty where no value is shown. */
export function percentText(value: number | undefined): string {
  return value === undefined ? '' : formatValue(value, 'percent');
}

/**
 * A name in so much room as `width` allows by `measure`: whole, or without a part of its middle. Hosts of one kind differ at the end
 * of their names, and kinds at the beginning.
 */
export function fittedName(name: string, width: number, measure: (text: string) => number): string {
  if (measure(name) <= width) return name;
  const characters = [...name];
  let [fits, tooMany] = [1, characters.length];
  while (tooMany - fits > 1) {
    const count = Math.floor((fits + tooMany) / 2);
    if (measure(shortened(characters, count)) <= width) fits = count;
    else tooMany = count;
  }
  return shortened(characters, fits);
}

function shortened(characters: readonly string[], count: number): string {
  const end = Math.ceil(count / 2);
  return `${characters.slice(0, count - end).join('')}…${characters.slice(-end).join('')}`;
}
