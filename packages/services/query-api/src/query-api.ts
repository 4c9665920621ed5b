import { API_ROUTES } from '@tidewatch/contracts/document/routes';
import type { Endpoint } from '@tidewatch/runtime/http/allowed-methods';
import { announceCommits } from '@tidewatch/runtime/http/announce-commits';
import { withParameterCheck } from '@tidewatch/runtime/http/query-parameters';
import { limitRequests, withLimit } from '@tidewatch/runtime/limits/request-limit';
import express, { type NextFunction, type Request, type Response, type Router } from 'express';
import { createAlertActionHandlers } from './alerts/alert-action-routes.ts';
import { createAlertHandlers } from './alerts/alert-routes.ts';
import { createAuditHandlers } from './audit/audit-routes.ts';
import { bindOrganization } from './bind-organization.ts';
import { createChannelHandlers } from './channels/channel-routes.ts';
import { addDocumentationRoutes, DOCUMENTATION_ENDPOINTS } from './documentation/documentation-routes.ts';
import { addDownloadRoutes, DOWNLOAD_ENDPOINTS } from './downloads/download-routes.ts';
import { createEventHandlers } from './events/event-routes.ts';
import { compressAnswers } from './http/compress.ts';
import { translateDatabaseFailure } from './http/database-failure.ts';
import { Exporter } from './http/export.ts';
import { mountRoutes } from './http/mount-routes.ts';
import { createReceiptHandlers } from './ingest/receipt-routes.ts';
import { createInvestigationHandlers } from './investigations/investigation-routes.ts';
import { createKeyHandlers } from './keys/key-routes.ts';
import { createLimitHandlers } from './limits/limits-route.ts';
import { createMarkerHandlers } from './markers/marker-routes.ts';
import { addMcpRoute } from './mcp/mcp-route.ts';
import { createMetricHandlers } from './metrics/metric-routes.ts';
import { createQueryShare } from './metrics/query-share.ts';
import { createNotificationHandlers } from './notifications/notification-routes.ts';
import { createOrganizationHandlers } from './organizations/organization-routes.ts';
import { createPartHandlers } from './parts/part-routes.ts';
import type { QueryApiOptions } from './query-api-options.ts';
import { createRuleHandlers } from './rules/rule-routes.ts';
import { createRuleSetHandlers } from './rules/rule-set-routes.ts';
import { createServiceHandlers } from './services/service-routes.ts';
import { createSessionListHandlers } from './sessions/session-list-routes.ts';
import { createSessionHandlers } from './sessions/session-routes.ts';
import { createSilenceHandlers } from './silences/silence-routes.ts';
import { addSignOnCallback } from './single-sign-on/sign-on-callback.ts';
import { createSignOnHandlers } from './single-sign-on/sign-on-routes.ts';
import { createSummaryHandlers } from './summary/summary-route.ts';
import { createSystemHandlers } from './system/system-route.ts';

/** All endpoints that the router of `createQueryApi` serves besides those of the console and of single sign-on. */
export const QUERY_API_ENDPOINTS: readonly Endpoint[] = [
  ...API_ROUTES,
  ...DOCUMENTATION_ENDPOINTS,
  ...DOWNLOAD_ENDPOINTS,
];

/** Creates the router of all endpoints for reading and changing data, the stream of events, and the documentation. */
export function createQueryApi(options: QueryApiOptions): Router {
  const { limitStore: store, config } = options;
  const limit = limitRequests({ policy: 'api', perMinute: config.rateLimitPerMinute, store });
  const limited = withLimit(options.access.authenticate, limit);
  const admitted = withParameterCheck(limited, API_ROUTES);
  const router = express.Router({ caseSensitive: true, strict: true });
  router.use(compressAnswers());
  if (options.commits) router.use(announceCommits(options.commits));
  const queries = createQueryShare(options.metrics);
  const exporter = new Exporter(options.sql, options.metrics);
  const handlers = {
    ...createServiceHandlers(options, exporter, queries),
    ...createPartHandlers(options, exporter, queries),
    ...createMetricHandlers(options, queries),
    ...createRuleSetHandlers(options),
    ...createRuleHandlers(options, exporter),
    ...createAlertHandlers(options, exporter, queries),
    ...createChannelHandlers(options),
    ...createNotificationHandlers(options),
    ...createAlertActionHandlers(options),
    ...createInvestigationHandlers(options, exporter),
    ...createMarkerHandlers(options),
    ...createSilenceHandlers(options, queries),
    ...createEventHandlers(options),
    ...createReceiptHandlers(options),
    ...createKeyHandlers(options),
    ...createSessionHandlers(options),
    ...createSessionListHandlers(options),
    ...createSignOnHandlers(options),
    ...createOrganizationHandlers(options),
    ...createAuditHandlers(options),
    ...createSummaryHandlers(options),
    ...createLimitHandlers(options),
    ...createSystemHandlers(options),
  };
  mountRoutes(router, bindOrganization(admitted), API_ROUTES, handlers);
  if (config.hasMcp) addMcpRoute(router, limited, { ...options, handlers });
  addDocumentationRoutes(router);
  addDownloadRoutes(router, config.downloadDirectory);
  if (options.signOn !== null) addSignOnCallback(router, options, options.signOn);
  options.console.addRoutes(router);
  router.use((error: unknown, _request: Request, _response: Response, next: NextFunction) => {
    next(translateDatabaseFailure(error));
  });
  return router;
}
