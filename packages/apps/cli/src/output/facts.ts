import type { Session } from '../session.ts';
import { safeText } from './safe-text.ts';

/** Prints an object as text: its title, then one fact per line. */
export async function showFacts(
  { terminal }: Session,
  title: string,
  facts: readonly (readonly [name: string, value: string])[],
): Promise<void> {
  const width = Math.max(...facts.map(([name]) => name.length));
  await terminal.print(`${terminal.paint('bold', safeText(title))}\n`);
  for (const [name, value] of facts) await terminal.print(`  ${name.padEnd(width)}  ${safeText(value)}\n`);
}

/** Prints the heading of a section with the number of its entries. */
export function showSection({ terminal }: Session, name: string, count: number): Promise<void> {
  return terminal.print(`\n${terminal.paint('bold', name)} (${count})\n`);
}
