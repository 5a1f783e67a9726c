import { Handle, type NodeProps, Position } from '@xyflow/react';
import {
  IconAlertTriangle,
  IconCheck,
  IconCircleX,
  IconInfoCircle,
  IconLoader2,
  IconPlayerSkipForward,
  IconX,
} from '@tabler/icons-react';
import { memo, type ReactNode } from 'react';
import classes from './StepBox.module.css';
import { portsForType, takesInput } from './connect-rules.ts';
import type { StepNode } from './flow.ts';
import { useIsFar } from './detail-levels-context.ts';
import { nodeStyle } from './node-styles.ts';

const FAULTS = { save: IconCircleX, publish: IconAlertTriangle, advice: IconInfoCircle } as const;
const RUNS = { done: IconCheck, failed: IconX, skipped: IconPlayerSkipForward, running: IconLoader2 } as const;

/** A node on the canvas: its icon, name and what it does, its way in, its ways out (for pointers; `C` connects by keys), what is wrong with it. Its place is that of the box around it: moved, it is not drawn again. */
export const StepBox = memo(
  function StepBox({ id, data, selected }: NodeProps<StepNode>): ReactNode {
    const { type, name, gist, fault, run } = data;
    const { icon: Icon, kind } = nodeStyle(type);
    const isFar = useIsFar(id);
    if (isFar) {
      return (
        <div
          className={classes['step']}
          data-far
          data-kind={kind}
          data-selected={selected || undefined}
          data-fault={fault ?? undefined}
        >
          <span className={classes['tile']} />
          <span className={classes['name']}>{name}</span>
        </div>
      );
    }
    const ports = portsForType(type);
    const FaultIcon = fault && FAULTS[fault];
    const RunIcon = run && RUNS[run.state];
    return (
      <div
        className={classes['step']}
        data-kind={kind}
        data-selected={selected || undefined}
        data-fault={fault ?? undefined}
        data-ports={ports.length > 1 || undefined}
      >
        {takesInput(type) && (
          <Handle
            id="in"
            type="target"
            position={Position.Left}
            className={classes['handle'] ?? ''}
            aria-hidden="true"
          />
        )}
        <span className={classes['tile']}>
          <Icon size={18} aria-hidden="true" />
        </span>
        <span className={classes['words']}>
          <span className={classes['name']} data-clip>
            {name}
          </span>
          <span className={classes['type']}>
            {type}
            {gist !== '' && <span className={classes['gist']}> {gist}</span>}
          </span>
        </span>
        {FaultIcon && <FaultIcon size={16} className={classes['faultIcon']} aria-hidden="true" />}
        {ports.map((port, i) => (
          <Handle
            key={port ?? 'out'}
            id={port ?? 'out'}
            type="source"
            position={Position.Right}
            className={classes['handle'] ?? ''}
            data-port={port}
            data-place={ports.length > 1 ? i : undefined}
            aria-hidden="true"
          />
        ))}
        {ports.length > 1 &&
          ports.map((port, i) => (
            <span key={port} className={classes['port']} data-place={i} aria-hidden="true">
              {port}
            </span>
          ))}
        {run && RunIcon && (
          <span className={classes['run']} data-state={run.state}>
            <RunIcon size={12} aria-hidden="true" />
            <span>{run.text}</span>
          </span>
        )}
      </div>
    );
  },
  (a, b) => a.data === b.data && a.selected === b.selected,
);
