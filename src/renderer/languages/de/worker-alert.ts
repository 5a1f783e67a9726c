import type { Catalogue } from '../../../lib/language.ts';

export const workerAlert: Catalogue = {
  '{count} workers are down': '{count} Worker ist ausgefallen|{count} Worker sind ausgefallen',
  '{count} are unstable': '{count} ist instabil|{count} sind instabil',
  '{count} workers are unstable': '{count} Worker ist instabil|{count} Worker sind instabil',
};
