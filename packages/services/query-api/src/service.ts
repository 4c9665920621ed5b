import { API_ROUTES } from '@tidewatch/contracts/document/routes';
import type { Authentication } from '@tidewatch/runtime/auth/authentication';
import type { Endpoint } from '@tidewatch/runtime/http/allowed-methods';
import { withParameterCheck } from '@tidewatch/runtime/http/query-parameters';
import { limitRequests, withLimit } from '@tidewatch/runtime/limits/request-limit';
import { inOrganization } from '@tidewatch/store/database/tenancy/bound-organization';
import express, { type NextFunction, type Request, type Response, type Router } from 'express';
import { addAlertActionRoutes } from './alerts/alert-action-routes.ts';
import { addAlertRoutes } from './alerts/alert-routes.ts';
import { addAuditRoutes } from './audit/audit-routes.ts';
import { addChannelRoutes } from './channels/channel-routes.ts';
import { addDocumentationRoutes, DOCUMENTATION_ENDPOINTS } from './documentation/documentation-routes.ts';
import { addEventRoutes } from './events/event-routes.ts';
import { clientGone } from './http/client-gone.ts';
import { compressAnswers } from './http/compress.ts';
import { translateDatabaseFailure } from './http/database-failure.ts';
import { Exporter } from './http/export.ts';
import { organizationOf } from './http/request.ts';
import { addReceiptRoutes } from './ingest/receipt-routes.ts';
import { addInvestigationRoutes } from './investigations/investigation-routes.ts';
import { addKeyRoutes } from './keys/key-routes.ts';
import { addMarkerRoutes } from './markers/marker-routes.ts';
import { addMetricRoutes } from './metrics/metric-routes.ts';
import { createQueryShare } from './metrics/query-share.ts';
import { addNotificationRoutes } from './notifications/notification-routes.ts';
import { addOrganizationRoutes } from './organizations/organization-routes.ts';
import type { QueryApiOptions } from './query-api-options.ts';
import { addRuleRoutes } from './rules/rule-routes.ts';
import { addRuleSetRoutes } from './rules/rule-set-routes.ts';
import { addServiceRoutes } from './services/service-routes.ts';
import { addSilenceRoutes } from './silences/silence-routes.ts';

/** What the router of `createQueryApi` answers. */
export const QUERY_API_ENDPOINTS: readonly Endpoint[] = [...API_ROUTES, ...DOCUMENTATION_ENDPOINTS];

/**
 * Every read, the stream of events, the writing of rules, channels, silences, markers, keys and organizations, what is done
 * with alerts and investigations, redelivery, and documentation.
 */
export function createQueryApi(given: QueryApiOptions): Router {
  const { limitStore: store, config } = given;
  const limit = limitRequests({ policy: 'api', perMinute: config.rateLimitPerMinute, store });
  const admitted = withParameterCheck(withLimit(given.authenticate, limit), API_ROUTES);
  const options = { ...given, authenticate: bindOrganization(admitted) };
  const router = express.Router({ caseSensitive: true, strict: true });
  router.use(compressAnswers());
  const queries = createQueryShare(options.metrics);
  const exporter = new Exporter(options.sql, options.metrics);
  addServiceRoutes(router, options, exporter, queries);
  addMetricRoutes(router, options, queries);
  addRuleSetRoutes(router, options);
  addRuleRoutes(router, options, exporter);
  addAlertRoutes(router, options, exporter);
  addChannelRoutes(router, options);
  addNotificationRoutes(router, options);
  addAlertActionRoutes(router, options);
  addInvestigationRoutes(router, options, exporter);
  addMarkerRoutes(router, options);
  addSilenceRoutes(router, options);
  addEventRoutes(router, options);
  addReceiptRoutes(router, options);
  addKeyRoutes(router, options);
  addOrganizationRoutes(router, options);
  addAuditRoutes(router, options);
  addDocumentationRoutes(router);
  router.use((error: unknown, _request: Request, _response: Response, next: NextFunction) => {
    next(translateDatabaseFailure(error));
  });
  return router;
}

/**
 * What a request does sees the rows of its key's organization alone. What only reads ends with its client; what changes something
 * is done or not done, whoever waits for it.
 */
function bindOrganization(authenticate: Authentication['authenticate']): Authentication['authenticate'] {
  return (scope) => {
    const admit = authenticate(scope);
    return (request, response, next) =>
      admit(request, response, (error?: unknown) => {
        if (error !== undefined) return next(error);
        const reads = scope === 'read' || request.method === 'GET' || request.method === 'HEAD';
        inOrganization(organizationOf(response), next, reads ? clientGone(response) : undefined);
      });
  };
}
