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
  children: ReactNode;
} & (PageParams<Name> extends { id: string } ? { id: string } : { id?: undefined }) &
  Pick<ComponentProps<'a'>, 'className' | 'title' | 'aria-current' | 'aria-label' | 'onClick'>;

/** A link to a page of the console. Where the console does not have that page, the text alone. */
export function PageLink<Name extends PageName>({ page, id, search, children, ...rest }: LinkProps<Name>) {
  if (!isServed(page)) return <span className={rest.className}>{children}</span>;
  return (
    <Link to={pathOf(page, { id: id ?? '' } as never)} search={(search ?? {}) as never} {...rest}>
      {children}
    </Link>
  );
}
