import { cleanText } from '../reading.ts';
import type { FittedParts, FoundPart } from './collector.ts';

/** The max number of parts of a host, and of numbers in all of them together; the server has the same limits by default. */
export const MAX_PARTS = 256;
export const MAX_PART_NUMBERS = 2_000;
const MAX_NAME = 255;
const MAX_LABEL = 256;

/**
 * Chooses the parts of one payload: each identity (kind and name) once, and within the limits. Where there are too many, the
 * least important one of the kind with the most parts is left out, again and again, so that no kind displaces the others.
 */
export function fitParts(found: readonly FoundPart[]): FittedParts {
  const known = new Map<string, FoundPart>();
  for (const part of found) {
    const name = cleanText(part.name, MAX_NAME);
    const identity = `${part.kind}:${name}`;
    if (name !== '' && !known.has(identity)) known.set(identity, { ...part, name, ...labelsOf(part) });
  }
  const kinds = [...Map.groupBy(known.values(), ({ kind }) => kind).values()];
  const count = () => kinds.reduce((sum, parts) => sum + parts.length, 0);
  const numbers = () => kinds.reduce((sum, parts) => sum + parts.reduce(addNumbers, 0), 0);
  let parts = count();
  let total = numbers();
  while (parts > MAX_PARTS || total > MAX_PART_NUMBERS) {
    const [largest] = kinds.toSorted((a, b) => b.length - a.length);
    const dropped = largest?.pop();
    if (dropped === undefined) break;
    parts -= 1;
    total -= addNumbers(0, dropped);
  }
  return { parts: kinds.flat(), leftOut: known.size - parts };
}

function addNumbers(sum: number, { metrics }: FoundPart): number {
  return sum + Object.keys(metrics).length;
}

/** The labels that have a text. */
function labelsOf({ labels = {} }: FoundPart): Pick<FoundPart, 'labels'> {
  const kept = Object.entries(labels)
    .map(([name, text]) => [name, cleanText(text.trim(), MAX_LABEL)] as const)
    .filter(([, text]) => text !== '');
  return kept.length > 0 ? { labels: Object.fromEntries(kept) } : {};
}
