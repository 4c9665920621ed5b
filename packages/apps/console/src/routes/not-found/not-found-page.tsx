import { PageHeader } from '../../components/page-header.tsx';
import { PageLink } from '../page-link.tsx';

/** The page for a path that belongs to no page of the console. */
export function NotFoundPage() {
  return (
    <>
      <PageHeader title="Not found" />
      <p>
        There is no page at this address. <PageLink page="overview">Open the overview</PageLink>
      </p>
    </>
  );
}
