import { ALERT_ACTION_ROUTES } from './alert-action-routes.ts';
import { ALERT_ROUTES } from './alert-routes.ts';
import { CHANNEL_ROUTES } from './channel-routes.ts';
import { INGEST_ROUTE } from './ingest-route.ts';
import { NOTIFICATION_ROUTES } from './notification-routes.ts';
import { OPERATION_ROUTES } from './operation-routes.ts';
import type { Route } from './route.ts';
import { RULE_ROUTES } from './rule-routes.ts';
import { SERVICE_ROUTES } from './service-routes.ts';
import { SILENCE_ROUTES } from './silence-routes.ts';

/** Every endpoint that exists. */
export const ROUTES: readonly Route[] = [
  INGEST_ROUTE,
  ...SERVICE_ROUTES,
  ...RULE_ROUTES,
  ...ALERT_ROUTES,
  ...ALERT_ACTION_ROUTES,
  ...SILENCE_ROUTES,
  ...CHANNEL_ROUTES,
  ...NOTIFICATION_ROUTES,
  ...OPERATION_ROUTES,
];
