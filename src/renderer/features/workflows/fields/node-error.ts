import { createContext } from 'react';
import type { SourceError } from './error-marks.ts';

/** How the code of the node in the form failed in the run that is shown, with the source that ran. */
export interface NodeError extends SourceError {
  readonly source: string;
}

export const NodeErrorContext = createContext<NodeError | null>(null);
