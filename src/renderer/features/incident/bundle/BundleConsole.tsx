import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { type ReactNode, useLayoutEffect, useState } from 'react';
import { answerFrom } from '../../../api/client.ts';
import type { OpenBundle } from '../../../api/incident/open.ts';
import { makeBundleRouter } from './bundle-router.tsx';

/**
 * The console's own pages over a bundle: a router and a cache of their own, and all requests of the window answered by
 * the file while it is shown. So no page is written twice, and nothing of the master's gets mixed in.
 */
export function BundleConsole({ bundle }: { bundle: OpenBundle }): ReactNode {
  const [parts] = useState(() => ({
    client: new QueryClient({
      defaultOptions: {
        queries: { networkMode: 'always', staleTime: Number.POSITIVE_INFINITY, retry: false },
        mutations: { networkMode: 'always' },
      },
    }),
    router: makeBundleRouter(bundle.manifest),
  }));
  const [ready, setReady] = useState(false);
  useLayoutEffect(() => {
    answerFrom(bundle.source);
    setReady(true);
    return () => answerFrom(null);
  }, [bundle]);
  if (!ready) return null;
  return (
    <QueryClientProvider client={parts.client}>
      <RouterProvider router={parts.router as never} />
    </QueryClientProvider>
  );
}
