import { Navigate } from '@tanstack/react-router';
import { pathOf } from '@tidewatch/contracts/console/paths';

/** The overview, the start page of the console. */
export function OverviewPage() {
  return <Navigate to={pathOf('system', {})} replace />;
}
