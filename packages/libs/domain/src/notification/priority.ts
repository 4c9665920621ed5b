import type { Severity } from '@tidewatch/contracts/values/severity';

/** Which notifications of a channel, and which channels of an organization, are served first: the smaller number. */
export const PRIORITIES = { critical: 0, warning: 1, info: 2 } as const satisfies Record<Severity, number>;

/** The priority of events that a webhook subscribes to, since they page nobody. */
export const EVENT_PRIORITY = 3;
