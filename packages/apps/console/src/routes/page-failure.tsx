import { useRouter } from '@tanstack/react-router';
import { PageHeader } from '../components/page-header.tsx';
import { Problem } from '../components/problem.tsx';

/** Shown in place of a page that failed while it was loaded or rendered. */
export function PageFailure({ error, reset }: { error: unknown; reset: () => void }) {
  const router = useRouter();
  const retry = () => {
    reset();
    void router.invalidate();
  };
  return (
    <>
      <PageHeader title="The page failed" />
      <Problem error={error} retry={retry} />
    </>
  );
}
