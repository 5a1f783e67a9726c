import type { TunnelStatus } from '../../../contract/tunnels.ts';
import { t } from '../../../lib/language.ts';

/** The state of a tunnel in a few words, without its message. */
export const tunnelWord = ({ state, through }: TunnelStatus): string =>
  ({
    idle: t('tunnel not opened yet'),
    connecting: t('opening the tunnel…'),
    open: t('tunnel open through {through}', { through: through ?? '' }),
    waiting: t('tunnel lost, reconnecting'),
    failed: t('tunnel not open'),
  })[state];
