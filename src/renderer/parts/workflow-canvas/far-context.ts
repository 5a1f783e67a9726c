import { createContext } from 'react';

/** Whether the canvas is so far away that nodes are shapes with names. */
export const FarContext = createContext(false);
