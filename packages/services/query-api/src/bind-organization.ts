import { inOrganization } from '@tidewatch/database/tenancy/bound-organization';
import { type Authentication, keyOf } from '@tidewatch/runtime/auth/authentication';
import { clientGone } from './http/client-gone.ts';

/**
 * Binds the work of a request to the organization of its key. Reads are aborted when the client disconnects; changes are
 * completed.
 */
export function bindOrganization(
  authenticate: Authentication['authenticate'],
): Authentication['authenticate'] {
  return (scope) => {
    const admit = authenticate(scope);
    return (request, response, next) =>
      admit(request, response, (error?: unknown) => {
        if (error !== undefined) return next(error);
        const reads = scope === 'read' || request.method === 'GET' || request.method === 'HEAD';
        inOrganization(keyOf(response).organizationId, next, reads ? clientGone(response) : undefined);
      });
  };
}
