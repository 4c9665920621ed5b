import {
  INFLUX_HEALTH_ROUTE,
  INFLUX_PING_ROUTE,
  INFLUX_QUERY_ROUTE,
} from '@tidewatch/contracts/ingest/agents/influx-routes';
import {
  type ErrorRequestHandler,
  type Request,
  type RequestHandler,
  type Response,
  Router,
  urlencoded,
} from 'express';
import { problemLine } from '../handling/problem-text.ts';
import { refusalHeaders, refusalOf } from '../handling/refusal-status.ts';

/** A version of InfluxDB whose protocol this is, which clients look at. */
export const INFLUX_VERSION = '1.8.10-tidewatch';
const MAX_STATEMENT_LENGTH = 1_024;
const MAX_FORM_BYTES = 16_384;

/** Answers a statement that senders of lines send before lines. */
export function answerStatement(statement: string): { status: number; body: object } {
  if (statement.length > MAX_STATEMENT_LENGTH)
    return { status: 400, body: { error: `q must have at most ${MAX_STATEMENT_LENGTH} characters` } };
  if (/^\s*create\s+database\s+\S/i.test(statement))
    return { status: 200, body: { results: [{ statement_id: 0 }] } };
  if (/^\s*show\s+databases\s*;?\s*$/i.test(statement)) {
    const series = [{ name: 'databases', columns: ['name'], values: [['tidewatch']] }];
    return { status: 200, body: { results: [{ statement_id: 0, series }] } };
  }
  const error = 'q must be CREATE DATABASE or SHOW DATABASES; queries are those of /api/v1';
  return { status: 400, body: { error } };
}

/** Refusals in the form of version 1, also of forms that cannot be read. */
const answerRefusal: ErrorRequestHandler = (error: unknown, _request, response, next) => {
  const refusal = refusalOf(error, false);
  if (refusal !== null) {
    const { problem, status } = refusal;
    response
      .set(refusalHeaders(problem, status))
      .status(status)
      .json({ error: problemLine(problem) });
    return;
  }
  const status = (error as { status?: unknown } | null)?.status;
  if (typeof status !== 'number' || status < 400 || status >= 500 || response.headersSent) return next(error);
  const message = `the form must be valid and have at most ${MAX_FORM_BYTES} bytes`;
  response.status(400).json({ error: message });
};

/** The paths of InfluxDB beside those for lines. `authenticate` admits keys that may send. */
export function createInfluxRouter(authenticate: RequestHandler): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router.get(INFLUX_PING_ROUTE.path, (_request, response) => {
    response.status(204).setHeader('X-Influxdb-Version', INFLUX_VERSION).end();
  });
  router.get(INFLUX_HEALTH_ROUTE.path, (_request, response) => {
    response.json({ name: 'influxdb', status: 'pass', message: 'ready for lines' });
  });
  const form = urlencoded({ extended: false, limit: MAX_FORM_BYTES });
  router.post(
    INFLUX_QUERY_ROUTE.path,
    authenticate,
    form,
    (request: Request, response: Response) => {
      const ofForm = (request.body as { q?: unknown } | undefined)?.q;
      const statement = ofForm ?? request.query.q;
      const { status, body } = answerStatement(typeof statement === 'string' ? statement : '');
      response.status(status).json(body);
    },
    answerRefusal,
  );
  return router;
}
