import type { Route } from '@tidewatch/contracts/document/route';
import { ProblemError } from '@tidewatch/contracts/problems/problem';
import { pathOf } from '../../http/mount-routes.ts';
import type { RouteRequest } from '../routes/route-caller.ts';
import { PAGE } from '../tools/input-schema.ts';
import type { ApiAnswer, Tool, ToolArguments } from '../tools/tool.ts';
import { boundedAnswer, MAX_ANSWER_BYTES, sizeOf } from './bounded-answer.ts';
import { shownAnswer } from './shown-answer.ts';

/** One call of a tool. */
export interface ToolCall {
  tool: Tool;
  route: Route;
  given: ToolArguments;
  /** ms */
  now: number;
}

type Ask = (request: RouteRequest) => Promise<unknown>;

/** Room for what stands beside the entries of a page, bytes. */
const PAGE_BYTES = 256;
const MAX_FAULTS = 10;

/** Calls the operation of the tool, and returns its answer as it is shown to a model. */
export async function answerOf(call: ToolCall, ask: Ask): Promise<Record<string, unknown>> {
  const { tool } = call;
  if (tool.list !== undefined) return pageOf(call, tool.list, ask);
  const answer = (await ask(requestOf(call))) as ApiAnswer;
  if (answer === null) return { done: true };
  return boundedAnswer(shown(call, answer));
}

/** What a model is shown of a refused call. */
export function refusalOf({ code, detail, errors, headers }: ProblemError): Record<string, unknown> {
  const retryAfter = Number(headers['Retry-After']);
  const refusal = {
    error: code,
    message: detail,
    ...(errors.length > 0 && {
      faults: errors.slice(0, MAX_FAULTS).map(({ path, message }) => ({ path, message })),
    }),
    ...(retryAfter > 0 && { retry_after_seconds: retryAfter }),
  };
  return boundedAnswer(shownAnswer(refusal, new Set()) as Record<string, unknown>);
}

/**
 * Reads a page of a list. Where its entries are too large, a page with fewer of them is read, so that the cursor continues behind the
 * last one that is shown.
 */
async function pageOf(call: ToolCall, noun: string, ask: Ask): Promise<Record<string, unknown>> {
  const { limit: wanted = PAGE.default } = call.given;
  if (typeof wanted === 'number' && wanted > PAGE.max) return pageOf(withLimit(call, PAGE.max), noun, ask);
  const answer = (await ask(requestOf(withLimit(call, wanted)))) as ApiAnswer;
  const { total, next_cursor } = answer.pagination;
  const entries: object[] = [];
  let left = MAX_ANSWER_BYTES - PAGE_BYTES - sizeOf(next_cursor);
  for (const entry of answer[noun]) {
    const each = shown(call, entry);
    left -= sizeOf(each) + 1;
    if (left < 0 && entries.length > 0) return pageOf(withLimit(call, entries.length), noun, ask);
    entries.push(each);
  }
  // The cursor is not a text of others, and is not shortened.
  return boundedAnswer({ [noun]: entries, total, next_cursor });
}

function withLimit(call: ToolCall, limit: unknown): ToolCall {
  return { ...call, given: { ...call.given, limit } };
}

function shown({ tool, given }: ToolCall, answer: ApiAnswer): Record<string, unknown> {
  const realIds = new Set(tool.cites?.(answer));
  const chosen = tool.shows === undefined ? answer : tool.shows(answer, given);
  return shownAnswer(chosen, realIds) as Record<string, unknown>;
}

/** The request of a call. Throws 404 for an id that no object of the kind has. */
function requestOf({ tool, route, given, now }: ToolCall): RouteRequest {
  const { [tool.id ?? '']: id, ...others } = given;
  const query = new URLSearchParams();
  const names = new Set([...(tool.query ?? []), ...(tool.list === undefined ? [] : ['limit', 'cursor'])]);
  const parameters = tool.queryOf === undefined ? others : tool.queryOf(others, now);
  for (const [name, value] of Object.entries(parameters)) {
    if (!names.has(name)) continue;
    for (const each of [value].flat())
      if (each !== undefined && each !== null) query.append(name, textOf(each));
  }
  for (const [name, value] of Object.entries(tool.fixed ?? {})) query.append(name, value);
  const body = tool.bodyOf === undefined ? others : tool.bodyOf(others, now);
  return {
    route,
    path: tool.id === undefined ? route.path : pathOf(route.operationId, checkedId(route, id)),
    query,
    ...(tool.headersOf && { headers: tool.headersOf(given) }),
    ...(route.body !== undefined && { body }),
  };
}

function textOf(value: unknown): string {
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

function checkedId(route: Route, id: unknown): string {
  const parsed = route.parameters?.safeParse({ id });
  if (!parsed?.success) throw new ProblemError('not_found', { detail: 'No object has this id.' });
  return String(id);
}
