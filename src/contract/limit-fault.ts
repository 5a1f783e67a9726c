import { LIMIT_BOUNDS, type Limits } from './limits.ts';

const MAY_BE_FRACTION = /(Seconds|Days)$|^retryJitter$/;

/** Why a number is none for this limit, as the end of a sentence ("… must be a whole number from 1 to 500"); null where it is one. */
export function limitFault(name: keyof Limits, value: unknown): string | null {
  const fraction = MAY_BE_FRACTION.test(name);
  const [least, most, or] = LIMIT_BOUNDS[name];
  if (
    typeof value === 'number' &&
    ((value >= least && value <= most) || value === or) &&
    (fraction || Number.isInteger(value))
  )
    return null;
  return `must be a ${fraction ? 'number' : 'whole number'} from ${least} to ${most}${or === undefined ? '' : `, or ${or}`}`;
}
