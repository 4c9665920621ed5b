import type { Severity } from '@tidewatch/contracts/values/severity';

/** The order in which notifications of a channel, and channels of an organization, are served: smaller numbers first. */
export const PRIORITIES = { critical: 0, warning: 1, info: 2 } as const satisfies Record<Severity, number>;

/** The priority of events that a webhook subscribes to, since they page nobody. */
export const EVENT_PRIORITY = 3;
