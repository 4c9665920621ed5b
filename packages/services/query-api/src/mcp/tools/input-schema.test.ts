import { readFileSync } from 'node:fs';
import { API_ROUTES } from '@tidewatch/contracts/document/routes';
import { describe, expect, it } from 'vitest';
import { inputSchema } from './input-schema.ts';
import type { ApiDocument } from './json-schema.ts';
import type { Tool } from './tool.ts';
import { TOOLS } from './tools.ts';

const url = new URL('../../openapi.json', import.meta.resolve('@tidewatch/contracts/document/routes'));
const document = JSON.parse(readFileSync(url, 'utf8')) as ApiDocument;
const routeOf = (id: string) => API_ROUTES.find(({ operationId }) => operationId === id);
const byName = (name: string) => TOOLS.find((tool) => tool.name === name)!;

/** Operations that a model must never reach. */
const FORBIDDEN =
  /Key|Session|Organization|Channel|Audit|SignOn|Link|deleteService|deleteRule|applyRules|Events/;

describe('the tools', () => {
  it('have names of their own that every client accepts', () => {
    expect(new Set(TOOLS.map(({ name }) => name)).size).toBe(TOOLS.length);
    for (const { name } of TOOLS) expect(name).toMatch(/^[a-z][a-z_]{2,40}$/);
  });

  it.each(TOOLS)('$name has a schema without references, and needs read or write alone', (tool) => {
    const schema = inputSchema(document, tool);
    expect(JSON.stringify(schema)).not.toContain('$ref');
    expect(Object.keys(schema.properties)).toEqual(expect.arrayContaining([...schema.required]));
    const route = routeOf(tool.operationId)!;
    expect(route.scope).toBe(tool.effect === undefined ? 'read' : 'write');
    expect(route.path.includes('{id}')).toBe(tool.id !== undefined);
    expect(tool.operationId).not.toMatch(FORBIDDEN);
  });

  it('take little of what a model can read', () => {
    const bytesOf = (tools: readonly Tool[]) =>
      tools
        .map(({ name, title, description, ...tool }) => [
          name,
          title,
          description,
          inputSchema(document, { ...tool, name, title, description }),
        ])
        .reduce((sum, definition) => sum + JSON.stringify(definition).length, 0);
    expect(bytesOf(TOOLS.filter(({ effect }) => effect === undefined))).toBeLessThan(20_000);
    expect(bytesOf(TOOLS)).toBeLessThan(30_000);
  });
});

describe('inputSchema', () => {
  it('describes arguments as the API does, and names what is required', () => {
    const schema = inputSchema(document, byName('list_alerts'));
    expect(schema.properties['severity']).toMatchObject({ enum: ['critical', 'warning', 'info'] });
    expect(schema.properties['limit']).toMatchObject({ type: 'integer', maximum: 50 });
    expect([schema.required, schema['additionalProperties']]).toEqual([[], false]);
    expect(inputSchema(document, byName('comment_on_alert')).required).toEqual(['alert_id', 'comment']);
    expect(inputSchema(document, byName('update_rule')).required).toEqual(['rule_id', 'version']);
  });

  it('refuses a tool whose operation has no such parameter', () => {
    const tool = { ...byName('list_alerts'), query: ['colour'] };
    expect(() => inputSchema(document, tool)).toThrow('listAlerts has no parameter colour');
  });
});
