import { safeText } from './output/safe-text.ts';
import type { Session } from './session.ts';

/** Prints an object for people: its title, and each of its facts on a line of its own. */
export async function showFacts(
  { terminal }: Session,
  title: string,
  facts: readonly (readonly [name: string, value: string])[],
): Promise<void> {
  const width = Math.max(...facts.map(([name]) => name.length));
  await terminal.print(`${terminal.paint('bold', safeText(title))}\n`);
  for (const [name, value] of facts) await terminal.print(`  ${name.padEnd(width)}  ${safeText(value)}\n`);
}
