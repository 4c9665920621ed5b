import { useRouter } from '@tanstack/react-router';
import {
  isServed,
  type PageName,
  type PageParams,
  type PageSearch,
  pathOf,
} from '@tidewatch/contracts/console/paths';
import type { ComponentProps, MouseEvent, ReactNode } from 'react';

type LinkProps<Name extends PageName> = {
  page: Name;
  search?: PageSearch<Name>;
  /** True for a link within the page, after which the page is not scrolled to its top. */
  keepsPlace?: boolean;
  children: ReactNode;
} & (PageParams<Name> extends { id: string } ? { id: string } : { id?: undefined }) &
  Pick<ComponentProps<'a'>, 'className' | 'title' | 'aria-current' | 'aria-label' | 'onClick'>;

/** A pointer that only passes over a link does not stay so long, and a click that comes earlier is painted first, ms. */
const PRELOAD_AFTER_MS = 50;
/** A pointer is on one link at a time. */
let waiting: ReturnType<typeof setTimeout> | undefined;

/**
 * A link to a page of the console. Where the console does not have that page, the text alone. The router's own link renders
 * again at every change of the address; this one never does, since lists have a link or two in each row.
 */
export function PageLink<Name extends PageName>({
  page,
  id,
  search,
  keepsPlace = false,
  onClick,
  children,
  ...rest
}: LinkProps<Name>) {
  const router = useRouter();
  if (!isServed(page)) return <span className={rest.className}>{children}</span>;
  const params = { id: id ?? '' } as PageParams<Name>;
  const target = { to: pathOf(page, params), search: (search ?? {}) as never };
  // A script that cannot be read now is read again by the click, which shows why it fails.
  const preload = () => void router.preloadRoute(target).catch(() => undefined);
  const preloadSoon = () => {
    clearTimeout(waiting);
    waiting = setTimeout(preload, PRELOAD_AFTER_MS);
  };
  return (
    <a
      href={pathOf(page, params, search)}
      onClick={(event) => {
        onClick?.(event);
        if (event.defaultPrevented || !isPlainClick(event)) return;
        event.preventDefault();
        void router.navigate({ ...target, resetScroll: !keepsPlace });
      }}
      onMouseEnter={preloadSoon}
      onMouseLeave={() => clearTimeout(waiting)}
      onFocus={preloadSoon}
      onTouchStart={preload}
      {...rest}
    >
      {children}
    </a>
  );
}

/** Whether a click opens the page here; others open another tab or window, or store the page. */
function isPlainClick({ button, metaKey, altKey, ctrlKey, shiftKey }: MouseEvent): boolean {
  return button === 0 && !(metaKey || altKey || ctrlKey || shiftKey);
}
