/** Nodes that take on another form in one frame: each is drawn anew, and a frame has sixteen milliseconds. */
const TURNS_A_FRAME = 16;

/** In which form each node is drawn: whole, or as a shape with its name from far away. */
export interface DetailLevels {
  isFar(id: string): boolean;
  /** Hears when the node's form changes, until the returned function is called. */
  subscribe(id: string, listener: () => void): () => void;
  /** All of them from far away, or all whole: those that are drawn already turn a few in each frame. */
  turn(far: boolean): void;
}

/** `onFrame` calls back before the next drawing. */
export function createDetailLevels(onFrame: (run: () => void) => void, aFrame = TURNS_A_FRAME): DetailLevels {
  const listeners = new Map<string, () => void>();
  /** Those that are drawn in the other form still. */
  const late = new Set<string>();
  let far = false;
  let asked = false;

  function ask() {
    if (asked || late.size === 0) return;
    asked = true;
    onFrame(() => {
      asked = false;
      const turned = [...late].slice(0, aFrame);
      for (const id of turned) late.delete(id);
      for (const id of turned) listeners.get(id)?.();
      ask();
    });
  }

  return {
    isFar: (id) => (late.has(id) ? !far : far),
    subscribe(id, listener) {
      listeners.set(id, listener);
      return () => {
        if (listeners.get(id) === listener) listeners.delete(id);
        late.delete(id);
      };
    },
    turn(next) {
      if (next === far) return;
      far = next;
      // Who had not turned yet is right as it is.
      for (const id of listeners.keys()) if (!late.delete(id)) late.add(id);
      ask();
    },
  };
}
