import { Button } from '../../components/button.tsx';

interface MoreProps {
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
  fetchNextPage: () => unknown;
}

/** The button at the end of a list whose next page has not been read. */
export function More({ hasNextPage, isFetchingNextPage, fetchNextPage }: MoreProps) {
  return hasNextPage ? (
    <Button isBusy={isFetchingNextPage} busy="Loading …" onClick={() => void fetchNextPage()}>
      Load more
    </Button>
  ) : null;
}
