import { MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { useEffect, useMemo } from 'react';
import type { ShortcutRegistry } from './keyboard/shortcut-registry.ts';
import { ShortcutsContext } from './keyboard/use-shortcut.ts';
import type { makeRouter } from './router.tsx';
import { type Stores, StoresProvider, usePreferences } from './stores/context.tsx';
import { callShell, desktop } from './stores/desktop.ts';
import { cssVariables, theme } from './theme.ts';
import { cspNonce } from './ui/csp-nonce.ts';
import { HintLayer } from './ui/HintLayer.tsx';
import { type Ticker, type UiSettings, UiSettingsProvider } from './ui/settings.tsx';

export interface AppParts {
  stores: Stores;
  client: QueryClient;
  router: ReturnType<typeof makeRouter>;
  shortcuts: ShortcutRegistry;
  ticker: Ticker;
}

export function App({ stores, client, router, shortcuts, ticker }: AppParts) {
  return (
    <StoresProvider stores={stores}>
      <QueryClientProvider client={client}>
        <Themed ticker={ticker}>
          <ShortcutsContext value={shortcuts}>
            <Notifications position="bottom-right" limit={4} containerWidth={400} className="aboveThePager" />
            <RouterProvider router={router} />
          </ShortcutsContext>
        </Themed>
      </QueryClientProvider>
    </StoresProvider>
  );
}

// The choice is kept with the other preferences: Mantine only shows it.
const unkept = {
  get: (fallback: 'light' | 'dark' | 'auto') => fallback,
  set: () => undefined,
  subscribe: () => undefined,
  unsubscribe: () => undefined,
  clear: () => undefined,
};

function Themed({ ticker, children }: { ticker: Ticker; children: React.ReactNode }) {
  const zone = usePreferences((p) => p.zone);
  const times = usePreferences((p) => p.times);
  const density = usePreferences((p) => p.density);
  const choice = usePreferences((p) => p.theme);
  useEffect(() => {
    document.documentElement.dataset['density'] = density;
  }, [density]);
  useEffect(() => {
    if (desktop()) void callShell('window:theme', choice).catch(() => undefined);
  }, [choice]);
  const language = usePreferences((p) => p.language);
  useEffect(() => {
    // Menu, tray and notes of the desktop app speak as the page does.
    if (desktop()) void callShell('desktop:prefer', { language }).catch(() => undefined);
  }, [language]);
  const ui = useMemo<UiSettings>(() => ({ zone, times, density, ticker }), [zone, times, density, ticker]);
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      getStyleNonce={cspNonce}
      colorSchemeManager={unkept}
      defaultColorScheme="auto"
      {...(choice === 'system' ? {} : { forceColorScheme: choice })}
    >
      <UiSettingsProvider value={ui}>
        {children}
        <HintLayer now={Date.now} />
      </UiSettingsProvider>
    </MantineProvider>
  );
}
