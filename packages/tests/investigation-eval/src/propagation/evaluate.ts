import type { Part } from '../part.ts';
import { METHODS, type Method } from '../petshop/methods.ts';
import { meanPlace, type Place, placeOf } from '../petshop/place.ts';
import { drawFleetPictures } from '../pictures/fleet-pictures.ts';
import { Random } from '../random.ts';
import { recordedFacts } from '../recorded/facts.ts';
import { type PropagatedIncident, propagate } from './call-tree.ts';
import type { PropagationFigures } from './figures.ts';

/** The tested incidents, which were not inspected while the ranking was developed. */
const TESTED = { incidents: 300, firstSeed: 1_000_000 } as const;

/** The part that evaluates the ranking of hosts alone, on faults that pass through services. */
export const propagation: Part = {
  key: 'propagation',
  name: 'faults in trees of services (top-1 / top-3)',
  run({ pictures }, print) {
    const figures = evaluatePropagation(TESTED.incidents, TESTED.firstSeed);
    print(propagationReport(figures));
    if (pictures !== null) drawFleetPictures(pictures, figures);
    return figures;
  },
};

/** Ranks hosts in simulated incidents, whose causes are anywhere in a tree of services. */
export function evaluatePropagation(
  incidents: number,
  firstSeed: number,
  methods: readonly Method[] = METHODS,
): PropagationFigures[] {
  const placed = methods.map((): Array<{ group: string; place: Place }> => []);
  for (const { seed, incident } of shown(incidents, firstSeed)) {
    const { facts, names } = recordedFacts(incident.one, incident.payloads, new Random(seed));
    const cause = names.get(incident.cause) ?? '';
    const group = `${incident.kind}, depth ${Math.min(3, incident.depth)}`;
    methods.forEach(({ scores }, nth) => {
      placed[nth]?.push({ group, place: placeOf(scores(facts), cause, facts.peers.length + 1) });
    });
  }
  return methods.map(({ name }, nth) => {
    const own = placed[nth] ?? [];
    return {
      method: name,
      all: meanPlace(own.map(({ place }) => place)),
      groups: Object.fromEntries(
        [...Map.groupBy(own, ({ group }) => group)]
          .sort(([a], [b]) => (a < b ? -1 : 1))
          .map(([group, part]) => [
            group,
            { incidents: part.length, place: meanPlace(part.map(({ place }) => place)) },
          ]),
      ),
    };
  });
}

function* shown(
  incidents: number,
  firstSeed: number,
): Generator<{ seed: number; incident: PropagatedIncident }> {
  let left = incidents;
  for (let seed = firstSeed; left > 0; seed++) {
    const incident = propagate(seed);
    if (incident === null) continue;
    left -= 1;
    yield { seed, incident };
  }
}

/** The results as Markdown. */
export function propagationReport(figures: readonly PropagationFigures[]): string {
  const groups = Object.entries(figures[0]?.groups ?? {});
  const both = ({ top1, top3 }: Place) => `${top1.toFixed(2)} / ${top3.toFixed(2)}`;
  return [
    `| ranking | all | ${groups.map(([name, { incidents }]) => `${name} (${incidents})`).join(' | ')} |`,
    `|---|---|${groups.map(() => '---|').join('')}`,
    ...figures.map(
      ({ method, all, groups: own }) =>
        `| ${method} | ${both(all)} | ${groups.map(([name]) => (own[name] === undefined ? '' : both(own[name].place))).join(' | ')} |`,
    ),
  ].join('\n');
}
