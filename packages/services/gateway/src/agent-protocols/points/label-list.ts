/** The max number of labels of a series or resource; a series with more is refused. */
export const MAX_LABELS = 256;

/** The max length of what names a refused series in an answer, in UTF-16 code units. */
const MAX_EXAMPLE = 120;

/**
 * Sorts names and values by turns by name, and leaves out what has an empty value, which means the same as no label. Returns
 * undefined if a name is empty or repeated, if a text has no valid UTF-16, or if there are more than `MAX_LABELS`.
 */
export function labelList(texts: readonly string[]): string[] | undefined {
  if (texts.length > 2 * MAX_LABELS || !texts.every((text) => text.isWellFormed())) return undefined;
  const order: number[] = [];
  for (let at = 0; at < texts.length; at += 2) order.push(at);
  order.sort((one, other) => compare(texts[one] as string, texts[other] as string));
  const sorted: string[] = [];
  let previous = '';
  for (const at of order) {
    const name = texts[at] as string;
    // The first name is compared with the empty text, so that this refuses empty names too.
    if (name === previous) return undefined;
    previous = name;
    if (texts[at + 1] !== '') sorted.push(name, texts[at + 1] as string);
  }
  return sorted;
}

/** What names a series in an answer: its name, and its labels where there is room. */
export function exampleOf(name: string, texts: readonly string[]): string {
  const labels: string[] = [];
  for (let at = 0; at < texts.length && at < 10; at += 2)
    labels.push(`${texts[at]}=${JSON.stringify((texts[at + 1] ?? '').slice(0, MAX_EXAMPLE))}`);
  const example = labels.length === 0 ? name : `${name}{${labels.join(', ')}}`;
  return (example.length <= MAX_EXAMPLE ? example : `${example.slice(0, MAX_EXAMPLE - 1)}…`).toWellFormed();
}

/** Why a series or point is refused that only its name describes. */
const REASONS = {
  invalid_name: 'its name is missing or has invalid Unicode',
  invalid_labels: `its labels have a name that is empty or repeated, or invalid Unicode, or are more than ${MAX_LABELS}`,
  invalid_value: 'its value is missing or contradicts itself',
  unsupported_type: 'its type, or the temporality of its values, is not supported',
} as const;

/** Names what is refused in an answer, and says why. */
export function refusalOf(reason: keyof typeof REASONS, example: string): string {
  return `${example === '' ? 'a series without a name' : example}: ${REASONS[reason]}`;
}

function compare(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
