import { createContext } from 'react';
import type { Builder } from './builder.ts';

/** What the parts drawn by the canvas library can do; they get no properties of ours. */
export const BuilderContext = createContext<Builder | null>(null);
