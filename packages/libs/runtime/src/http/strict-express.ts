import express, { type Express } from 'express';

/** An Express application as every server of Tidewatch has it: exact paths, flat query parameters, and nothing added to answers. */
export function createStrictExpress(): Express {
  const app = express();
  app.disable('x-powered-by');
  app.set('env', 'production');
  app.set('case sensitive routing', true);
  app.set('strict routing', true);
  app.set('etag', false);
  app.set('query parser', 'simple');
  return app;
}
