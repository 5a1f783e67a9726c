import { type RefObject, useCallback, useRef, useState } from 'react';
import type { Point } from '../definition/edits.ts';

/** Frames in which the canvas has surely come to a node that was made. */
const FRAMES_OF_A_GLIDE = 90;

/** What a dialog is open for. */
export type CanvasQuestion =
  | {
      readonly what: 'add';
      readonly after: { from: string; port?: string; to?: string } | null;
      readonly at: Point | null;
    }
  | { readonly what: 'connect'; readonly from: string };

/** The dialog of the canvas that is open, and where the focus goes once it is answered. `root`: the builder. */
export function useCanvasDialog(root: RefObject<HTMLElement | null>) {
  const [asking, setAsking] = useState<CanvasQuestion | null>(null);
  const asker = useRef<Element | null>(null);
  const ask = useCallback((what: CanvasQuestion) => {
    asker.current = document.activeElement;
    setAsking(what);
  }, []);
  /** Ends a dialog; whoever works by keys goes on where it was asked for, or on a node that was made. */
  const answer = useCallback((made?: string) => {
    setAsking(null);
    const from = asker.current?.closest('.react-flow, [role="tree"]') ?? null;
    const drawn = () =>
      made === undefined
        ? null
        : from?.querySelector<HTMLElement>(`:is(.react-flow__node, [role="treeitem"])[data-id="${CSS.escape(made)}"]`);
    // Made out of sight, it is drawn once the canvas or the outline has come to it; till then keys are for what is selected, which it is.
    const follow = (host: HTMLElement, frames: number) => {
      if (document.activeElement !== host || frames === 0) return;
      const node = drawn();
      if (node) node.focus({ preventScroll: true });
      else requestAnimationFrame(() => follow(host, frames - 1));
    };
    requestAnimationFrame(() => {
      const isFollowed = made !== undefined && from !== null;
      const place = [drawn(), isFollowed ? root.current : asker.current, root.current].find(
        (one): one is HTMLElement => one instanceof HTMLElement && one.isConnected,
      );
      place?.focus({ preventScroll: true });
      if (isFollowed && root.current && place === root.current) follow(root.current, FRAMES_OF_A_GLIDE);
    });
  }, []);
  return { asking, ask, answer };
}
