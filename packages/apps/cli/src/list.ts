import type { Command, OptionValues } from '@commander-js/extra-typings';
import {
  type EntryOf,
  entries,
  type ListPath,
  type NounOf,
  pages,
  type QueryOf,
} from '@tidewatch/api-client/pages';
import { parseCount } from './arguments.ts';
import { safeText } from './output/safe-text.ts';
import type { Cell, Column } from './output/table.ts';
import type { Session } from './session.ts';

export interface ListView<Path extends ListPath, Noun extends NounOf<Path> & string> {
  path: Path;
  noun: Noun;
  query?: QueryOf<Path>;
  columns: readonly Column[];
  row(entry: EntryOf<Path, Noun>): (string | Cell)[];
}

/** The values of the options that `paged` adds. */
export interface Paging {
  /** Maximum number of entries; ignored with `all`. */
  limit?: number | undefined;
  /** If true, prints all pages; as JSON, one object per line. */
  all?: boolean | undefined;
}

/** Adds the options of every list to a command, after its own. */
export function paged<Args extends unknown[], Options extends OptionValues, Global extends OptionValues>(
  list: Command<Args, Options, Global>,
) {
  return list
    .option('--limit <count>', 'how many', parseCount)
    .option('--all', 'every page; as JSON one object to a line');
}

/** Prints one page of a list, or with `all` every page. As JSON, one page is the unchanged response of the API. */
export async function showList<Path extends ListPath, Noun extends NounOf<Path> & string>(
  session: Session,
  { limit, all }: Paging,
  view: ListView<Path, Noun>,
): Promise<void> {
  const { terminal } = session;
  if (all) return showAll(session, view);
  const query = { ...view.query, ...(limit !== undefined && { limit }) } as QueryOf<Path>;
  for await (const page of pages(session.client(), view.path, view.noun, query)) {
    if (session.json()) return terminal.json(page.answer);
    await terminal.table(view.columns, page.entries.map(view.row));
    const { total, has_more: more } = page.pagination;
    if (more)
      terminal.note(terminal.paint('gray', `${page.entries.length} of ${total}; --all shows the rest`));
    else if (total === 0) terminal.note(terminal.paint('gray', `no ${view.noun}`));
    return;
  }
}

async function showAll<Path extends ListPath, Noun extends NounOf<Path> & string>(
  session: Session,
  view: ListView<Path, Noun>,
): Promise<void> {
  const rows: (string | Cell)[][] = [];
  for await (const entry of entries(
    session.client(),
    view.path,
    view.noun,
    view.query ?? ({} as QueryOf<Path>),
  )) {
    if (session.signal.aborted) return;
    if (session.json()) await session.terminal.jsonLine(entry);
    else rows.push(view.row(entry));
  }
  if (!session.json()) await session.terminal.table(view.columns, rows);
}

/** Calls `act` for each id and prints the result, as JSON one object per line. Names the id of a call that fails. */
export async function forEachId<T>(
  session: Session,
  ids: readonly string[],
  act: (id: string) => Promise<T>,
  describe: (answer: T, id: string) => string,
): Promise<void> {
  for (const id of ids) {
    const answer = await act(id).catch((error: unknown) => {
      session.terminal.note(`at ${safeText(id)}:`);
      throw error;
    });
    if (!session.json()) await session.terminal.print(`${describe(answer, id)}\n`);
    else if (answer !== undefined)
      await (ids.length === 1 ? session.terminal.json(answer) : session.terminal.jsonLine(answer));
  }
}

/** Deletes the objects of these ids, and prints what became of each. */
export function deleteEach(
  session: Session,
  ids: readonly string[],
  path: `/api/v1/${'channels' | 'keys' | 'markers' | 'silences'}/{id}`,
  done: string,
): Promise<void> {
  return forEachId(
    session,
    ids,
    (id) => session.client().delete(path, { params: { path: { id } } }),
    (_answer, id) => `${id} ${done}`,
  );
}
