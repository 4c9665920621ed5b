import { ALERT_ACTION_ROUTES } from '../alerts/alert-action-routes.ts';
import { ALERT_ROUTES } from '../alerts/alert-routes.ts';
import { AUDIT_ROUTES } from '../audit/audit-routes.ts';
import { CHANNEL_ROUTES } from '../channels/channel-routes.ts';
import { EVENT_ROUTES } from '../events/event-routes.ts';
import { INGEST_ROUTES } from '../ingest/ingest-routes.ts';
import { RECEIPT_ROUTES } from '../ingest/receipt-routes.ts';
import { INVESTIGATION_ROUTES } from '../investigations/investigation-routes.ts';
import { KEY_ROUTES } from '../keys/key-routes.ts';
import { LIMIT_ROUTES } from '../limits/limit-routes.ts';
import { MARKER_ROUTES } from '../markers/marker-routes.ts';
import { METRIC_ROUTES } from '../metrics/metric-routes.ts';
import { NOTIFICATION_ROUTES } from '../notifications/notification-routes.ts';
import { ORGANIZATION_ROUTES } from '../organizations/organization-routes.ts';
import { PART_ROUTES } from '../parts/part-routes.ts';
import { RULE_ROUTES } from '../rules/rule-routes.ts';
import { SERVICE_ROUTES } from '../services/service-routes.ts';
import { SESSION_LIST_ROUTES } from '../sessions/session-list-routes.ts';
import { SESSION_ROUTES } from '../sessions/session-routes.ts';
import { SINGLE_SIGN_ON_ROUTES } from '../sessions/single-sign-on-routes.ts';
import { SILENCE_ROUTES } from '../silences/silence-routes.ts';
import { SUMMARY_ROUTES } from '../summary/summary-routes.ts';
import { SYSTEM_ROUTES } from '../system/system-routes.ts';
import { DOCUMENTATION_ROUTES, HEALTH_ROUTES } from './operation-routes.ts';
import type { Route } from './route.ts';

/** The routes of the query API below `/api/v1`. */
export const API_ROUTES: readonly Route[] = [
  ...RECEIPT_ROUTES,
  ...SERVICE_ROUTES,
  ...PART_ROUTES,
  ...METRIC_ROUTES,
  ...RULE_ROUTES,
  ...ALERT_ROUTES,
  ...ALERT_ACTION_ROUTES,
  ...INVESTIGATION_ROUTES,
  ...MARKER_ROUTES,
  ...SILENCE_ROUTES,
  ...CHANNEL_ROUTES,
  ...NOTIFICATION_ROUTES,
  ...KEY_ROUTES,
  ...SESSION_ROUTES,
  ...SESSION_LIST_ROUTES,
  ...SINGLE_SIGN_ON_ROUTES,
  ...ORGANIZATION_ROUTES,
  ...AUDIT_ROUTES,
  ...EVENT_ROUTES,
  ...SUMMARY_ROUTES,
  ...LIMIT_ROUTES,
  ...SYSTEM_ROUTES,
];

/** Every endpoint of the API document. */
export const ROUTES: readonly Route[] = [
  ...INGEST_ROUTES,
  ...API_ROUTES,
  ...HEALTH_ROUTES,
  ...DOCUMENTATION_ROUTES,
];
