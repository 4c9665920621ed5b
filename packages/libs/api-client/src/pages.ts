import type { TidewatchClient } from './client.ts';
import type { components, paths } from './generated/api.ts';

type Pagination = components['schemas']['Pagination'];

type AnswerOf<Path extends keyof paths> = paths[Path] extends {
  get: { responses: { 200: { content: { 'application/json': infer Body } } } };
}
  ? Body
  : never;

type PageOf<Path extends keyof paths> = Extract<AnswerOf<Path>, { pagination: Pagination }>;

/** The paths whose `GET` returns a page. */
export type ListPath = {
  [Path in keyof paths]: [PageOf<Path>] extends [never] ? never : Path;
}[keyof paths];

/** The name under which a response holds the entries of a list; a union of names if the request chooses the list. */
export type NounOf<Path extends ListPath> =
  PageOf<Path> extends infer Page ? (Page extends Page ? Exclude<keyof Page, 'pagination'> : never) : never;

export type EntryOf<Path extends ListPath, Noun extends NounOf<Path>> =
  Extract<PageOf<Path>, Record<Noun, unknown>> extends Record<Noun, readonly (infer Entry)[]> ? Entry : never;

export type QueryOf<Path extends ListPath> = paths[Path] extends {
  get: { parameters: { query?: infer Query } };
}
  ? Omit<NonNullable<Query>, 'cursor' | 'offset'>
  : never;

export interface Page<Entry> {
  entries: Entry[];
  pagination: Pagination;
  /** The whole body of the response. */
  answer: unknown;
}

/**
 * Yields the pages of a list. Each page is requested by the cursor of the previous one, so that concurrent writes shift
 * no entries.
 */
export async function* pages<Path extends ListPath, Noun extends NounOf<Path> & string>(
  client: TidewatchClient,
  path: Path,
  noun: Noun,
  query: QueryOf<Path>,
): AsyncGenerator<Page<EntryOf<Path, Noun>>> {
  const get = client.get as (path: string, init: object) => Promise<{ pagination: Pagination }>;
  let cursor: string | null = null;
  do {
    const answer: { pagination: Pagination } = await get(path, {
      params: { query: { ...query, ...(cursor !== null && { cursor }) } },
    });
    const entries = (answer as unknown as Record<Noun, EntryOf<Path, Noun>[]>)[noun];
    yield { entries, pagination: answer.pagination, answer };
    cursor = answer.pagination.next_cursor ?? null;
  } while (cursor !== null);
}

/** Yields every entry of a list, which is requested page by page. */
export async function* entries<Path extends ListPath, Noun extends NounOf<Path> & string>(
  client: TidewatchClient,
  path: Path,
  noun: Noun,
  query: QueryOf<Path>,
): AsyncGenerator<EntryOf<Path, Noun>> {
  for await (const page of pages(client, path, noun, { ...query, limit: 100 })) yield* page.entries;
}
