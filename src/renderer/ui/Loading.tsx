import type { ReactNode } from 'react';
import { ErrorState } from './ErrorState.tsx';
import { SkeletonBlock, SkeletonLines } from './Skeletons.tsx';

/**
 * What stands in for a query's data while it has none: lines, or a block of `height` pixels; where reading failed, `what`
 * says so, and it can be tried again.
 */
export function Loading({
  query,
  what,
  lines,
  height,
  compact = false,
  children,
}: {
  query: { readonly error: unknown; refetch(): unknown };
  /** 'Could not load the job' */
  what: string;
  lines?: number;
  height?: number;
  compact?: boolean;
  /** Stands in instead of lines or a block. */
  children?: ReactNode;
}): ReactNode {
  if (query.error)
    return <ErrorState error={query.error} what={what} onRetry={() => void query.refetch()} compact={compact} />;
  if (children !== undefined) return children;
  return height === undefined ? <SkeletonLines {...(lines && { lines })} /> : <SkeletonBlock height={height} />;
}
