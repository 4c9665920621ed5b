import type { Cell } from './table.ts';
import type { Paint, Terminal } from './terminal.ts';

const COLOURS: Readonly<Record<string, Paint>> = {
  critical: 'red',
  offline: 'red',
  firing: 'red',
  fired: 'red',
  escalated: 'red',
  failed: 'red',
  completed: 'green',
  root_cause_found: 'green',
  running: 'cyan',
  inconclusive: 'yellow',
  cancelled: 'gray',
  warning: 'yellow',
  degraded: 'yellow',
  recovering: 'yellow',
  pending: 'yellow',
  flapping: 'yellow',
  healthy: 'green',
  resolved: 'green',
  active: 'green',
  ok: 'green',
  info: 'cyan',
  maintenance: 'cyan',
  acknowledged: 'cyan',
  expired: 'gray',
  archived: 'gray',
  off: 'gray',
};

/** Formats a status or severity in its colour. */
export function word(terminal: Terminal, text: string): Cell {
  const colour = COLOURS[text];
  return { text, paint: colour && ((shown) => terminal.paint(colour, shown)) };
}
