import { textIn } from '../../ui/search-params.ts';

/** View state of the fleet: what is looked for in all clusters. */
export interface FleetPageSearch {
  q?: string;
}

export const parseFleetSearch = (input: Record<string, unknown>): FleetPageSearch => textIn(input, 'q');
