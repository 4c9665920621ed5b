import { type Alert, type AlertFilter, admits, inOrder, type ListedAlert } from './alert-filter.ts';

/** A list of alerts as the cache holds it: pages in order, each with the total at the time of its response. */
export interface AlertPages<Item extends ListedAlert = Alert> {
  pages: readonly AlertPage<Item>[];
  pageParams: readonly unknown[];
}

export interface AlertPage<Item extends ListedAlert = Alert> {
  alerts: readonly Item[];
  pagination: { total: number; next_cursor?: string | null };
}

/** True if `next` is not older than what is known of the alert. Responses and events may arrive out of order. */
export function isNewer(next: { updated_at: string }, known: { updated_at: string }): boolean {
  return Date.parse(next.updated_at) >= Date.parse(known.updated_at);
}

/**
 * The list after an alert changed: the alert is replaced, enters or leaves by the filter, and the total follows. The same
 * object if nothing changed. `eventType` says whether an alert beyond the loaded pages is new or has ended.
 */
export function listAfter<Item extends ListedAlert>(
  list: AlertPages<Item>,
  filter: AlertFilter,
  alert: Alert,
  eventType: string,
): AlertPages<Item> {
  // A list of the past does not change.
  if (filter.as_of !== undefined) return list;
  const at = placeOf(list, alert.id);
  const isIn = admits(filter, alert);
  if (at !== null) {
    const known = list.pages[at.page]?.alerts[at.row] as Item;
    if (!isNewer(alert, known)) return list;
    return isIn
      ? withPage(list, at.page, 0, (alerts) => alerts.with(at.row, alert as unknown as Item))
      : withPage(list, at.page, -1, (alerts) => alerts.toSpliced(at.row, 1));
  }
  if (!isIn) return hasLeft(filter, alert, eventType) && hasMore(list) ? withTotal(list, -1) : list;
  const compare = inOrder(filter.sort);
  for (const [page, { alerts }] of list.pages.entries()) {
    const row = alerts.findIndex((each) => compare(alert, each) < 0);
    if (row >= 0) return withPage(list, page, 1, (each) => each.toSpliced(row, 0, alert as unknown as Item));
  }
  // Behind the last loaded row: it belongs to a page that is not loaded, unless there is none.
  if (hasMore(list)) return eventType === 'alert.fired' ? withTotal(list, 1) : list;
  const last = list.pages.length - 1;
  return last < 0 ? list : withPage(list, last, 1, (alerts) => [...alerts, alert as unknown as Item]);
}

/** Whether a list held the alert until this event, as far as the event shows: its end is what no longer fits. */
function hasLeft(filter: AlertFilter, alert: Alert, eventType: string): boolean {
  return (
    eventType === 'alert.resolved' &&
    (filter.status ?? 'active') === 'active' &&
    admits({ ...filter, status: 'all' }, alert)
  );
}

function hasMore({ pages }: AlertPages<ListedAlert>): boolean {
  return Boolean(pages.at(-1)?.pagination.next_cursor);
}

function placeOf({ pages }: AlertPages<ListedAlert>, id: string): { page: number; row: number } | null {
  for (const [page, { alerts }] of pages.entries()) {
    const row = alerts.findIndex((alert) => alert.id === id);
    if (row >= 0) return { page, row };
  }
  return null;
}

function withPage<Item extends ListedAlert>(
  list: AlertPages<Item>,
  at: number,
  difference: number,
  change: (alerts: readonly Item[]) => readonly Item[],
): AlertPages<Item> {
  const pages = list.pages.map((page, index) =>
    index === at ? { ...page, alerts: change(page.alerts) } : page,
  );
  return withTotal({ ...list, pages }, difference);
}

function withTotal<Item extends ListedAlert>(list: AlertPages<Item>, difference: number): AlertPages<Item> {
  if (difference === 0) return list;
  const pages = list.pages.map((page) => ({
    ...page,
    pagination: { ...page.pagination, total: Math.max(page.pagination.total + difference, 0) },
  }));
  return { ...list, pages };
}
