import { pageIn, sizeIn, textIn } from '../../ui/search-params.ts';

/** View state of the list of operations. `operation` opens its drawer. */
export interface OperationsSearch {
  page?: number;
  size?: number;
  operation?: string;
}

export const parseOperationsSearch = (input: Record<string, unknown>): OperationsSearch => ({
  ...pageIn(input),
  ...sizeIn(input),
  ...textIn(input, 'operation'),
});
