import type { MethodFigures, PetshopFigures } from './evaluate.ts';
import type { LeftOut } from './leave-one-out.ts';

/** The results as Markdown. */
export function petshopReport(figures: PetshopFigures): string {
  const { incidents, healthy, seeds, methods, named, namedRightly, falselyNamed } = figures;
  const scenarios = Object.keys(methods[0]?.byScenario ?? {});
  const head = `| ranking | top-1 | top-3 | MRR | top-1 by seed | ${scenarios.map((name) => `${name} top-1 / top-3`).join(' | ')} |`;
  return [
    `${incidents} incidents, hosts renamed ${seeds} times (95 % intervals over cases)`,
    head,
    `|---|---|---|---|---|${scenarios.map(() => '---|').join('')}`,
    ...methods.map((each) => methodRow(each, scenarios)),
    '',
    `Named a cause in ${named.toFixed(2)} of ${incidents} incidents, rightly in ${namedRightly.toFixed(2)}; falsely in ${falselyNamed.toFixed(2)} of ${healthy} healthy windows (means over seeds).`,
    ...leftOutRows(figures),
    ...variationRows(figures),
  ].join('\n');
}

function methodRow(
  { method, all, byScenario, seeds, intervals }: MethodFigures,
  scenarios: string[],
): string {
  const range = ([low, high]: readonly [number, number]) => `(${low.toFixed(2)}-${high.toFixed(2)})`;
  const parts = scenarios.map((name) => `${two(byScenario[name]?.top1)} / ${two(byScenario[name]?.top3)}`);
  return `| ${method} | ${two(all.top1)} ${range(intervals.top1)} | ${two(all.top3)} ${range(intervals.top3)} | ${two(all.reciprocal)} | ${two(seeds[0])}-${two(seeds[1])} | ${parts.join(' | ')} |`;
}

function leftOutRows({ leftOut }: PetshopFigures): string[] {
  if (leftOut.length === 0) return [];
  const total = (of: (one: LeftOut) => number) =>
    leftOut.reduce((sum, one) => sum + of(one), 0) / leftOut.length;
  return [
    '',
    'Parameters and threshold chosen on one scenario, tested on the other',
    '| chosen on | tested on | floor | half | flat | threshold | top-1 | top-3 | MRR | named | falsely |',
    '|---|---|---|---|---|---|---|---|---|---|---|',
    ...leftOut.map(
      ({ chosenOn, testedOn, parameters: p, threshold, place, named, falselyNamed }) =>
        `| ${chosenOn} | ${testedOn} | ${p.floorShare} | ${p.halfExcess} | ${p.flatExcess} | ${two(threshold)} | ${two(place.top1)} | ${two(place.top3)} | ${two(place.reciprocal)} | ${named} | ${falselyNamed} |`,
    ),
    `| both | | | | | | ${two(total(({ place }) => place.top1))} | ${two(total(({ place }) => place.top3))} | ${two(total(({ place }) => place.reciprocal))} | ${leftOut.reduce((sum, { named }) => sum + named, 0)} | ${leftOut.reduce((sum, { falselyNamed }) => sum + falselyNamed, 0)} |`,
  ];
}

function variationRows({ variations }: PetshopFigures): string[] {
  if (variations.length === 0) return [];
  return [
    '',
    'One parameter at a time',
    '| parameter | value | top-1 | top-3 | MRR | highest of a healthy window |',
    '|---|---|---|---|---|---|',
    ...variations.map(
      ({ name, value, place, healthy }) =>
        `| ${name} | ${value} | ${two(place.top1)} | ${two(place.top3)} | ${two(place.reciprocal)} | ${two(healthy)} |`,
    ),
  ];
}

function two(value: number | undefined): string {
  return (value ?? Number.NaN).toFixed(2);
}
