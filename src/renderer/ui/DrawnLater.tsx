import { type ReactNode, useDeferredValue } from 'react';

/** What nobody sees as long as it is closed, as a dialog: it is made once its page is seen, or with it where it is `opened`. */
export function DrawnLater({ opened, children }: { opened: boolean; children: ReactNode }): ReactNode {
  const seen = useDeferredValue(true, false);
  return opened || seen ? children : null;
}
