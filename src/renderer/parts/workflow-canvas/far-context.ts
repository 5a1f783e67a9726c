import { createContext } from 'react';

/** Whether the canvas shows a large graph from so far away that nodes are shapes with names. */
export const FarContext = createContext(false);
