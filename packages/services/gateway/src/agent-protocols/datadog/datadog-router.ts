import { DATADOG_VALIDATE_ROUTE } from '@tidewatch/contracts/ingest/agents/datadog-routes';
import { type ErrorRequestHandler, type Request, type RequestHandler, type Response, Router } from 'express';
import { problemLine } from '../handling/problem-text.ts';
import { refusalHeaders, refusalOf } from '../handling/refusal-status.ts';
import { refuseKeyInAddress } from './refuse-key-in-address.ts';

/** The agent takes a 403 for a wrong key, and every other status for a fault of the network. */
const answerRefusal: ErrorRequestHandler = (error: unknown, _request, response, next) => {
  const refusal = refusalOf(error, false);
  if (refusal === null) return next(error);
  const { problem, status } = refusal;
  response
    .set(refusalHeaders(problem, status))
    .status(status === 401 ? 403 : status)
    .json({ errors: [problemLine(problem)] });
};

/** What Datadog's agent asks beside its requests with samples. `authenticate` admits keys that may send. */
export function createDatadogRouter(authenticate: RequestHandler): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router.get(
    DATADOG_VALIDATE_ROUTE.path,
    refuseKeyInAddress,
    authenticate,
    (_request: Request, response: Response) => {
      response.json({ valid: true });
    },
    answerRefusal,
  );
  return router;
}
