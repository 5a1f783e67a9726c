import { lazy, type ReactNode, Suspense } from 'react';
import { SkeletonBlock } from '../../../ui/Skeletons.tsx';
import type { TextDiffProps } from './TextDiffView.tsx';

const View = lazy(async () => ({ default: (await import('./TextDiffView.tsx')).TextDiffView }));

/** Two texts side by side with what differs marked. Its code comes when it is first shown. */
export function TextDiff(props: TextDiffProps): ReactNode {
  return (
    <Suspense fallback={<SkeletonBlock height={320} />}>
      <View {...props} />
    </Suspense>
  );
}
