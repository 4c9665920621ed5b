/**
 * Statuses with a shape of their own: states of hosts, severities of alerts, and unknown. Their words are those of the API, in small
 * letters wherever they stand.
 */
export const STATUS_KINDS = {
  healthy: { shape: 'disc', word: 'healthy' },
  degraded: { shape: 'triangle', word: 'degraded' },
  warning: { shape: 'triangle', word: 'warning' },
  critical: { shape: 'diamond', word: 'critical' },
  offline: { shape: 'hollow', word: 'offline' },
  maintenance: { shape: 'striped', word: 'maintenance' },
  archived: { shape: 'hollow', word: 'archived' },
  info: { shape: 'info', word: 'info' },
  unknown: { shape: 'ring', word: 'unknown' },
} as const;

export type StatusKind = keyof typeof STATUS_KINDS;
export type Shape = (typeof STATUS_KINDS)[StatusKind]['shape'];

/** How a shape is drawn in a square of 16: filled, or as lines of a width, which may be dotted. */
export const SHAPE_DRAWINGS: Readonly<Record<Shape, { d: string; lineWidth?: number; dashes?: string }>> = {
  disc: { d: 'M2 8a6 6 0 1 0 12 0a6 6 0 1 0-12 0Z' },
  triangle: { d: 'M8 1.5 15 14H1Z' },
  diamond: { d: 'M8 .5 15.5 8 8 15.5.5 8Z' },
  hollow: { d: 'M2.5 2.5h11v11h-11Z', lineWidth: 2 },
  striped: { d: 'M2 3h12M2 6.3h12M2 9.6h12M2 13h12M2.7 2v12M13.3 2v12', lineWidth: 1.6 },
  info: { d: 'M1.8 8a6.2 6.2 0 1 0 12.4 0a6.2 6.2 0 1 0-12.4 0ZM8 7v5M8 4v1.4', lineWidth: 1.6 },
  ring: { d: 'M2.5 8a5.5 5.5 0 1 0 11 0a5.5 5.5 0 1 0-11 0Z', lineWidth: 2, dashes: '1.6 2.7' },
};

/** Each shape as a character, for window titles and plain text. */
export const SHAPE_CHARACTERS: Readonly<Record<Shape, string>> = {
  disc: '●',
  triangle: '▲',
  diamond: '◆',
  hollow: '◻',
  striped: '▤',
  info: 'ⓘ',
  ring: '◌',
};

/** The kind of a status in an API response; `unknown` if a newer API sends a status that this console does not know. */
export function statusKind(word: string): StatusKind {
  return Object.hasOwn(STATUS_KINDS, word) ? (word as StatusKind) : 'unknown';
}

/** The word of a status; one that this console does not know is shown as the API sends it. */
export function statusWord(word: string): string {
  const kind = statusKind(word);
  return kind === 'unknown' ? word : STATUS_KINDS[kind].word;
}
