import { z } from 'zod';
import { addFault } from '../problems/add-fault.ts';
import { splitList } from './separated.ts';

const LONGEST = 4_000;

/** The selected members of an object by name: the whole member (null), or some of its inner members. */
export type FieldSelection = ReadonlyMap<string, ReadonlySet<string> | null>;

/**
 * The parameter `fields` for objects of this shape: comma-separated names, `member` or `member.inner`. Unknown names are
 * faults.
 */
export function fieldsQuery(shape: z.ZodRawShape) {
  return z
    .string()
    .max(LONGEST)
    .transform((text, context): FieldSelection => {
      const selection = new Map<string, Set<string> | null>();
      const unknown: string[] = [];
      for (const path of splitList(text)) {
        const dot = path.indexOf('.');
        const name = dot === -1 ? path : path.slice(0, dot);
        const inner = dot === -1 ? null : path.slice(dot + 1);
        if (!Object.hasOwn(shape, name) || (inner !== null && !hasMember(shape[name] as z.ZodType, inner)))
          unknown.push(path);
        else if (inner === null) selection.set(name, null);
        else if (!selection.has(name)) selection.set(name, new Set([inner]));
        else selection.get(name)?.add(inner);
      }
      if (unknown.length === 0) return selection;
      const named = unknown.slice(0, 10).map((path) => JSON.stringify(path.slice(0, 100)));
      const known = Object.keys(shape).join(', ');
      addFault(context, 'unknown_field', `Has no ${named.join(', ')}; there are ${known}.`);
      return z.NEVER;
    })
    .optional()
    .meta({
      description:
        'Only these fields, names with commas between; `field.member` for a member of a field. A comma of a name has a backslash before it, or the entry stands in double quotes. By default all. At most 4,000 characters.',
      override: {
        type: 'string',
        pattern: patternOf(shape),
        examples: [exampleOf(shape)],
      },
    });
}

/** The selected members of an object; all members without a selection. */
export function pickFields<T extends object>(value: T, selection: FieldSelection | undefined): Partial<T> {
  if (selection === undefined) return value;
  const entries: [string, unknown][] = [];
  for (const [name, inner] of selection) {
    if (!Object.hasOwn(value, name)) continue;
    const member: unknown = value[name as keyof T];
    entries.push([name, inner === null ? member : pickMembers(member, inner)]);
  }
  return Object.fromEntries(entries) as Partial<T>;
}

function pickMembers(member: unknown, names: ReadonlySet<string>): unknown {
  if (Array.isArray(member)) return member.map((each) => pickMembers(each, names));
  if (typeof member !== 'object' || member === null) return member;
  return Object.fromEntries(Object.entries(member).filter(([name]) => names.has(name)));
}

/** The schema without null and lists around it. */
export function bare(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional || schema instanceof z.ZodDefault)
    return bare(schema.unwrap() as z.ZodType);
  if (schema instanceof z.ZodArray) return bare(schema.element as z.ZodType);
  return schema;
}

function hasMember(schema: z.ZodType, name: string): boolean {
  const inner = bare(schema);
  if (inner instanceof z.ZodObject) return Object.hasOwn(inner.shape, name);
  if (inner instanceof z.ZodUnion)
    return inner.options.some((option) => hasMember(option as z.ZodType, name));
  // Any name is a member of a record, such as a tag.
  return inner instanceof z.ZodRecord && name !== '';
}

/**
 * The pattern of the parameter for the API document. It has no max length, because that together with a pattern slows
 * generators of examples down.
 */
function patternOf(shape: z.ZodRawShape): string {
  const paths = Object.entries(shape).map(([name, schema]) => {
    const members = membersOf(schema as z.ZodType);
    return members.length === 0 ? name : `${name}(?:\\.(?:${members.join('|')}))?`;
  });
  const path = `(?:${paths.join('|')})`;
  return `^${path}(?:,${path})*$`;
}

/** The patterns of the inner members that `hasMember` accepts. */
function membersOf(schema: z.ZodType): string[] {
  const inner = bare(schema);
  if (inner instanceof z.ZodObject) return Object.keys(inner.shape);
  if (inner instanceof z.ZodUnion)
    return [...new Set(inner.options.flatMap((option) => membersOf(option as z.ZodType)))];
  return inner instanceof z.ZodRecord ? ['[^,]+'] : [];
}

function exampleOf(shape: z.ZodRawShape): string {
  return Object.keys(shape).slice(0, 2).join(',');
}
