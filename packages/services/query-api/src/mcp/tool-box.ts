import { readFileSync } from 'node:fs';
import type { Route } from '@tidewatch/contracts/document/route';
import { API_ROUTES } from '@tidewatch/contracts/document/routes';
import { ProblemError } from '@tidewatch/contracts/problems/problem';
import type { KeyRecord } from '@tidewatch/contracts/values/access';
import { inertJson } from '@tidewatch/domain/prompt-text/inert-json';
import { hasScope } from '@tidewatch/runtime/auth/authentication';
import type { ServiceEnvironment } from '@tidewatch/runtime/process/backend-service';
import { answerOf, refusalOf } from './answers/tool-answer.ts';
import { type Caller, createRouteCaller } from './routes/route-caller.ts';
import { checkArguments } from './tools/check-arguments.ts';
import { type InputSchema, inputSchema } from './tools/input-schema.ts';
import type { ApiDocument } from './tools/json-schema.ts';
import type { Tool } from './tools/tool.ts';
import { TOOLS } from './tools/tools.ts';

export interface ToolBoxOptions extends Pick<ServiceEnvironment, 'clock' | 'metrics' | 'logger'> {
  /** The handlers of the API by the operations of their routes. */
  handlers: Readonly<Record<string, unknown>>;
}

/** A tool as clients are shown it. */
export interface ToolDefinition {
  name: string;
  title: string;
  description: string;
  inputSchema: InputSchema;
  annotations: {
    readOnlyHint: boolean;
    destructiveHint: boolean;
    idempotentHint: boolean;
    openWorldHint: false;
  };
}

/** The result of a call: one text of JSON, at most 8 KiB long. */
export type ToolResult = {
  content: [{ type: 'text'; text: string }];
  isError: boolean;
};

export interface ToolBox {
  /** The tools whose scopes the key has. */
  definitions(key: KeyRecord): ToolDefinition[];
  /** Whether there is a tool of this name, for whatever key. */
  has(name: string): boolean;
  /** Calls a tool. Expected failures are results, for the model to read; aborting `signal` ends a read. */
  call(caller: Caller, name: string, given: unknown, signal: AbortSignal): Promise<ToolResult>;
}

/** A tool with its route and definition. */
interface Opened {
  tool: Tool;
  route: Route;
  definition: ToolDefinition;
}

/** Opens the tools. Throws where a tool names what the API document does not have. */
export function createToolBox({ handlers, clock, metrics, logger }: ToolBoxOptions): ToolBox {
  const document = readDocument();
  const opened = new Map(TOOLS.map((tool) => [tool.name, openTool(document, tool)]));
  const routes = new Set([...opened.values()].map(({ route }) => route));
  const api = createRouteCaller([...routes], handlers);
  const calls = metrics.counter('tidewatch_mcp_calls_total', 'Calls of MCP tools, by tool and outcome.', [
    'tool',
    'outcome',
  ]);
  const seconds = metrics.histogram('tidewatch_mcp_call_seconds', 'Time that calls of MCP tools took.', [
    'tool',
  ]);

  async function answer(caller: Caller, name: string, given: unknown, signal: AbortSignal) {
    const found = opened.get(name);
    if (found === undefined)
      throw new ProblemError('not_found', { detail: 'There is no tool of this name.' });
    const { tool, route, definition } = found;
    const checked = checkArguments(definition.inputSchema, given);
    return answerOf({ tool, route, given: checked, now: clock() }, (asked) =>
      api.call(caller, asked, signal),
    );
  }

  return {
    definitions: (key) =>
      [...opened.values()]
        .filter(({ route }) => hasScope(key, route.scope ?? 'any'))
        .map(({ definition }) => definition),

    has: (name) => opened.has(name),

    async call(caller, name, given, signal) {
      const label = opened.has(name) ? name : 'unknown';
      const began = performance.now();
      try {
        const value = await answer(caller, name, given, signal);
        calls.inc({ tool: label, outcome: 'answered' });
        return resultOf(value, false);
      } catch (error) {
        const isExpected = error instanceof ProblemError || signal.aborted;
        calls.inc({ tool: label, outcome: isExpected ? 'refused' : 'failed' });
        if (!isExpected)
          logger.error({ tool: label, err: error }, 'MCP tool failed with an unexpected error');
        return resultOf(
          refusalOf(error instanceof ProblemError ? error : new ProblemError('internal_error')),
          true,
        );
      } finally {
        seconds.observe({ tool: label }, (performance.now() - began) / 1_000);
      }
    },
  };
}

function resultOf(value: object, isError: boolean): ToolResult {
  return { content: [{ type: 'text', text: inertJson(value) }], isError };
}

function openTool(document: ApiDocument, tool: Tool): Opened {
  const route = API_ROUTES.find(({ operationId }) => operationId === tool.operationId);
  if (route === undefined) throw new Error(`the contract has no operation ${tool.operationId}`);
  const { name, title, description, effect } = tool;
  const annotations = {
    readOnlyHint: effect === undefined,
    destructiveHint: effect?.isDestructive ?? false,
    idempotentHint: effect?.isIdempotent ?? true,
    openWorldHint: false as const,
  };
  return {
    tool,
    route,
    definition: { name, title, description, inputSchema: inputSchema(document, tool), annotations },
  };
}

function readDocument(): ApiDocument {
  const url = new URL('../../openapi.json', import.meta.resolve('@tidewatch/contracts/document/routes'));
  return JSON.parse(readFileSync(url, 'utf8')) as ApiDocument;
}
