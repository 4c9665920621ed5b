import { createRootRoute, createRoute, createRouter, type SearchSchemaInput } from '@tanstack/react-router';
import { readSearch, writeSearch } from '@tidewatch/contracts/console/parameters';
import { PAGES, SERVED_PAGES, type ServedPage } from '@tidewatch/contracts/console/paths';
import { Frame } from '../frame/frame.tsx';
import { loadNextPages } from './next-page.ts';
import { NotFoundPage } from './not-found/not-found-page.tsx';
import { PageFailure } from './page-failure.tsx';
import { PAGE_COMPONENTS } from './pages.ts';
import { validatedSearch } from './validated-search.ts';

/** The router of the pages that the contract lists, with their paths and parameters. */
export function createConsoleRouter() {
  const root = createRootRoute({ component: Frame, notFoundComponent: NotFoundPage });
  const routes = SERVED_PAGES.map((name) =>
    createRoute({
      getParentRoute: () => root,
      path: PAGES[name].path.replace(':id', '$id'),
      validateSearch: (given: Record<string, unknown> & SearchSchemaInput) => validatedSearch(name, given),
      component: PAGE_COMPONENTS[name],
    }),
  );
  const router = createRouter({
    routeTree: root.addChildren(routes),
    parseSearch: readSearch,
    stringifySearch: writeSearch,
    search: { strict: true },
    defaultPreload: 'intent',
    defaultErrorComponent: PageFailure,
    scrollRestoration: true,
  });
  const pages = new Map<string, ServedPage>(
    SERVED_PAGES.map((name, index) => [routes[index]?.id ?? '', name]),
  );
  loadNextPages(
    router,
    (id) => pages.get(id),
    (page) => PAGE_COMPONENTS[page].preload?.(),
  );
  return router;
}
