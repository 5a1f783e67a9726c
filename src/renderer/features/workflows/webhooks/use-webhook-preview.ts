import { useEffect, useState } from 'react';
import type { WebhookPreview, WebhookPreviewDraft } from '../../../../contract/webhooks.ts';
import { previewWebhook } from '../../../api/webhooks.ts';

/** Milliseconds without a key press before the master is asked. */
const PAUSE = 400;

export interface PreviewState {
  readonly preview: WebhookPreview | null;
  readonly error: unknown;
  /** `preview` is of an older text. */
  readonly asking: boolean;
}

const NONE: PreviewState = { preview: null, error: null, asking: false };

/** What filter and mapping make of a delivery, once typing rests. Null: there is nothing to ask. */
export function useWebhookPreview(draft: WebhookPreviewDraft | null): PreviewState {
  const [state, setState] = useState<PreviewState>(NONE);
  // The draft is made anew at every drawing; its text is not.
  const text = draft === null ? null : JSON.stringify(draft);
  useEffect(() => {
    if (text === null) return setState(NONE);
    const abort = new AbortController();
    setState((last) => ({ ...last, asking: true }));
    const timer = setTimeout(async () => {
      try {
        const preview = await previewWebhook(text, abort.signal);
        if (!abort.signal.aborted) setState({ preview, error: null, asking: false });
      } catch (error) {
        if (!abort.signal.aborted) setState({ preview: null, error, asking: false });
      }
    }, PAUSE);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [text]);
  return state;
}
