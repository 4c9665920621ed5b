import { Navigate } from '@tanstack/react-router';
import { pathOf } from '@tidewatch/contracts/console/paths';

/** The first page. */
export function OverviewPage() {
  return <Navigate to={pathOf('system', {})} replace />;
}
