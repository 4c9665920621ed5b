import { Link } from '@tanstack/react-router';
import {
  isServed,
  type PageName,
  type PageParams,
  type PageSearch,
  pathOf,
} from '@tidewatch/contracts/console/paths';
import type { ComponentProps, ReactNode } from 'react';

type LinkProps<Name extends PageName> = {
  page: Name;
  search?: PageSearch<Name>;
  /** True for a link within the page, after which the page is not scrolled to its top. */
  keepsPlace?: boolean;
  children: ReactNode;
} & (PageParams<Name> extends { id: string } ? { id: string } : { id?: undefined }) &
  Pick<ComponentProps<'a'>, 'className' | 'title' | 'aria-current' | 'aria-label' | 'onClick'>;

/** A link to a page of the console. Where the console does not have that page, the text alone. */
export function PageLink<Name extends PageName>({
  page,
  id,
  search,
  keepsPlace = false,
  children,
  ...rest
}: LinkProps<Name>) {
  if (!isServed(page)) return <span className={rest.className}>{children}</span>;
  return (
    <Link
      to={pathOf(page, { id: id ?? '' } as never)}
      search={(search ?? {}) as never}
      resetScroll={!keepsPlace}
      {...rest}
    >
      {children}
    </Link>
  );
}
