import type { Content, Route } from '@tidewatch/contracts/document/route';
import { ProblemError, validationProblem } from '@tidewatch/contracts/problems/problem';
import { check } from '@tidewatch/contracts/problems/validation';
import { keyOf } from '@tidewatch/runtime/auth/authentication';
import type { Request, Response } from 'express';
import { z } from 'zod';
import type { QueryApiOptions } from '../query-api-options.ts';
import { type Change, changeBy } from './change.ts';
import { readJson, readOptionalJson } from './json-body.ts';
import { queryOf } from './query.ts';

type QueryOf<R> = R extends { query: infer S extends z.ZodType } ? z.output<S> : undefined;
type BodyOf<R> = R extends { body: readonly [Content<infer S extends z.ZodType>, ...Content[]] }
  ? z.output<S>
  : undefined;

/**
 * A request to a route of the contract, with its response, whose status is already set to success. Id, query and body are
 * validated when a handler reads them, so that of several faults the first one read is answered.
 */
export class Call<R extends Route = Route> {
  readonly route: R;
  readonly request: Request;
  readonly response: Response;

  constructor(route: R, request: Request, response: Response) {
    this.route = route;
    this.request = request;
    this.response = response;
  }

  /** The organization of the key behind the request. */
  get organizationId(): string {
    return keyOf(this.response).organizationId;
  }

  /** The id in the path. Throws 404 for a malformed id, as for an unknown one. */
  get id(): string {
    const parameters = this.route.parameters?.safeParse(this.request.params);
    if (!parameters?.success) throw new ProblemError('not_found');
    return (parameters.data as { id: string }).id;
  }

  /** The query parsed by the schema of the route. Throws 422 with all faults. */
  get query(): QueryOf<R> {
    return queryOf(this.request, this.route.query ?? z.object({})) as QueryOf<R>;
  }

  /** The JSON value of the body, at most `maxBytes` long, without validation; undefined if there is none and the route allows that. */
  json(maxBytes?: number): Promise<unknown> {
    const types = (this.route.body ?? []).map(({ type }) => type);
    return this.route.bodyIsOptional
      ? readOptionalJson(this.request, types)
      : readJson(this.request, types, maxBytes);
  }

  /**
   * The body parsed by the schema of the route, `{}` if there is none and the route allows that. Throws 422 with all
   * faults.
   */
  async body(maxBytes?: number): Promise<BodyOf<R>> {
    const schema = this.route.body?.[0]?.schema ?? z.undefined();
    const checked = check(schema, (await this.json(maxBytes)) ?? {}, 'body');
    if ('errors' in checked) throw validationProblem(checked.errors);
    return checked.value as BodyOf<R>;
  }

  /** The organization, time, key and audit trail of the change that this request makes. */
  change(options: Pick<QueryApiOptions, 'clock' | 'newId' | 'config'>): Change {
    return changeBy(keyOf(this.response), this.request, options);
  }
}
