/** Statuses with a shape of their own: states of hosts, severities of alerts, and unknown. */
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
