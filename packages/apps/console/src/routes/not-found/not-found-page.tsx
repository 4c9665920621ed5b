import { PageHeader } from '../../components/page-header.tsx';
import { PageLink } from '../page-link.tsx';

/** A path that no page has. */
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
