import type { Fault } from '@tidewatch/api-client/problem';
import { createContext, useContext } from 'react';

/** The fields of an object as a user has typed them, which need not be valid. */
export type Draft = Readonly<Record<string, unknown>>;

export interface FormState {
  draft: Draft;
  /** Faults to show, by JSON Pointer. */
  faults: readonly Pick<Fault, 'path' | 'message'>[];
  /** Sets the value at a JSON Pointer; undefined removes it. */
  change: (path: string, value: unknown) => void;
}

export const FormContext = createContext<FormState | null>(null);

/** The draft that is being edited. Throws outside of a form. */
export function useForm(): FormState {
  const state = useContext(FormContext);
  if (state === null) throw new Error('this field stands outside of a form');
  return state;
}

/** The value at a JSON Pointer; undefined where there is none. */
export function valueAt(draft: unknown, path: string): unknown {
  let value: unknown = draft;
  for (const name of names(path)) value = (value as Record<string, unknown> | null | undefined)?.[name];
  return value;
}

/** A copy with another value at a JSON Pointer; undefined removes a member of an object. */
export function withValue<T>(draft: T, path: string, value: unknown): T {
  const [name, ...rest] = names(path);
  if (name === undefined) return value as T;
  const inner =
    rest.length === 0
      ? value
      : withValue((draft as Record<string, unknown>)?.[name] ?? {}, `/${rest.join('/')}`, value);
  if (Array.isArray(draft)) return draft.with(Number(name), inner) as T;
  const next: Record<string, unknown> = { ...(draft as Record<string, unknown>) };
  if (inner === undefined) delete next[name];
  else next[name] = inner;
  return next as T;
}

/** Names of fields have neither slashes nor tildes, so that nothing is escaped. */
function names(path: string): string[] {
  return path.split('/').slice(1);
}
